"""Dicts with keys that vary, defaults, counters and queues. Each program is read as CPython runs it, or not read."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

HEAD = "from collections import Counter, defaultdict, deque\n"
WORD = "word = 'a' if x > 0 else 'b' if x > -9 else 'c'\nother = 'a' if n > 9 else 'c'\n"


def program(body: str) -> str:
    return HEAD + function(body)


READ = [
    # Keys that vary
    (program("a = {x: 1, n: 2, 3: 4}\nreturn a.get(7, 0) * 100 + a[n] * 10 + len(a)"), "int"),
    (program("a = {1: 5}\na[n] = x\na[x] = 9\nreturn a[1] + sum(a.values()) * 10 + sum(a) * 1000"), "int"),
    (program("a = {1: 5, 2: 6}\nreturn (n in a) * 10 + (x in {x: 1}) + (2 not in a)"), "int"),
    (program("a = {}\nfor y in (x, n, 3):\n    a[y] = a.get(y, 0) + y\nt = 0\nfor k, v in a.items():\n    t = 3 * t + k - v\nreturn t"), "int"),
    (program("a = {}\na[day] = 1\na[date(2024, 1, 1) + timedelta(days=n)] = 2\nreturn len(a) * 10 + a[day]"), "int"),
    (program("a = {(x, 1): 5, (n, 1): 6}\nreturn a[(x, 1)] * 10 + a.get((1, x), 0)"), "int"),
    (program("a = {d: 1, r: 2}\na[Decimal('1.0')] = 3\nreturn a.get(Decimal(1), 0) + a.get(x, 7) * 10"), "int"),
    (program("a = {True: 5, x: 6}\nreturn a[1] * 10 + len(a) + a.get(on, 0)"), "int"),
    (program("a = {x: 1}\nif on:\n    a[n] = 2\nelse:\n    a[3] = 4\nb = list(a)\nreturn b[0] * 100 + b[-1] + len(a)"), "int"),
    (program("a = {x: 1, n: 2}\nreturn a[3]"), "int"),
    (program("return {1: 2, True: 3}[1]"), "int"),
    (program("a = {x: 1, n: 2}\nb = a.copy()\nb[3] = 7\ndel b[n]\nreturn len(a) * 10 + len(b) + b.pop(3, 0) + a.pop(5, 100)"), "int"),
    # More that dicts do
    (program("a = {'u': x, **{'v': n, 'u': 1}}\nreturn a['u'] * 100 + a['v']"), "int"),
    (program("a = {'u': x} | {'v': n, 'u': 1}\na |= {'w': 5}\na.update({'v': 2}, z=n)\nreturn sum(a.values()) * 10 + len(a)"), "int"),
    (program("a = dict([('u', x), ('v', n)], w=1)\nb = dict(a)\nb['u'] = 0\nreturn a['u'] + b['w'] + b['u']"), "int"),
    (program(WORD + "a = {'a': 1, 'b': 2}\nb = a.pop(word)\nreturn b * 10 + len(a)"), "int"),
    (program(WORD + "a = {'a': 1, 'b': 2}\ndel a[word]\na['a'] = 7\nreturn a['a'] + sum(a.values()) * 10"), "int"),
    (program(WORD + "a = {'a': 1}\na.clear()\na.setdefault(word, n)\nreturn a.setdefault('a', x)"), "int"),
    (program("a = b = [x]\nb.append(n)\nreturn len(a) * 100 + a[-1]"), "int"),
    # Defaults
    (program(WORD + "a = defaultdict(int)\na[word] += x\na[other] += n\nreturn a['a'] * 100 + len(a)"), "int"),
    (program(WORD + "a = defaultdict(Decimal)\nfor w, y in ((word, d), (other, r), (word, r)):\n    a[w] += y\nreturn a['a'] * 3 + a.get('c', Decimal(7))"), "decimal"),
    (program(WORD + "a = defaultdict(list)\nfor w, y in ((word, x), (other, n), (word, 3)):\n    a[w].append(y)\nreturn sum(a['a']) + len(a['c']) * 100 + len(a) * 1000"), "int"),
    (program(WORD + "a = defaultdict(list)\na[word].append(x)\na[other].append(n)\nb = {w: sum(ys, 1) for w, ys in a.items()}\nreturn b.get('a', 0) * 10 + b.get('c', 0) + len(b)"), "int"),
    (program("a = defaultdict(lambda: n)\na[x] -= 1\nreturn a[x] + a[3] + len(a) * 100"), "int"),
    (program("a = defaultdict(int)\nfor y in (x, n, 3):\n    a[y % 3] += y\nt = 0\nfor k in sorted(a):\n    t = 5 * t + a[k]\nreturn t"), "int"),
    (program("a = defaultdict(int)\nb = a['u']\nreturn b + len(a)"), "int"),
    (program("a = defaultdict(set)\na[x].add(1)\na[n].add(2)\na[x].add(n)\nreturn len(a[x]) * 10 + len(a[n]) + len(a[77])"), "int"),
    (program("a = defaultdict(int, )\nreturn dict(a) == {} and a == {}"), "bool"),
    # One of several lists
    (program("a, b = [x], [n, 1]\nc = a if on else b\nc.append(5)\nreturn len(a) * 100 + len(b) * 10 + sum(c)"), "int"),
    (program("a, b = [x], [n, 1]\nc = a if on else b\nreturn c[0] + c[-1] * 100 + (3 if 1 in c else 0)"), "int"),
    (program("a, b = {'u': x}, {}\nc = a if on else b\nc['u'] = n\nreturn a['u'] * 100 + len(b)"), "int"),
    (program("rows = [[x], [n]]\nrow = max(rows, key=lambda y: y[0])\nrow.append(1)\nreturn len(rows[0]) * 10 + len(rows[1])"), "int"),
    # Counters
    (program(WORD + "c = Counter([word, other, 'a'])\nreturn c['a'] * 100 + c['z'] * 10 + len(c) + c.total() * 1000"), "int"),
    (program(WORD + "c = Counter()\nc[word] += d\nc[other] += r\nreturn c.get('a', Decimal(0)) + c.get('c', d) * 3"), "decimal"),
    (program("c = Counter()\nfor y in (x, n, 3, n):\n    c[y] += 2\nt = 0\nfor k, v in c.items():\n    t = 3 * t + k * v\nreturn t + c[99]"), "int"),
    (program("c = Counter((x % 3, n % 3, 1))\nk, v = c.most_common()[0]\nreturn k * 10 + v"), "int"),
    (program("c = Counter((x % 3, n % 3, 1, 1))\nreturn sum(k * 10 + v for k, v in c.most_common(2)) + len(c.most_common(n)) * 1000"), "int"),
    (program("c = Counter([x])\nc.update([n, x])\nreturn c[x] * 10 + c[n] + (5 if 3 in c else 0) + len(c)"), "int"),
    # Queues
    (program("a = deque([x, n])\na.append(3)\na.appendleft(4)\nb = a.popleft() * 10 + a.pop()\nreturn b * 100 + len(a) + a[0] - a[-1]"), "int"),
    (program("a = deque()\nfor y in (x, n, 3, 5):\n    a.append(y)\n    while sum(a) > 10:\n        a.popleft()\nreturn len(a) * 100 + sum(a)"), "int"),
    (program("a = deque(y for y in (x, n, 3) if y > 2)\nreturn a.popleft() if a else -1"), "int"),
    (program("a = deque([1])\na.popleft()\nreturn a.popleft()"), "int"),
    (program("a = deque([x, n, 3])\na.reverse()\na.extend([7])\na.extendleft((8, 9))\nt = 0\nfor y in a:\n    t = t * 2 + y\nreturn t + (x in a)"), "int"),
    # Lists of varying length
    (program("a = [y for y in (x, n, 3) if y > 2]\nb = a.pop()\nreturn b * 10 + len(a)"), "int"),
    (program("a = [y for y in (x, n, 3) if y > 2]\na.remove(n)\nreturn sum(a) * 10 + len(a)"), "int"),
    (program("a = [x, n, x]\na.remove(x)\ndel a[-1]\nb = [1]\nb.clear()\nreturn sum(a) + len(b)"), "int"),
    (program("a = x\ndel a\na = n\nreturn a"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    # What they do not do
    program("a = defaultdict()\nreturn a['u']"),
    program("a = defaultdict(int)\nb = a['u'] if on else 0\nreturn b + len(a)"),
    program("a = defaultdict(int)\na[x]\nfor k in a:\n    a[k + 1]\nreturn len(a)"),
    program("return 1 if Counter([x]) == Counter([n]) else 0"),
    program("return (Counter([x]) + Counter([n]))[x]"),
    program("c = Counter({'a': 1})\nreturn c['a']"),
    program("a = deque([x], maxlen=1)\na.append(n)\nreturn a[0]"),
    program("a = deque([x, n])\nreturn a[0:1][0]"),
    program("return 1 if deque([x]) == [x] else 0"),
    program("a = {[x]: 1}\nreturn 1"),
    program("a = {float('nan'): 1}\nreturn a.get(float('nan'), n)"),
    # The order of keys that are put in here and there
    program(WORD + "a = {}\na[word] = 1\na[other] = 2\nt = 0\nfor k in a:\n    t = 2 * t + a[k]\nreturn t"),
    program(WORD + "a = {'a': 1, 'b': 2}\na.pop(word, 0)\na['a'] = 5\nreturn next(iter(a.values()))"),
    program(WORD + "a = {'a': 1, 'b': 2, 'c': 3}\ndel a[word]\na[word] = 5\nt = 0\nfor k in a:\n    t = 2 * t + a[k]\nreturn t"),
    # Lists that a loop goes through
    program("a, b = [x], [n, 1]\nc = a if on else b\nfor y in c:\n    a.append(y)\nreturn len(a)"),
    program("a = {x: 1}\nfor k in a:\n    a[n] = 2\nreturn len(a)"),
    program("a = deque([x])\nfor y in a:\n    a.append(n)\nreturn len(a)"),
    program("a, b = [x], [n]\nreturn len({a if on else b})"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "int")
