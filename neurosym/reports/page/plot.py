"""A plot of a refutation as inline SVG: what the spec says, what the candidate returns, and where it is wrong.

Told apart by form and not by colour alone: a broad band, a thin line with dots, rings. Colours are the page's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from markupsafe import Markup, escape

from neurosym.reports.document import Point, Series, Slice
from neurosym.safe_text import safe_text

_WIDTH, _HEIGHT, _STRIP = 360, 220, 66
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 14, 14, 40
_TICKS = 4


def plot(slice_: Slice, label: str = "") -> Markup:
    """The drawing; empty where no number would be in it. ``label``: what it shows, for who does not see it."""
    points = [(place, each) for each in slice_.points if (place := _place(each.x)) is not None]
    values = [
        number for _, each in points for number in (_value(each.expected), _value(each.actual)) if number is not None
    ]
    at = _place(slice_.at)
    if len(points) < 2 or not values or at is None:
        return Markup()
    across = _scale(min(x for x, _ in points), max(x for x, _ in points), _LEFT, _WIDTH - _RIGHT)
    ticks = _ticks(min(values), max(values))
    up = _scale(ticks[0], ticks[-1], _HEIGHT - _BOTTOM, _TOP)
    errors = [(x, error) for x, each in points if (error := _error(each)) is not None]
    below = _STRIP if is_off(slice_) else 0
    label = label or (
        f"{len(points)} values of {slice_.input} from {slice_.points[0].x} to {slice_.points[-1].x}: the candidate "
        f"is wrong at {wrong(slice_)} of them; the counterexample is at {slice_.at}"
    )
    parts = [
        *_grid(ticks, up),
        *_across(slice_, points, at, across),
        *(f'<path class="spec" d="{path}"/>' for path in _paths([(x, e.expected) for x, e in points], across, up)),
        *(f'<path class="code" d="{path}"/>' for path in _paths([(x, e.actual) for x, e in points], across, up)),
        *_marks(points, across, up),
        *(_strip(errors, across) if below else ()),
    ]
    shown = escape(safe_text(label, limit=400))
    inside = "\n".join(parts)
    return Markup(
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT + below}" role="img" aria-label="{shown}">\n{inside}\n</svg>'
    )


def plot_of_series(series: Series) -> Markup:
    """The same of the entries of a list; what follows the first that departs is mostly wrong because of it, so that
    only that one is ringed."""
    first = next((each.x for each in series.points if not each.right), series.points[0].x)
    points = tuple(replace(each, right=each.right or each.x != first) for each in series.points)
    label = f"{series.name or 'the value'} of {series.entries} entries: {series.departing} depart, first entry {first}"
    return plot(Slice(input="entry", at=first, points=points), label)


def wrong(slice_: Slice) -> int:
    """At how many points the candidate is wrong."""
    return sum(not each.right for each in slice_.points)


def is_off(slice_: Slice) -> bool:
    """Whether a number of the candidate is another than that of the spec at any point."""
    return any(_error(each) for each in slice_.points)


def _grid(ticks: Sequence[float], up: Callable[[float], float]) -> Iterator[str]:
    for tick in ticks:
        y = up(tick)
        yield f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 3.5:.1f}" text-anchor="end">{escape(_label(tick, ticks))}</text>'


def _across(
    slice_: Slice, points: Sequence[tuple[float, Point]], at: float, across: Callable[[float], float]
) -> Iterator[str]:
    x, bottom = across(at), _HEIGHT - _BOTTOM
    yield f'<line class="at" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"/>'
    for place, text, anchor in ((_LEFT, points[0][1].x, "start"), (_WIDTH - _RIGHT, points[-1][1].x, "end")):
        if abs(across(at) - place) > 90:
            yield f'<text x="{place}" y="{bottom + 15}" text-anchor="{anchor}">{shown_text(text)}</text>'
    anchor = "start" if x < _LEFT + 40 else "end" if x > _WIDTH - _RIGHT - 40 else "middle"
    yield f'<text class="strong" x="{x:.1f}" y="{bottom + 15}" text-anchor="{anchor}">{shown_text(slice_.at)}</text>'
    middle, name = (_LEFT + _WIDTH - _RIGHT) / 2, escape(safe_text(slice_.input, limit=40))
    yield f'<text x="{middle:.1f}" y="{bottom + 32}" text-anchor="middle">{name}</text>'


def _paths(
    line: Sequence[tuple[float, str | None]], across: Callable[[float], float], up: Callable[[float], float]
) -> Iterator[str]:
    """The line in as many pieces as it has between points without a number."""
    piece: list[str] = []
    for x, text in (*line, (0.0, None)):
        value = _value(text)
        if value is not None:
            piece.append(f"{across(x):.1f},{up(value):.1f}")
        elif piece:
            yield f"M{' L'.join(piece)}" + (" h0.1" if len(piece) == 1 else "")
            piece = []


def _marks(
    points: Sequence[tuple[float, Point]], across: Callable[[float], float], up: Callable[[float], float]
) -> Iterator[str]:
    """A dot for each number of the candidate; where it is wrong a ring, or a cross where it has no number."""
    for x, each in points:
        expected, actual = _value(each.expected), _value(each.actual)
        if actual is not None:
            yield f'<circle class="dot" cx="{across(x):.1f}" cy="{up(actual):.1f}" r="1.8"/>'
        if each.right:
            continue
        if actual is not None:
            yield f'<circle class="ring" cx="{across(x):.1f}" cy="{up(actual):.1f}" r="5"/>'
        else:
            a, b = across(x), up(expected) if expected is not None else _HEIGHT - _BOTTOM
            yield f'<path class="cross" d="M{a - 4:.1f},{b - 4:.1f} l8,8 m0,-8 l-8,8"/>'


def _strip(errors: Sequence[tuple[float, float]], across: Callable[[float], float]) -> Iterator[str]:
    """Below: by how much the candidate is off, a stem for each value, so that a cent is seen beside a large result."""
    low, high = min(0.0, *(error for _, error in errors)), max(0.0, *(error for _, error in errors))
    up = _scale(low, high, _HEIGHT + _STRIP - 12, _HEIGHT + 12)
    yield f'<line class="grid" x1="{_LEFT}" y1="{up(0):.1f}" x2="{_WIDTH - _RIGHT}" y2="{up(0):.1f}"/>'
    for end in (low, high):
        if end:
            yield f'<text x="{_LEFT - 6}" y="{up(end) + 3.5:.1f}" text-anchor="end">{end:+,.6g}</text>'
    yield f'<text x="{_LEFT - 6}" y="{up(0) + 3.5:.1f}" text-anchor="end">0</text>'
    for x, error in errors:
        if error:
            yield f'<path class="stem" d="M{across(x):.1f},{up(0):.1f} V{up(error):.1f}"/>'


def _error(point: Point) -> float | None:
    """The candidate's number less the spec's; exact before it is a float."""
    if _value(point.expected) is None or _value(point.actual) is None:
        return None
    assert point.expected is not None
    assert point.actual is not None
    return float(Fraction(point.actual) - Fraction(point.expected))


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    width = high - low or 1.0
    return lambda value: start + (value - low) / width * (end - start)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers below, between and above."""
    width = high - low or abs(high) / 10 or 1.0
    size = 10.0 ** math.floor(math.log10(width / _TICKS))
    step = next(size * each for each in (1, 2, 5, 10) if size * each * _TICKS >= width)
    first = math.floor(low / step) if high > low else math.floor(low / step) - 1
    last = max(math.ceil(high / step), first + 2)
    return [step * each for each in range(first, last + 1)]


def _label(tick: float, ticks: Sequence[float]) -> str:
    step = ticks[1] - ticks[0]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{tick:,.{decimals}f}" if abs(tick) < 1e12 and decimals <= 6 else f"{tick:.4g}"


def _value(text: str | None) -> float | None:
    try:
        value = None if text is None else float(Fraction(text))
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
    return value


def _place(text: str) -> float | None:
    """Where on the axis: a number, or the day of a date."""
    value = _value(text)
    if value is not None:
        return value
    try:
        return float(date.fromisoformat(text).toordinal())
    except ValueError:
        return None


def shown_text(text: str) -> Markup:
    """A number with its thousands apart, anything else as it is."""
    try:
        shown = f"{Decimal(text):,}"
    except InvalidOperation:
        shown = text
    return escape(safe_text(shown, limit=24))
