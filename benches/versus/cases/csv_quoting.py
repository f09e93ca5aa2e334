"""One line of a CSV file, written and read back."""

# bench: str list hard
# fails: round_trip('"', '')
from typing import List


def quoted(field: str) -> str:
    if "," in field or " " in field:  # bug: a quote needs quoting, too
        return '"' + field.replace('"', '""') + '"'
    return field


def fields_of(line: str) -> List[str]:
    fields, field, inside, i = [], "", False, 0
    while i < len(line):
        char = line[i]
        if inside and line[i : i + 2] == '""':
            field += '"'
            i += 1
        elif char == '"':
            inside = not inside
        elif char == "," and not inside:
            fields.append(field)
            field = ""
        else:
            field += char
        i += 1
    return [*fields, field]


def round_trip(first: str, second: str) -> List[str]:
    """
    pre: len(first) <= 3 and len(second) <= 3
    post: _ == [first, second]
    """
    return fields_of(quoted(first) + "," + quoted(second))
