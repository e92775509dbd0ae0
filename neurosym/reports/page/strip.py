"""Where in the range of an input a candidate is wrong, as inline SVG: a column for each part of the range."""

from __future__ import annotations

from markupsafe import Markup, escape

from neurosym.reports.document import Strip
from neurosym.reports.page.plot import shown_text
from neurosym.safe_text import safe_text

_WIDTH, _HEIGHT = 360, 96
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 14, 10, 38


def plot_of_strip(strip: Strip) -> Markup:
    """The columns, as high as the share of wrong inputs in their part; empty where none is wrong."""
    highest = max((band.wrong / band.inputs for band in strip.bands if band.inputs), default=0.0)
    if not highest:
        return Markup()
    width, bottom = (_WIDTH - _LEFT - _RIGHT) / len(strip.bands), _HEIGHT - _BOTTOM
    parts = [
        f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{_WIDTH - _RIGHT}" y2="{y}"/>'
        f'<text x="{_LEFT - 6}" y="{y + 3.5:.1f}" text-anchor="end">{share:.3g}%</text>'
        for y, share in ((_TOP, 100 * highest), (bottom, 0.0))
    ]
    for place, band in enumerate(strip.bands):
        x = _LEFT + width * place
        if not band.inputs:
            parts.append(f'<path class="code" d="M{x + width / 4:.1f},{bottom + 4} h{width / 2:.1f}"/>')
        elif band.wrong:
            high = (bottom - _TOP) * band.wrong / band.inputs / highest
            parts.append(
                f'<rect class="bar" x="{x + width / 10:.1f}" y="{bottom - high:.1f}" width="{width * 0.8:.1f}" '
                f'height="{high:.1f}"/>'
            )
    ends = ((_LEFT, strip.bands[0].low, "start"), (_WIDTH - _RIGHT, strip.bands[-1].high, "end"))
    parts += [
        f'<text x="{x}" y="{bottom + 17}" text-anchor="{anchor}">{shown_text(text)}</text>' for x, text, anchor in ends
    ]
    name = escape(safe_text(strip.input, limit=40))
    parts.append(f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.1f}" y="{bottom + 32}" text-anchor="middle">{name}</text>')
    inside, label = "\n".join(parts), escape(safe_text(_label(strip), limit=400))
    return Markup(
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">\n{inside}\n</svg>'
    )


def _label(strip: Strip) -> str:
    """What is seen, for who does not see it."""
    wrong = [band for band in strip.bands if band.wrong]
    return (
        f"{strip.input} from {strip.bands[0].low} to {strip.bands[-1].high}: wrong inputs in {len(wrong)} of "
        f"{len(strip.bands)} equal parts, from {wrong[0].low} to {wrong[-1].high}"
    )
