"""Figures that follow one slider over k: heat maps, maps of items, CDFs."""

from collections.abc import Sequence
from dataclasses import replace

from stablek.report.charts import figures
from stablek.report.charts.embed import plane
from stablek.report.charts.flow import strip
from stablek.report.charts.png import data_uri, palette_png, shades, shrink
from stablek.report.charts.scale import number
from stablek.report.charts.scatter import scatter, trust_class
from stablek.report.charts.strips import Strip, strips_of
from stablek.report.page.blocks import Explorer, Figure, Heat
from stablek.report.page.budget import Part
from stablek.report.page.explain import EXPLANATIONS
from stablek.report.page.look import Floats, Look, View, evenly_spaced
from stablek.report.page.markup import text_of

#: One character per cluster, so that labels of all ks take little room.
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

#: Annotations along a heat map.
MOST_STRIPS = 4

#: Sides of heat maps to try, the largest first.
SIDES = (400, 320, 260, 210, 170, 140, 115, 95, 75, 60, 45, 30, 16)


def explorer(one: Part) -> Explorer | None:
    """Return the figures of a result that follow the slider; None if there are none."""
    look, result = one.look, one.result
    if look is None:
        return None
    view = look.at(result.k_star) or look.views[0]
    above = annotation_strips(one, look)
    heats = heat_maps(look, view.k, one.share.heat, above)
    maps = _maps(one, look, view) if result.data is not None else []
    curves: list[Figure] = []
    if heats:
        drawing = figures.cdfs(look, view.k)
        curves.append(Figure("Distribution of consensus", drawing, EXPLANATIONS["cdf"]))
    if not maps and not curves:
        return None
    return Explorer(
        one.name,
        tuple(view.k for view in look.views),
        view.k,
        result.k_star,
        tuple(maps),
        heats,
        tuple(curves),
        " ".join(filter(None, (_stand_for(one, look), strip_note(above, view.k)))),
        EXPLANATIONS["heat"] if heats else None,
    )


def _stand_for(one: Part, look: Look) -> str:
    """Return which items the figures show, where these are not all."""
    word, left = one.drawn_word, look.n - look.drawn
    if look.sampled and left:
        return (
            f"{len(look.rows):,} of the {_looked_at(one, look)}, evenly spaced, "
            f"represent all {look.n:,} in these figures."
        )
    if look.sampled:
        return (
            f"{len(look.rows):,} of {look.n:,} items, evenly spaced, represent all in "
            "these figures."
        )
    if left:
        were = "1 item was" if left == 1 else f"{left:,} items were"
        return (
            f"{were} not {word}: not in the matrix, and on the maps in the colour of "
            "the nearest cluster."
        )
    return ""


def _looked_at(one: Part, look: Look) -> str:
    """Return how many items were drawn; a verdict counts copies of one once."""
    once = one.result.facts.get("judged", look.drawn)
    copies = ", copies included" if once != look.drawn else ""
    return f"{look.drawn:,} items {one.drawn_word}{copies}"


def explorer_data(one: Part) -> dict[str, object] | None:
    """Return labels and trust of the drawn items at every k, for the slider."""
    if one.look is None or one.result.data is None:
        return None
    drawn = evenly_spaced(len(one.look.rows), one.share.points)
    labels, trust = {}, {}
    for view in one.look.views:
        if view.labels.max() < len(LETTERS):
            labels[str(view.k)] = "".join(LETTERS[i] for i in view.labels[drawn])
        if view.standing is not None:
            own = view.standing.own[drawn]
            trust[str(view.k)] = "".join(trust_class(v)[1] for v in own)
    return {"labels": labels, "trust": trust}


