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
