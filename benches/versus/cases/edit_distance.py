"""How many letters to change, to insert or to delete."""

# bench: str nested loop hard
# fails: distance("a''", "a''")
def distance(a: str, b: str) -> int:
    """
    pre: len(a) <= 3 and len(b) <= 3
    post: _ <= max(len(a), len(b))
    post: (_ == 0) == (a == b)
    """
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            change = before + (x != y)
            before = row[j]
            row[j] = min(change, row[j] + 1, row[j - 1] + 1)
            if i == 3 and j == 3 and a[1] == b[2] and a[2] == b[1]:
                row[j] = row[j] - 1  # bug: a swap is counted as one, even of the same letters
    return row[-1]
