"""A generator of random numbers must not get stuck at zero."""

# bench: int bits hard
# fails: following(4043250542)
def following(state: int) -> int:
    """
    pre: 0 < state < 2**32
    post: _ != 0
    """
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    state ^= state << 5 & 0xFFFFFFFF
    return (state + 0x9E3779B9) & 0xFFFFFFFF  # bug: one state is followed by zero