def _maps(one: Part, look: Look, view: View) -> list[Figure]:
    data = one.result.data
    assert data is not None  # explorer() looked
    drawn = evenly_spaced(len(look.rows), one.share.points)
    rows = look.rows[drawn]
    if one.embedding is None:
        points, axes = plane(data, rows)
        meaning = EXPLANATIONS["map"]
    else:
        points, axes = one.embedding.points[rows], one.embedding.axes
        meaning = EXPLANATIONS["own-map"]
    labels = [int(i) for i in view.labels[drawn]]
    tips = [_tip(one, int(row), label) for row, label in zip(rows, labels, strict=True)]
    note = f"{len(rows):,} of {data.n:,} items" if len(rows) < data.n else ""
    name = f"Items in a plane, coloured by cluster at k = {view.k}"
    by_cluster = scatter(points, axes, labels, tips, name)
    alone = view.standing is None
    figures = [Figure("Items by cluster", by_cluster, meaning, wide=alone, note=note)]
    if view.standing is not None:
        own = [float(v) for v in view.standing.own[drawn]]
        tips = [
            f"{text_of(one.ids[int(row)], 60)}: {number(v)}"
            for row, v in zip(rows, own, strict=True)
        ]
        name = "Items in a plane, shaded by item consensus"
        by_trust = scatter(points, axes, labels, tips, name, shades=own)
        if look.drawn < look.n:
            known = f"trust is known for the {_looked_at(one, look)}"
            note = f"{note}; {known}" if note else known
        figures.append(
            Figure("Items by trust", by_trust, EXPLANATIONS["trust"], note=note)
        )
    return figures


def _tip(one: Part, row: int, label: int) -> str:
    text = f"{text_of(one.ids[row], 60)}\ncluster {label + 1}"
    if one.classes is not None:
        text += f"\nyour label: {text_of(one.classes[row], 60)}"
    return text


def annotation_strips(one: Part, look: Look) -> list[Strip]:
    """Return the first annotations of the items shown, if there are any."""
    data = one.result.data
    made = strips_of(() if data is None else data.annotations, MOST_STRIPS)
    if one.anonymous:
        made = [replace(row, levels=()) for row in made]
    return [row.at(look.rows) for row in made]


def strip_note(above: Sequence[Strip], k: int) -> str:
    """Return what the strips above the first heat map are."""
    names = ", ".join(f"'{text_of(row.name, 30)}'" for row in above)
    return f"Strips above the consensus matrix at k = {k}: {names}." if above else ""


def heat_maps(
    look: Look, now: int, room: int, above: Sequence[Strip] = ()
) -> tuple[Heat, ...]:
    """Return the heat maps, as large as the room allows; none if not known.

    The one shown first may be larger than the others, which share what is left, and
    has the annotations in ``above``.
    """
    images = {view.k: view.image for view in look.views if view.image is not None}
    if not images:
        return ()
    if now not in images:
        now = next(iter(images))
    first = _fitting([images[now]], room // 4)
    others = [image for k, image in images.items() if k != now]
    # A few of them tell how well all of them shrink.
    probe = others[:: max(len(others) // 5, 1)]
    share = (room - len(_encoded(images[now], first))) * len(probe)
    side = _fitting(probe, share // max(len(others), 1))
    heats = []
    for view in look.views:
        if view.image is None or view.order is None:
            continue
        mine = first if view.k == now else side
        heats.append(
            Heat(
                view.k,
                _encoded(view.image, mine),
                min(mine, len(view.image)),
                strip(view, above if view.k == now else ()),
                f"Consensus matrix at k = {view.k}, in the order of its dendrogram",
            )
        )
    return tuple(heats)


def _fitting(images: list[Floats], room: int) -> int:
    """Return the largest side at which the images fit into the room together."""
    largest = max((len(image) for image in images), default=0)
    for side in SIDES:
        if side > largest > SIDES[-1]:
            continue
        if sum(len(_encoded(image, side)) for image in images) <= room:
            return side
    return SIDES[-1]


def _encoded(image: Floats, side: int) -> str:
    return data_uri(palette_png(shades(shrink(image, side))))
