"""Correct functions over text and bytes. `# proved` marks those whose trees are finite."""

import re


def initial(name: str) -> str:  # proved
    """
    :ensure: len(returnv) <= 1
    """
    return name[0] if name else ""


def shout(text: str) -> str:  # proved
    """
    :ensure: returnv.endswith("!")
    """
    return text + "!"


def without_suffix(file: str) -> str:  # proved
    """
    :ensure: not file.endswith(".py") or len(returnv) == len(file) - 3
    """
    return file.removesuffix(".py")


def is_yes(answer: str) -> bool:  # proved
    """
    :ensure: returnv == (answer == "y" or answer == "yes")
    """
    return answer in ("y", "yes")


def number_or_zero(text: str) -> int:
    """
    :ensure: returnv == 0 or text != ""
    """
    try:
        return int(text)
    except ValueError:
        return 0


def key_of(line: str) -> str:
    """
    :ensure: "=" not in returnv
    """
    return line.split("=")[0]


def is_code(text: str) -> bool:
    """
    :ensure: not returnv or len(text) == 5
    """
    return re.fullmatch(r"[A-Z]{2}-\d{2}", text) is not None


def padded(text: str) -> str:
    """
    :assume: len(text) < 4
    :ensure: len(returnv) == 4
    """
    return text.rjust(4, "0")


def first_byte(data: bytes) -> int:  # proved
    """
    :ensure: -1 <= returnv < 256
    """
    return data[0] if data else -1


def as_ascii(text: str) -> bytes:
    """
    :raises: UnicodeEncodeError: True
    """
    return text.encode("ascii")


def mirrored(text: str) -> str:
    """
    :assume: len(text) <= 3
    :ensure: returnv[::-1] == text
    """
    return text[::-1]
