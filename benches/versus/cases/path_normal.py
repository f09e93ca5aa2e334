"""Tidying an absolute path by replacing text."""

# bench: str loop hard
# fails: tidied('/././')
def tidied(path: str) -> str:
    """
    pre: len(path) <= 8 and path.startswith("/")
    post: "//" not in _ and "/./" not in _
    """
    while "//" in path:
        path = path.replace("//", "/")
    return path.replace("/./", "/")  # bug: matches do not overlap, "/././" leaves one
