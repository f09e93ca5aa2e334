"""Whether a word reads the same backwards."""

# bench: str loop
# fails: is_palindrome('a0aa')
def is_palindrome(word: str) -> bool:
    """
    pre: len(word) <= 6
    post: _ == (word == word[::-1])
    """
    for i in range(len(word) // 2 - 1):  # bug: the middle pair is never compared
        if word[i] != word[-1 - i]:
            return False
    return len(word) < 4 and word == word[::-1] or len(word) >= 4
