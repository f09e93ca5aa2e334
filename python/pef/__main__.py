"""`python -m pef` is `pef`."""

from pef.cli import program

if __name__ == "__main__":
    program()
