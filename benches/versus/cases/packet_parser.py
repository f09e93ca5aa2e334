"""Packets on a serial line: start, length, payload, checksum."""

# bench: bytes int hard
# fails: payload(b'~\x06xaa')
def payload(packet: bytes) -> bytes:
    """
    pre: len(packet) <= 8
    post: True
    raises: ValueError
    """
    if len(packet) < 4 or packet[0] != 0x7E:
        raise ValueError("no packet")
    length = packet[1]
    if length > 6:
        raise ValueError("too long")
    body = packet[2 : 2 + length]
    if (packet[0] ^ packet[1] ^ sum(body)) & 0xFF != 0x42:
        raise ValueError("checksum")
    if packet[2 + length] != 0x7F:  # bug: the packet may be shorter than it says
        raise ValueError("no end")
    return body
