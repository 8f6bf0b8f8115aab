"""One set of the study: what the verdict says, what it read, and what peers say."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.api.verdict import NULL_SETS, REPEATS, in_coordinates, wanted_ks
from stablek.data import as_dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution, single_blas
from stablek.kernels.contingency import contingency
from stablek.panel.answer import Judged
from stablek.panel.borders import Borders
from stablek.panel.choice import COEFFICIENTS, agreements, evidence_of
from stablek.panel.connected import groups_of
from stablek.panel.decide import decide
from stablek.panel.gate import LEVEL
from stablek.panel.look import look
from stablek.panel.panel import Panel, halves, run_panel
from stablek.panel.prepare import prepare
from stablek.panel.scale import STANDARDISED, Scale, scale_of
from stablek.paradigm.indices import INDICES
from stablek.results.trust import nested
from stablek.results.verdict import Verdict
from stablek_bench.real_peers import (
    LARGEST,
    RAW,
    STRENGTH,
    gap_rule,
    hdbscan,
    peers_on_values,
)
from stablek_bench.real_sets import RealCase, make

Floats = NDArray[np.float64]

#: Parts in which no clusters are: the panel is asked only where the gate is open.
WITHOUT = ("null", "residual", "class", "continuum")
#: Parts of which only the verdict is kept.
JUDGED_ONLY = ("order", "seed", "no", "fresh", "unequal")
#: A peer that is told the answer.
TOLD = "K-means, told the true number"
#: Parts that peers are asked about.
WITH_PEERS = ("fair", "half", "mixture", "plasmode")


@dataclass(frozen=True)
class RealOutcome:
    """What was said about one set.

    ``terms`` are what the choice reads, of all draws and of every other one: for each,
    one row per k and one column per coefficient. ``ari`` is the adjusted Rand index of
    the partition at each k with the true labels, ``alike`` that of every two of them,
    ``nested`` the share of the items that the coarser of two partitions keeps together.
    Of a peer its k and its own index.
    """

    case: RealCase
    n: int
    m: int
    k_true: int
    k: int
    strength: str
    p: float | None
    p_by: dict[str, float]  # of each statistic of the gate alone
    lead: float | None  # of the silhouette, in standard deviations of null sets
    valley: float | None  # at the clearest border of the best partition
    comes_back: float  # the largest prediction strength
    gap: float | None
    p_connected: float | None
    most: str  # the strength that the gate allows
    k_as_given: int | None  # the answer for the columns as given, if they were scaled
    shape: str
    scale: str
    levels: tuple[int, ...] = ()
    ari_verdict: float = 0.0
    guess: int = 1
    ks: tuple[int, ...] = ()
    ari: tuple[float, ...] = ()
    terms: dict[str, list[list[float]]] = field(default_factory=dict)
    alike: list[list[float]] = field(default_factory=list)
    nested: list[list[float]] = field(default_factory=list)
    peers: dict[str, tuple[int, float]] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> RealOutcome:
        """Return the outcome that :meth:`to_dict` wrote."""
        rest = {name: value for name, value in found.items() if name != "case"}
        for name in ("levels", "ks", "ari"):
            rest[name] = tuple(rest[name])
        rest["peers"] = {who: (k, a) for who, (k, a) in rest["peers"].items()}
        return cls(case=RealCase(**found["case"]), **rest)


def seen(
    values: Floats, seed: int, *, ask: str = "all", scaling: Scale | None = None
) -> tuple[Judged, Scale]:
    """Return what a verdict looks at, and how it scales the columns.

    ``ask`` "all" runs gate and panel, as :func:`stablek.verdict` does; "panel" leaves
    the gate out; "gate" runs the panel only where the gate may claim something, with
    these thresholds or with others that are tried. ``scaling`` is that of the verdict
    unless it is given.
    """
    streams, how = Streams(seed, ("verdict",)), Execution(1)
    given = as_dataset(values, "euclidean")
    scaling = scale_of(given) if scaling is None else scaling
    order, _, data = in_coordinates(given, "euclidean", scaling, streams)
    prepared = prepare(data.values, streams.under("prepare"))
    found = None
    if ask != "panel":
        prepared, found = look(
            prepared, data.values, streams, sets=NULL_SETS, seed=seed, execution=how
        )
    judged = Judged(given, order.place, data.values, prepared, streams, found)
    claims = found is not None and found.open(LEVEL)
    if found is not None and found.gaps(LEVEL):
        claims = claims or groups_of(judged) is not None
    panel = None
    if claims or ask != "gate":
        ks = wanted_ks(None, len(prepared.rows))
        panel = run_panel(prepared, ks, repeats=REPEATS, seed=seed, execution=how)
    return replace(judged, panel=panel), scaling


def better_look(values: Floats, seed: int, *, ask: str) -> tuple[Judged, Scale]:
    """Return what a verdict looks at, with columns scaled or as given.

    Columns are standardised unless only the columns as given show clusters.
    """
    judged, scaling = seen(values, seed, ask=ask)
    claims = claims_clusters(judged, scaling)
    if not scaling.steps or not (claims or scaling.steps == STANDARDISED):
        return judged, scaling
    given = seen(values, seed, ask=ask, scaling=Scale())
    if claims or not claims_clusters(*given):
        k = decided(*given).k if given[0].panel is not None else 1
        return replace(judged, k_as_given=k), scaling
    return given


def claims_clusters(judged: Judged, scaling: Scale) -> bool:
    """Tell whether the verdict on what was seen is more than one cluster."""
    return judged.panel is not None and decided(judged, scaling).k != 1


def decided(judged: Judged, scaling: Scale) -> Verdict:
    """Return the verdict on what was seen."""
    common: dict[str, Any] = {
        "ids": judged.data.item_ids(), "n": judged.data.n,
        "settings": {"null_sets": NULL_SETS},
    }  # fmt: skip
    return decide(judged, None, scaling, common, level=LEVEL, execution=Execution(1))


def run_case(folder: Path, case: RealCase) -> RealOutcome | None:
    """Return the outcome of one case; None where the set cannot be made."""
    made = make(folder, case)
    if made is None:
        return None
    values, truth = made
    ask = "gate" if case.part in WITHOUT else "all"
    ask = "panel" if case.part == "plasmode" else ask
    began = time.perf_counter()
    with single_blas():
        judged, scaling = better_look(values, case.seed, ask=ask)
        facts: dict[str, Any] = {
            "case": case, "n": len(values), "m": values.shape[1],
            "k_true": len(np.unique(truth)), "scale": scaling.used,
            "p": judged.gate.p if judged.gate else None,
            "p_by": judged.gate.p_by if judged.gate else {},
            "lead": round(judged.gate.lead, 4) if judged.gate else None,
            "p_connected": judged.gate.p_connected if judged.gate else None,
            "gap": round(judged.gate.gap, 4) if judged.gate else None,
            "k_as_given": judged.k_as_given,
        }  # fmt: skip
        if judged.panel is None:
            hint = judged.gate is not None and judged.gate.suggestive
            word = "suggestive" if hint else "none"
            spent = time.perf_counter() - began
            return RealOutcome(
                **facts, k=1, strength=word, most=word, shape="", valley=None,
                comes_back=0.0,
                seconds=round(spent, 3),
            )  # fmt: skip
        said = decided(judged, scaling)
        spent = time.perf_counter() - began
        valley = said.facts.get("valley", 0.0)
        facts |= {
            "k": said.k, "strength": said.strength, "shape": said.facts["shape"],
            "valley": round(valley, 4), "comes_back": round(judged.panel.comes_back, 4),
            "most": judged.gate.at_most(
                "strong", continuum=Borders(valley).continuum
            ) if judged.gate else "strong",
            "levels": tuple(one.k for one in said.levels),
            "guess": judged.panel.choice.k, "seconds": round(spent, 3),
            "ari_verdict": _ari(truth, said.labels),
        }  # fmt: skip
        if case.part in WITHOUT or case.part in JUDGED_ONLY:
            return RealOutcome(**facts)
        facts |= _evidence(judged, truth)
        if case.part in WITH_PEERS:
            facts["peers"] = _peers(values, truth, judged)
    return RealOutcome(**facts)


def _ari(truth: NDArray[Any], labels: NDArray[Any]) -> float:
    found = np.unique(labels, return_inverse=True)[1]
    return round(float(INDICES["adj"](contingency(truth, found))), 6)


def _evidence(judged: Judged, truth: NDArray[np.int64]) -> dict[str, Any]:
    """Return what the choice reads, and how good every k would be."""
    panel = judged.panel
    assert panel is not None
    parts = panel.partitions
    curves = {name: one.curve for name, one in panel.outcomes.items()}
    curves |= halves(panel.outcomes["prediction"])
    n = parts.shape[1]
    terms = {}
    for half in ("", "a", "b"):
        found = evidence_of(panel.ks, curves, n, half).terms()
        rows = np.column_stack([found[name] for name in COEFFICIENTS])
        terms[half or "all"] = np.round(rows, 5).tolist()
    together = [
        [
            round(nested(parts[min(i, j)], parts[max(i, j)]), 3)
            for j in range(len(parts))
        ]
        for i in range(len(parts))
    ]
    return {
        "ks": panel.ks,
        "ari": tuple(_ari(truth, judged.of_all(panel.at(k))) for k in panel.ks),
        "terms": terms,
        "alike": np.round(agreements(parts), 5).tolist(),
        "nested": together,
    }


def _peers(
    values: Floats, truth: NDArray[np.int64], judged: Judged
) -> dict[str, tuple[int, float]]:
    """Return what peers say: their k, and their own adjusted Rand index."""
    panel = judged.panel
    assert panel is not None
    ks, streams = panel.ks, Streams(0, ("peers",))
    plain = panel.outcomes["silhouette"].cube.at(ks).labels[0, :, 0].astype(np.int64)
    ari = [_ari(truth, judged.of_all(part)) for part in plain]
    rows = np.arange(len(values))
    if len(values) > LARGEST:
        rows = np.sort(streams("rows").permutation(len(values))[:LARGEST])
    some, own = np.ascontiguousarray(values[rows]), truth[rows]
    named, parts = peers_on_values(some, ks)
    found = {who: (named[who], _ari(own, parts[ks.index(named[who])])) for who in RAW}
    labels = hdbscan(some)
    found["HDBSCAN"] = (len(set(labels.tolist()) - {-1}), _ari(own, labels))
    scores = judged.prepared.judged
    for who, k in _own_rules(panel, scores, streams).items():
        # A rule that answers 1 is a rule that puts all in one group.
        found[who] = (k, ari[ks.index(k)] if k > 1 else 0.0)
    for k in (2, 3):
        found[f"always {k}"] = (k, ari[ks.index(k)])
    told = min(len(np.unique(truth)), ks[-1])
    found[TOLD] = (told, ari[ks.index(told)])
    return found


def _own_rules(panel: Panel, scores: Floats, streams: Streams) -> dict[str, int]:
    ks = panel.ks
    some = scores
    parts = panel.partitions
    if len(scores) > LARGEST:
        rows = np.sort(streams("gap").permutation(len(scores))[:LARGEST])
        some, parts = np.ascontiguousarray(scores[rows]), parts[:, rows]
    bic = panel.outcomes["mixture"].curve.values
    strong = np.flatnonzero(panel.outcomes["prediction"].curve.values > STRENGTH)
    return {
        "Gap": gap_rule(some, parts, ks, streams),
        "BIC": (1, *ks)[int(bic.argmin())],
        "prediction strength > 0.8": ks[int(strong[-1])] if len(strong) else 1,
    }
