"""Run-length encoding of text; a count comes before its character."""

# bench: str loop hard
# fails: round_trip('0')
def encoded(text: str) -> str:
    out, i = "", 0
    while i < len(text):
        run = 1
        while i + run < len(text) and text[i + run] == text[i]:
            run += 1
        out += (str(run) if run > 1 else "") + text[i]
        i += run
    return out


def decoded(text: str) -> str:
    out, count = "", ""
    for char in text:
        if char in "0123456789":
            count += char
        else:
            out += char * int(count or "1")
            count = ""
    return out


def round_trip(text: str) -> str:
    """
    pre: len(text) <= 4
    post: _ == text
    """
    return decoded(encoded(text))  # bug: a digit in the text is taken for a count
