"""Random programs in which names share what they stand for, and in which one thing raises while another is under way."""

# ruff: noqa: E501
from __future__ import annotations

from tests.verifiers.wide_programs import WideWriter

_STATEMENTS: tuple[str, ...] = (
    # One of several lists, sets, dicts, and what is changed in place
    "one = {N:L} if {b} else ys\none += {L}\n{N:i} += len({N:L}) + len(ys)",
    "small, large = [], [{i}]\none = small if {b} else large\none += [{i}]\n{N:i} += len(small) * 10 + sum(large)",
    "both = {{'a': [{i}], 'b': []}}\none = both['a' if {b} else 'b']\none += [{i}]\n{N:i} += sum(both['a']) * 10 + len(both['b'])",
    "some = {{'a': [{i}]}}\none = some.get({s})\ntry:\n    one += [{i}]\nexcept TypeError:{B}\n{N:i} += len(some['a'])",
    "some = {{'a': [{i}]}}\none = some.get({s}, ys)\none += {L}\n{N:i} += len(some['a']) * 10 + len(ys)",
    "one = {N:L} or [{i}]\none += [{i}]\n{N:i} += len({N:L}) * 10 + len(one)", "one = {N:L} and ys\none += [{i}]\n{N:i} += sum(ys) - len(one)",
    "one = max({N:L}, ys, key=len)\none += [{i}]\n{N:i} += len({N:L}) * 10 + len(ys)", "one = max({N:L}, ys)\none.append({i})\n{N:i} += sum(ys)",
    "rest = [{L}, {L}]\nrest.sort()\none = rest[0]\none += [{i}]\n{N:i} += len(rest[0]) + 10 * len(rest[1])",
    "rest = [[{i}], [{i}, {i}]]\none = rest[{k}]\none += [{i}]\n{N:i} += len(rest[0]) + 10 * len(rest[1])",
    "rest = [[{i}], [{i}, {i}]]\none = rest[0 if {b} else 1]\none += [{i}]\n{N:i} += len(rest[0]) + 10 * len(rest[1])",
    "def same(zs):\n    return zs\none = same({N:L})\none += [{i}]", "def pick(p, q):\n    return p if {b} else q\none = pick({N:L}, ys)\none += [{i}]",
    "one = two = []\none += [{i}]\n{N:i} += len(two)", "for zs in ([{i}], ys, {N:L}):\n    zs += [{i}]", "for zs in sorted([[{i}], [{i}]]):\n    zs += [{i}]\n    {N:i} += len(zs)",
    "own = {{}}\nfor z in {L}:\n    one = own[z] = []\n    one += [{i}]\n{N:i} += sum(map(len, own.values()))",
    "own = defaultdict(list)\none = own[{i}]\none += [{i}]\n{N:i} += len(own) * 10 + sum(own[{i}])",
    "p, q = {N:L}, list({L})\nif {b}:\n    p, q = q, p\np += [{i}]\n{N:i} += len({N:L}) * 10 + len(q)",
    "one = {N:D} if {b} else {{}}\none |= {D}\n{N:i} += len({N:D})", "one = {N:D}\none |= {D}\n{N:i} += len({N:D})",
    "p, q = {{{i}}}, {{{i}, {i}}}\none = p if {b} else q\none |= {{{i}}}\n{N:i} += len(p) * 10 + len(q)",
    "p, q = {{{i}}}, {{{i}, {i}}}\none = (p if {b} else q) | {{{i}}}\ntwo = one\none |= {{{i}}}\n{N:i} += len(two) * 10 + len(p) + len(q)",
    "p, q = {{{i}}}, {{{i}, {i}}}\none = p if {b} else q\none -= {{{i}}}\n{N:i} += len(p) * 10 + len(q)",
    "p, q = {{'a'}}, {{'b', {s}}}\none = p if {b} else q\none &= {{{s}}}\n{N:i} += len(p) * 10 + len(q)",
    "one = {{{i}: 1}}.keys() | {{{i}}}\ntwo = one\none |= {{{i}}}\n{N:i} += len(two) * 10 + len(one)",
    "one = {N:D}.keys() & {{{s}}}\ntwo = one\none |= {{{s}}}\n{N:i} += len(two) * 10 + len(one)",
    "one = frozenset({L})\ntwo = one\none |= {{{i}}}\n{N:i} += len(two) * 10 + len(one)", "one = ({i}, {N:L})\none[1].append({i})", "one = ({i},)\ntwo = one\none += ({i},)\n{N:i} += len(two)",
    "cc = Counter({L})\ntry:\n    cc |= Counter({L})\nexcept {X}:{B}\n{N:i} += sum(cc.values())", "cc = Counter({L})\ndel cc[{i}]\n{N:i} += len(cc)", "cc = Counter({L})\ntwo = cc\ncc += Counter({L})\n{N:i} += len(two)",
    "cc = Counter({L})\ncc.pop({i}, None)\n{N:i} += len(cc)", "cc = Counter({L})\ntry:\n    cc.pop({i})\nexcept KeyError:{B}", "cc = Counter({L})\ncc[{i}] -= 1\n{N:i} += len(cc) + cc.total()",
    "dd = defaultdict(int)\ntry:\n    dd[{i}] += {i} // {i}\nexcept {X}:\n    pass\n{N:i} += len(dd)", "dd = defaultdict(int)\ndel dd[{i}]", "dd = defaultdict(int)\ntry:\n    dd[{i}] += cap\nexcept TypeError:\n    pass\n{N:i} += len(dd)",
    "def add(z, acc=[]):\n    acc.append(z)\n    return len(acc)\n{N:i} += add({i}) * 10 + add({i})", "def put(acc, z):\n    acc += [z]\n    return acc\none = put({N:L}, {i})\none.append({i})",
    "one = [{N:L}] * 2\none[0] += [{i}]\n{N:i} += len(one[1])", "one = [*{N:L}]\none += [{i}]\n{N:i} += len({N:L})", "one = {N:L}\none *= 2\n{N:i} += len({N:L})", "one = {N:L}\none[:] = {L}\n{N:i} += sum({N:L})",
    # What raises, where, and what is caught
    "try:{B}except {X} as e1:\n    raise\nelse:{B}", "try:\n    try:{BB}    except {X} as e1:\n        raise ValueError from e1\nexcept {X}:{B}", "try:\n    try:{BB}    except {X} as e1:\n        {N:i} += 12 // {i}\nexcept {X}:\n    {N:i} += 1",
    "try:\n    {N:i} += 12 // {i}\nexcept ZeroDivisionError:\n    try:\n        {N:i} += {L}[{i}]\n    finally:\n        raise",
    "try:\n    {N:i} += 12 // {i}\nexcept ZeroDivisionError:\n    try:\n        {N:i} += {L}[{i}]\n    except IndexError:\n        raise\n    {N:i} += 1",
    "try:\n    {N:i} += 12 // {i}\nexcept ZeroDivisionError:\n    try:\n        {N:i} += {L}[{i}]\n    except IndexError:\n        {N:i} += 1\n    raise",
    "try:\n    try:\n        {N:i} += 12 // {i}\n    finally:\n        {N:i} += {L}[{i}]\nexcept {X}:{B}", "for z in {L}:\n    try:\n        {N:i} += 12 // z\n    finally:\n        if z > {i}:\n            break",
    "for z in {L}:\n    try:\n        {N:i} += 12 // z\n    except ZeroDivisionError:\n        continue\n    finally:\n        {N:i} += 1\n    {N:i} += 2",
    "try:\n    return {R}\nexcept {X}:\n    {N:i} += 1\nfinally:\n    {N:L}.append(7)\n    {N:i} += 1", "def late():\n    try:\n        return 12 // {i}\n    finally:\n        {N:L}.append({i})\ntry:\n    {N:i} = late()\nexcept {X}:\n    {N:i} += 1",
    "def over():\n    for z in {L}:\n        try:\n            return 12 // z\n        finally:\n            if {b}:\n                return {i}\n    return 5\n{N:i} += over()",
    "assert {b}, {i} // {i}", "assert {b}, 'no'", "assert {b}, f'''{{ {i} // {i} }}'''", "try:\n    assert {b}, {L}[{i}]\nexcept {X}:{B}", "if {b}:\n    raise ValueError({L}[{i}])", "if {b}:\n    raise KeyError(f'''{{ {i} // {i} }}''')",
    "try:\n    {N:i} += len({{{i}, ({i},), {i}}})\nexcept TypeError:{B}", "try:\n    {N:i} += len({{{i}, {L}}})\nexcept TypeError:\n    {N:i} += 1", "try:\n    {N:i} += len({{{i}: 1, ({i}, {L}): 2}})\nexcept TypeError:\n    {N:i} += 1",
    "{N:i} += sum((12 // z for z in {L}), 7 // {i})", "{N:i} = max((12 // z for z in {L}), default=7 // {i})", "{N:i} += sorted((12 // z for z in {L}), key=lambda z: 7 // z)[0]",
    "{N:i} += sum((12 // z for z in {L}), {L}[{i}])", "{N:i} += sum(map(lambda z: 12 // z, {L}), {L}[{i}])", "try:\n    {N:i} += sum((12 // z for z in {L}), {L}[{i}])\nexcept {X}:\n    {N:i} -= 1",
    "def fee():\n    if {b}:\n        raise KeyError\n    return {i}\ntry:\n    {N:i} += sum((12 // z for z in {L}), fee())\nexcept {X}:\n    {N:i} -= 1",
    "def fee():\n    {N:L}.append({i})\n    return 1\n{N:i} += sum((z for z in {N:L}), fee())", "def fee():\n    {N:L}.append({i})\n    return 1\n{N:i} += len({N:L}) * 10 + fee() * 100 + len({N:L})",
    "def two(p, q):\n    return p * 10 + q\n{N:i} += two({L}[{i}], 12 // {i})", "try:\n    {N:i}, {N:i} = {L}[{i}], 12 // {i}\nexcept {X}:{B}", "{N:L}[{i}] = 12 // {i}", "try:\n    {N:L}[{i}] += 12 // {i}\nexcept {X}:\n    {N:i} += 1",
    "{N:i} = (w := {i}) + w * {i}", "if (w := {i}) > 2 and w < {i}:\n    {N:i} += w", "{N:i} += sum(w for z in {L} if (w := z * 2) > {i})", "try:\n    {N:i} += w\nexcept NameError:\n    {N:i} += 1",
    "if {b}:\n    w = {i}\ntry:\n    {N:i} += w\nexcept UnboundLocalError:\n    {N:i} += 1", "w = {i}\ntry:\n    {N:i} += 12 // {i}\nexcept ZeroDivisionError as w:\n    pass\ntry:\n    {N:i} += w\nexcept NameError:\n    {N:i} += 5",
    "match Share({i}, {i}):\n    case Share(i1) if i1 > 0:{BB}    case Share(a=i1, b=i2):{BB}", "match [{i}, {i}]:\n    case [0, *L1] | [*L1, 0]:{BB}    case [i1, i2] if 12 // i1 > 1:{BB}    case _:{BB}",
    "match {D}:\n    case {{'a': i1}} if i1 > 0:{BB}    case {{'b': i1, **D1}}:{BB}    case _:{BB}", "one = [{L}, {L}]\nif one[0] != one[1]:\n    {N:i} += 1", "if [z for z in {L} if {b}] == [z for z in {L} if {b}]:\n    {N:i} += 1",
    # What is done where a function is made, and which names it has
    "def g(p=12 // {i}, *, q={L}[{i}]):\n    return p + q\n{N:i} += g({i}, q={i})", "g = lambda p, q=12 // {i}: p + 1\n{N:i} += g({i}, {i})", "def g(p={N:L}.pop()):\n    return p\n{N:i} += g({i}) + len({N:L})",
    "for z in {L}:\n    def g(p=12 // z):\n        return p\n    {N:i} += g(z)", "try:\n    def g(p: 'int', q: int | None = 12 // {i}) -> list[int]:\n        return [p]\n    {N:i} += g({i}, 1)[0]\nexcept {X}:{B}",
    "{N:i} += sorted({L}, key=lambda p, q={i}: p * q)[0]", "{N:i} += sum(map(lambda p, q=12 // {i}: p, {L}))", "def g(z):\n    del z\n    return z\ntry:\n    {N:i} += g({i})\nexcept NameError:\n    {N:i} += 1",
    "if {b}:\n    del {N:i}", "z = {i}\ndel z\ntry:\n    {N:i} += z\nexcept NameError:\n    {N:i} += 1", "z = {L}\n{N:i} += sum(z for w in {L} for z in z)", "{N:i} += sum(w * z for w in {L} for z in [w for w in {L} if w > z] if z > 1)",
    "{N:i} += sum(v for w in [{L}, {L}] for v in w)", "{N:i} += len([z for z in {L} if z for z in (z, 1)])", "z = {i}\n{N:L} = [z for z in [z, {i}]]\n{N:i} += z", "w = {L}\n{N:L} = [w for w in w if w > {i}]\n{N:i} += len(w)",
    # Dicts, and what lies in them, of which there are several
    "dd = defaultdict(list)\ndd[{s}].append({i})\nee = dd.copy()\nee[{s}].append({i})\ndd[{s}].append({i})\n{N:i} += len(dd[{s}]) * 10 + len(ee[{s}]) + len(dd) + len(ee)",
    "dd = defaultdict(list)\ndd[{s}].append({i})\nee = dict(dd)\nee.setdefault({s}, []).append({i})\ndd[{s}].append({i})\n{N:i} += sum(map(len, dd.values())) * 10 + sum(map(len, ee.values()))",
    "dd = defaultdict(list)\ndd[{s}].append({i})\nee = {{**dd}}\nee.setdefault({s}, []).append({i})\n{N:i} += len(dd[{s}]) * 10 + len(ee)", "dd = defaultdict(set)\ndd[{s}].add({i})\nee = dd.copy()\nee[{s}].add({i})\n{N:i} += len(dd[{s}]) * 10 + len(ee[{s}])",
    "dd = defaultdict(list)\nif {b}:\n    dd[{s}].append({i})\nee = dd.copy()\nzs = ee[{s}]\nzs.append({i})\ndd[{s}].append({i})\n{N:i} += len(zs) * 10 + len(dd[{s}])", "dd = defaultdict(dict)\ndd[{s}][{s}] = {i}\nee = dd.copy()\nee[{s}][{s}] = {i}\n{N:i} += sum(dd[{s}].values()) + len(ee)",
    "dd = defaultdict(list)\nfor tag, q, _ in rows:\n    dd[tag].append(q)\nzs = dd.get({s})\nif zs is not None:\n    zs.append({i})\n{N:i} += sum(map(sum, dd.values()))", "dd = defaultdict(list)\ndd[{s}].append({i})\nzs = dd.get({s}, [])\nzs.append({i})\n{N:i} += len(dd[{s}]) * 10 + len(dd) + len(zs)",
    "dd = defaultdict(list)\ndd[{s}] = zs = [{i}]\nzs.append({i})\ndd[{s}].append({i})\n{N:i} += len(zs) * 10 + len(dd[{s}])", "dd = defaultdict(list)\nfor zs in (dd[{s}], dd[{s}]):\n    zs.append({i})\n{N:i} += len(dd[{s}]) * 10 + len(dd)",
    "dd = {{'a': [{i}]}}\nee = dd.copy()\nee['a'].append({i})\nee['b'] = [{i}]\n{N:i} += len(dd['a']) * 10 + len(dd)", "dd = {{}}\nfor z in {L}:\n    dd.setdefault(z, []).append({i})\nfor zs in dd.values():\n    zs.append(1)\n{N:i} += sum(map(sum, dd.values()))",
    "dd = {{{s}: [{i}], {s}: [{i}, {i}]}}\none = dd.pop({s}, [])\none.append({i})\n{N:i} += len(one) * 10 + sum(map(len, dd.values()))", "dd = {{{s}: {i}}}\ndd.update({D})\ndd |= {{{s}: {i}}}\n{N:i} += dd[{s}] + len(dd)", "dd = {{**{D}, **{N:D}}}\n{N:D}[{s}] = {i}\n{N:i} += dd.get({s}, 0) + len(dd)",
    "{N:L}[{k}], {N:L}[0] = {N:L}[0], {N:L}[{k}]", "zs = [[{i}], [{i}]]\nzs[0], zs[1] = zs[1], zs[0]\nzs[{k}].append({i})\n{N:i} += len(zs[0]) * 10 + len(zs[1])", "zs = [{N:L}, ys]\n(zs[0] if {b} else zs[1]).append({i})\n{N:i} += len(zs[0]) + len(ys)",
    "def grow(zs, z):\n    if z > 0:\n        zs.append(z)\n        grow(zs, z - 2)\n    return zs\n{N:i} += len(grow({N:L}, {i}))", "def grow():\n    {N:L}.append({i})\n    return {N:L}\ngrow().append({i})\n{N:i} += len({N:L})",
    "zs = [{L} for _ in range(2)]\nzs[0].append({i})\n{N:i} += len(zs[1])", "first, *rest = [{N:L}, ys, {L}]\nrest[0].append({i})\nfirst.append({i})\n{N:i} += len({N:L}) + len(ys)", "(p, q), r = ({L}, {N:L}), {i}\nq.append(r)\np += q\n{N:i} += len(p)",
    # Arguments in odd places
    "try:\n    {N:i} += sum({L}, {i}, start={i})\nexcept TypeError:\n    {N:i} += 1", "try:\n    {N:i} += len(sum([{s}, {s}], ''))\nexcept TypeError:\n    {N:i} += 1", "try:\n    {N:i} += list(reversed({{{i}}}))[0]\nexcept TypeError:\n    {N:i} += 1",
    "try:\n    match Share({i}, {i}):\n        case Share(1, a=1):\n            {N:i} += 1\nexcept TypeError:\n    {N:i} += 2", "try:\n    raise OSError({i}, 'no')\nexcept FileNotFoundError:\n    {N:i} += 1\nexcept OSError:\n    {N:i} += 2", "try:\n    raise UnicodeDecodeError('no')\nexcept ValueError:\n    {N:i} += 1\nexcept TypeError:\n    {N:i} += 2",
)  # fmt: skip


class SharingWriter(WideWriter):
    """Writes one random program over the same inputs; most of its statements are of these forms."""

    def _statement(self, depth: int) -> str:
        if self._rng.random() < 0.4:
            return super()._statement(depth)
        form = self._rng.choice(_STATEMENTS)
        while depth <= 0 and any(hole in form for hole in ("{B}", "{BB}")):
            form = self._rng.choice(_STATEMENTS)
        return self._filled(form, depth, 2)
