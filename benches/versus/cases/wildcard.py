"""File names matched with * and ?."""

# bench: str loop hard
# fails: matches('aab', '*ab')
def matches(name: str, pattern: str) -> bool:
    """
    pre: len(name) <= 3 and 1 <= len(pattern) <= 3
    post: _ == truly(name, pattern)
    """
    i = 0
    for place, char in enumerate(pattern):
        if char == "*":
            following = pattern[place + 1 : place + 2]
            if not following:
                return True
            while i < len(name) and name[i] != following and following != "?":
                i += 1  # bug: the first fitting place need not be the right one
        elif i < len(name) and char in ("?", name[i]):
            i += 1
        else:
            return False
    return i == len(name)


def truly(name, pattern):
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(truly(name[i:], pattern[1:]) for i in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and truly(name[1:], pattern[1:])
