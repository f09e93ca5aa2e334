"""Users are spread over servers by a hash of their number."""

# bench: int str bytes hard
# fails: server(373)
import hashlib

SERVERS = [f"db{number}" for number in range(255)]  # bug: a byte has 256 values


def server(user: int) -> str:
    """
    pre: 0 <= user < 100000
    post: _.startswith("db")
    """
    return SERVERS[hashlib.md5(str(user).encode()).digest()[0]]
