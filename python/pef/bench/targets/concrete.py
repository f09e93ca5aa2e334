"""Ordinary code that never sees a symbolic value: what rewriting costs it."""

SIZES = {
    "calls": 20000,
    "fibonacci": 18,
    "sieve": 10000,
    "bubble_sort": 100,
    "word_counts": 500,
    "stack": 20000,
    "parsing": 2000,
    "matrix": 20,
}


def successor(v):
    return v + 1


def calls(n):
    total = 0
    for _ in range(n):
        total = successor(total)
        if total % 3 == 0:
            total = len(str(total)) + total
    return total


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def sieve(n):
    flags = [True] * (n + 1)
    primes = []
    for i in range(2, n + 1):
        if flags[i]:
            primes.append(i)
            for j in range(i * i, n + 1, i):
                flags[j] = False
    return len(primes)


def bubble_sort(n):
    xs = [(i * 7919) % 1009 for i in range(n)]
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs[0]


def word_counts(n):
    text = "the quick brown fox jumps over the lazy dog " * n
    counts = {}
    for word in text.split():
        if word not in counts:
            counts[word] = 0
        counts[word] += 1
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[0]


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()


def stack(n):
    items = Stack()
    for i in range(n):
        items.push(i)
        if i % 3 == 2:
            items.pop()
    return len(items.items)


def parsing(n):
    total = 0
    for line in ["a=%d;b=%d" % (i, i + 1) for i in range(n)]:
        for part in line.split(";"):
            key, value = part.split("=", 1)
            if key == "a":
                total += int(value)
            else:
                total -= int(value)
    return total


def matrix(n):
    a = [[i + j for j in range(n)] for i in range(n)]
    b = [[i - j for j in range(n)] for i in range(n)]
    out = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            total = 0
            for k in range(n):
                total += a[i][k] * b[k][j]
            out[i][j] = total
    return out[1][2]
