# The first function to try PEF on. Four paths lead through it, and two of them raise:
#   ./pef explore examples/first.py:suma_con_bug
def suma_con_bug(a, b):
    """Return a + b, with a surprise.

    :type: a: int, b: int
    """
    if a + b == 42:
        print("La gran respuesta.")

    if a - b == 42:
        raise Exception("Bug")
    return a + b
