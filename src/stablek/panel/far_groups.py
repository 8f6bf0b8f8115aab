"""Groups among the items far from every cluster, in all of a large data set.

A verdict judges a few thousand items drawn at random, and of a group of one in a
thousand hardly any is among them. Here all items are passed by in blocks. Those far
from every cluster are kept, up to a few thousand, and dense places among them are
candidates. A candidate is a group if there is a valley between it and the clusters: on
the line from a cluster to it, fewer items lie half way than at its end. A tail, however
heavy, falls from the centre outwards and has no valley.

The half of the items in which a candidate, the line and the valley were found is not
the half in which they are counted, and each half does both. So a valley that was picked
among many counts for nothing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.panel.surroundings import Surroundings, distances
from stablek.results.assign import fence

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]

#: Far items that are kept of each half, drawn at random if there are more.
MOST_FAR = 2000
CANDIDATES = 12
NEIGHBOURS = 5
ROUNDS = 8
#: An item belongs to a place if it is so many times as far from it as from any cluster.
CLOSER = 0.75

#: A line from a cluster (0) to a candidate (1) is cut in steps of 1 / STEPS.
STEPS = 32
#: Ends of the line that are counted: the cluster's middle, and half as far again.
LONGEST = 1.5
#: Widths of the two windows that are compared, in steps.
WIDTHS = (2, 4, 6, 8, 12)

#: A group's window holds so many times the items of the valley's, and more than chance
#: would put there, if both were as likely, with this probability.
DEEPER = 2.0
LEVEL = 1e-4


@dataclass(frozen=True, eq=False)
class Valley:
    """A valley on the line from a cluster to a candidate, found in one half.

    ``group`` and ``floor`` are where the two windows begin, in steps; ``width`` is how
    wide both are.
    """

    group: int
    floor: int
    width: int

    def counts(self, line: Labels) -> tuple[int, int]:
        """Return how many items of a line lie in the window of each."""
        at = (self.group, self.floor)
        high, low = (int(line[i : i + self.width].sum()) for i in at)
        return high, low

    @property
    def bottom(self) -> float:
        """The middle of the valley: 0 is the cluster's centre, 1 the candidate's."""
        return (self.floor + self.width / 2) / STEPS


def far_groups(
    values: NDArray[np.floating[Any]], around: Surroundings, streams: Streams
) -> Labels:
    """Return the group of every row, from 1 in order of size; 0 for all others."""
    half = streams("halves").integers(0, 2, len(values), dtype=np.int8).astype(bool)
    far = far_rows(values, around, streams)
    drawn = np.sort(np.concatenate([
        drawn_rows(far[half[far] == side], streams.under("drawn", int(side)))
        for side in (False, True)
    ]))  # fmt: skip
    rows = rows_of(values, around, streams, drawn)
    places = [
        dense_places(rows[half[drawn] == side], around.centres)
        for side in (False, True)
    ]
    one, other = matched(places[0], places[1], around.centres)
    if not len(one):
        return np.zeros(len(values), dtype=np.int64)
    lines = lines_to(values, around, streams, np.concatenate([one, other]), half)
    centres, bottoms = [], []
    for g in range(len(one)):
        bottom = valley_between(lines[g], lines[g + len(one)])
        if bottom is not None:
            centres.append((one[g] + other[g]) / 2)
            bottoms.append(bottom)
    if not centres:
        return np.zeros(len(values), dtype=np.int64)
    return members(values, around, streams, np.array(centres), np.array(bottoms))


def far_rows(
    values: NDArray[np.floating[Any]], around: Surroundings, streams: Streams
) -> Rows:
    """Return the rows that are beyond the fence of the nearest cluster."""
    parts = []
    for first, rows in around.blocks(values, streams):
        away = distances(rows, around.centres)
        cell = away.argmin(axis=1)
        far = away[np.arange(len(rows)), cell] > around.fences[cell]
        parts.append(first + np.flatnonzero(far))
    return np.concatenate(parts)


def drawn_rows(rows: Rows, streams: Streams) -> Rows:
    """Return some of the rows, drawn at random where there are too many."""
    if len(rows) <= MOST_FAR:
        return rows
    return np.sort(streams("far").permutation(rows)[:MOST_FAR])


def rows_of(
    values: NDArray[np.floating[Any]], around: Surroundings, streams: Streams, at: Rows
) -> Floats:
    """Return the coordinates of some rows."""
    parts = [np.empty((0, around.axes.shape[1]))]
    for first, rows in around.blocks(values, streams):
        here = slice(*np.searchsorted(at, [first, first + len(rows)]))
        parts.append(rows[at[here] - first])
    return np.concatenate(parts)


def dense_places(rows: Floats, centres: Floats) -> Floats:
    """Return places where far items lie close to one another.

    The first is around the item whose fifth neighbour is nearest, compared with how far
    the item is from the clusters. It moves to the mean of the items that are clearly
    closer to it than to any cluster. These are taken out, and the next is looked for.
    """
    away = distances(rows, centres).min(axis=1)
    square = distances(rows, rows)
    np.fill_diagonal(square, np.inf)
    left = np.ones(len(rows), dtype=bool)
    places: list[Floats] = []
    while len(places) < CANDIDATES and left.sum() > NEIGHBOURS:
        open_ = np.flatnonzero(left)
        between = square[np.ix_(open_, open_)]
        fifth = np.partition(between, NEIGHBOURS - 1, axis=1)[:, NEIGHBOURS - 1]
        start = int(np.argmin(fifth / away[open_] ** 2))
        near = np.argsort(between[start], kind="stable")[:NEIGHBOURS]
        place = rows[open_[near]].mean(axis=0)
        inside = np.zeros(len(rows), dtype=bool)
        for _ in range(ROUNDS):
            closer = left & (distances(rows, place[None])[:, 0] < CLOSER * away)
            if (closer == inside).all() or not closer.any():
                break
            inside = closer
            place = rows[inside].mean(axis=0)
        left &= ~inside
        left[open_[start]] = False
        if inside.sum() >= NEIGHBOURS:
            places.append(place)
    return np.array(places).reshape(len(places), rows.shape[1])


def matched(one: Floats, other: Floats, centres: Floats) -> tuple[Floats, Floats]:
    """Return the places that both halves have: nearest to each other, of all.

    They are one place if they are half as far from each other as from the clusters.
    """
    if not len(one) or not len(other):
        return one[:0], other[:0]
    away = distances(one, other)
    there, back = away.argmin(axis=1), away.argmin(axis=0)
    both = np.flatnonzero(back[there] == np.arange(len(one)))
    apart = distances(one[both], centres).min(axis=1)
    both = both[away[both, there[both]] <= apart / 2]
    return one[both], other[there[both]]


def lines_to(
    values: NDArray[np.floating[Any]],
    around: Surroundings,
    streams: Streams,
    ends: Floats,
    half: Flags,
) -> Labels:
    """Return how many items lie where on the lines from all clusters to these ends.

    Shape (ends, clusters, halves, steps). On the line from a cluster are the items
    nearest to it, and those that are nearer to the end than to any cluster and have the
    same nearest cluster as the end.
    """
    clusters, count = len(around.centres), len(ends)
    length = int(LONGEST * STEPS)
    lines = np.zeros((count, clusters, 2, length + 2), dtype=np.int64)
    homes = distances(ends, around.centres).argmin(axis=1)
    for first, rows in around.blocks(values, streams):
        away = distances(rows, around.centres)
        cell, least = away.argmin(axis=1), away.min(axis=1)
        mine = distances(rows, ends) < least[:, None]
        mine &= cell[:, None] == homes
        side = half[first : first + len(rows)]
        for c, centre in enumerate(around.centres):
            line = (ends - centre) / ((ends - centre) ** 2).sum(axis=1)[:, None]
            on = np.flatnonzero((cell == c) | mine.any(axis=1))
            step = np.floor((rows[on] - centre) @ line.T * STEPS)
            # What lies before or beyond the line goes to a step of its own.
            step = np.clip(step, -1, length).astype(np.int64) + 1
            for g in range(count):
                seen = (cell[on] == c) | mine[on, g]
                code = step[seen, g] + (length + 2) * side[on[seen]]
                counts = np.bincount(code, minlength=2 * (length + 2))
                lines[g, c] += counts.reshape(2, -1)
    return lines[..., 1:-1]


def valley_between(one: Labels, other: Labels) -> float | None:
    """Return where the valley is that parts a candidate from all clusters, if any.

    ``one`` are the lines to the place found in the first half, ``other`` those to the
    place found in the second; shape (clusters, halves, steps).
    """
    bottom = 0.0
    for c in range(len(one)):
        valleys = [valley_of(one[c, 0]), valley_of(other[c, 1])]
        first, second = valleys[0].counts(one[c, 1]), valleys[1].counts(other[c, 0])
        high, low = first[0] + second[0], first[1] + second[1]
        if high < DEEPER * low or chance(high, low) > LEVEL:
            return None
        bottom = max(bottom, (valleys[0].bottom + valleys[1].bottom) / 2)
    return bottom


def valley_of(line: Labels) -> Valley:
    """Return the two windows on a line whose counts differ most for their size."""
    best, valley = -np.inf, Valley(STEPS, 0, 1)
    below = np.append(0, np.cumsum(line))
    for width in WIDTHS:
        group = STEPS - width // 2
        high = below[group + width] - below[group]
        floors = np.arange(group - width + 1)
        low = below[floors + width] - below[floors]
        score = (high - low) / np.sqrt(high + low + 1)
        at = int(np.argmax(score))
        if score[at] > best:
            best, valley = float(score[at]), Valley(group, int(floors[at]), width)
    return valley


def chance(high: int, low: int) -> float:
    """Return how likely so many are in one of two windows that are equally likely."""
    from scipy.special import bdtrc

    return float(bdtrc(high - 1, high + low, 0.5)) if high else 1.0


def members(
    values: NDArray[np.floating[Any]],
    around: Surroundings,
    streams: Streams,
    centres: Floats,
    bottoms: Floats,
) -> Labels:
    """Return the group of every row, numbered from 1 by size; 0 for none.

    A member is nearer to the group's centre than to any other, beyond the valley on the
    line from its nearest cluster, and no farther from the centre than Tukey's fence.
    """
    group = np.zeros(len(values), dtype=np.int64)
    reach = np.zeros(len(values), dtype=np.float32)
    for first, rows in around.blocks(values, streams):
        away = distances(rows, around.centres)
        cell = away.argmin(axis=1)
        to = distances(rows, centres)
        own = to.argmin(axis=1)
        near = np.flatnonzero(to.min(axis=1) < away.min(axis=1))
        origin = around.centres[cell[near]]
        line = centres[own[near]] - origin
        along = ((rows[near] - origin) * line).sum(axis=1) / (line**2).sum(axis=1)
        near = near[along > bottoms[own[near]]]
        group[first + near] = own[near] + 1
        reach[first + near] = to[near, own[near]]
    for g in range(1, len(centres) + 1):
        inside = np.flatnonzero(group == g)
        if len(inside):
            group[inside[reach[inside] > fence(reach[inside].astype(float))]] = 0
    sizes = np.bincount(group, minlength=len(centres) + 1)[1:]
    rank = np.zeros(len(centres) + 1, dtype=np.int64)
    rank[1 + np.argsort(-sizes, kind="stable")] = np.arange(1, len(centres) + 1)
    return rank[group]
