"""Three flags in one byte."""

# bench: bool int correct
def packed(read: bool, write: bool, run: bool) -> int:
    """
    post: (_ & 4 != 0) == read and (_ & 2 != 0) == write and (_ & 1 != 0) == run
    """
    bits = 0
    if read:
        bits |= 4
    if write:
        bits |= 2
    if run:
        bits |= 1
    return bits
