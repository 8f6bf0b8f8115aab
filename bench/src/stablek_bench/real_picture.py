"""The picture of "How often are we wrong?": exact and within one, as bars."""

from __future__ import annotations

from collections.abc import Sequence

ROW, LEFT, WIDE, TOP = 24, 190, 360, 34
OURS, THEIRS = ("#1b6ca8", "#a8cbe4"), ("#6b6b6b", "#d4d4d4")


def picture(bars: Sequence[tuple[str, float, float]], sets: int) -> str:
    """Return an SVG with a bar per answerer: name, exact and within one in per cent."""
    lines = []
    for i, (who, exact, within) in enumerate(bars):
        y = TOP + ROW * i
        dark, light = OURS if i == 0 else THEIRS
        weight = ' font-weight="bold"' if i == 0 else ""
        lines.append(
            f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end"{weight}>'
            f"{who.replace('>', '&gt;')}</text>"
            f'<rect x="{LEFT}" y="{y + 2}" width="{WIDE * within / 100:.1f}" '
            f'height="{ROW - 7}" fill="{light}"/>'
            f'<rect x="{LEFT}" y="{y + 2}" width="{WIDE * exact / 100:.1f}" '
            f'height="{ROW - 7}" fill="{dark}"/>'
            f'<text x="{LEFT + WIDE * within / 100 + 6:.1f}" y="{y + 14}">'
            f"{exact:.0f} / {within:.0f} %</text>"
        )
    tall = TOP + ROW * len(bars) + 10
    wide = LEFT + WIDE + 80
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" '
        f'width="{wide}" height="{tall}" font-family="sans-serif" font-size="12" '
        'role="img" aria-label="Exact and within one, the verdict and its peers">'
        f'<rect width="{wide}" height="{tall}" fill="white"/>'
        f'<text x="{LEFT}" y="18">{sets} real sets: exact (dark), within one (light)'
        f"</text>{''.join(lines)}</svg>\n"
    )
