"""What the thesis asks for beyond its tables: mixed measures, likelihood, peers.

At least twenty stability measures made by mixing building blocks, two likelihood
methods of scikit-learn, and what a user would pick instead, all on the same sets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek_bench.grid import (
    CLASSIC,
    FIRST_FIVE,
    MONTI,
    NMF,
    SIMULATED,
    TIMED,
    Recipe,
    Table,
    algorithm_word,
    consensus,
    fast,
)
from stablek_bench.preparations import OF_ALL_GENES, PREPARATIONS

Floats = NDArray[np.float64]

EVERYWHERE = (*FIRST_FIVE, "Novartis", "St.Jude", *SIMULATED)
#: The largest k the peers try.
PEER_K = 30

_MIXED = (
    {"statistic": "comembership", "synopsis": "area", "significance": "settles"},
    {"statistic": "comembership", "synopsis": "pac", "significance": "best"},
    {"statistic": "agreement", "synopsis": "distribution", "index": "adj",
     "significance": "closest-to-one"},
    {"statistic": "agreement", "synopsis": "mean", "index": "adj",
     "significance": "best"},
)  # fmt: skip

_OTHERS = (
    {"perturb": "subsample", "statistic": "comembership", "synopsis": "dispersion",
     "significance": "best"},
    {"perturb": "subsample", "statistic": "comembership", "synopsis": "pac",
     "significance": "against-null"},
    {"perturb": "noise", "statistic": "comembership", "synopsis": "pac",
     "significance": "against-null"},
    {"perturb": "restarts", "split": "halves", "statistic": "agreement",
     "synopsis": "median", "index": "adj", "significance": "best"},
    {"perturb": "restarts", "split": "two-thirds", "statistic": "misclassification",
     "synopsis": "loss", "significance": "best"},
    {"perturb": "noise", "split": "two-thirds", "statistic": "agreement",
     "synopsis": "median", "index": "adj", "significance": "clest"},
)  # fmt: skip


def combinations() -> list[dict[str, str]]:
    """Return the settings of the mixed measures: 26 of them."""
    draws = ("subsample", "bootstrap", "noise", "columns", "projection")
    mixed = [{"perturb": draw, **rest} for draw in draws for rest in _MIXED]
    return [*mixed, *_OTHERS]


def _composed() -> dict[str, Recipe]:
    found = {}
    for settings in combinations():
        parts = [settings["perturb"], settings.get("split", ""), settings["statistic"],
                 settings["synopsis"], settings["significance"]]  # fmt: skip
        name = "+".join(part for part in parts if part)
        pairs = tuple(sorted(settings.items()))
        found[name] = Recipe("composed", name, "hier-a", pairs)
    return found


def _k_means(values: Floats, k: int, seed: int) -> tuple[NDArray[np.int64], float]:
    from sklearn.cluster import KMeans

    fitted = KMeans(k, n_init=10, random_state=seed).fit(values)
    return fitted.labels_.astype(np.int64), float(fitted.inertia_)


def _ks(values: Floats, first: int = 2) -> list[int]:
    distinct = len(np.unique(values, axis=0))
    return list(range(first, min(PEER_K, distinct - 1) + 1))


def _silhouette(values: Floats, seed: int) -> int:
    from sklearn.metrics import silhouette_score

    ks = _ks(values)
    return best(ks, [silhouette_score(values, _k_means(values, k, seed)[0])
                     for k in ks])  # fmt: skip


def _calinski_harabasz(values: Floats, seed: int) -> int:
    from sklearn.metrics import calinski_harabasz_score

    ks = _ks(values)
    return best(ks, [calinski_harabasz_score(values, _k_means(values, k, seed)[0])
                     for k in ks])  # fmt: skip


def _elbow(values: Floats, seed: int) -> int | None:
    from kneed import KneeLocator

    ks = _ks(values, 1)
    inertia = [_k_means(values, k, seed)[1] for k in ks]
    knee = KneeLocator(ks, inertia, curve="convex", direction="decreasing").knee
    return None if knee is None else int(knee)


def _mixture_bic(values: Floats, seed: int) -> int:
    from sklearn.mixture import GaussianMixture

    ks = _ks(values, 1)
    scores = [
        GaussianMixture(n_components=k, covariance_type="diag", reg_covar=1e-3,
                        random_state=seed)
        .fit(values).bic(values)
        for k in ks
    ]  # fmt: skip
    return best(ks, [-score for score in scores])


def _bayesian(values: Floats, seed: int) -> int:
    from sklearn.mixture import BayesianGaussianMixture

    fitted = BayesianGaussianMixture(
        n_components=_ks(values, 1)[-1], covariance_type="diag", reg_covar=1e-3,
        max_iter=500, random_state=seed,
    ).fit(values)  # fmt: skip
    return len(np.unique(fitted.predict(values)))


#: Peer, and how it chooses k on the raw columns. Each answers as its users would use
#: it: K-means with ten starts, mixtures with diagonal covariances.
PEERS: dict[str, Callable[[Floats, int], int | None]] = {
    "silhouette": _silhouette,
    "calinski-harabasz": _calinski_harabasz,
    "elbow-kneed": _elbow,
    "gaussian-mixture-bic": _mixture_bic,
    "bayesian-mixture": _bayesian,
}


def best(ks: list[int], scores: list[Any]) -> int:
    """Return the k with the largest score; the smallest of several."""
    return ks[int(np.argmax(scores))]


def ask_peer(name: str, values: Any, seed: int) -> int | None:
    """Return the k a peer chooses; None where it gives no indication."""
    import warnings

    try:
        # Its libraries of threads are known to the limit only once it is imported.
        import sklearn.cluster  # noqa: F401
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1), warnings.catch_warnings():
            # Not having converged is the peer's own affair; it still answers.
            warnings.simplefilter("ignore")
            return PEERS[name](np.array(values, dtype=np.float64), seed)
    except ImportError as error:
        msg = f"{name} needs the package {error.name}: pip install 'stablek[bench]'"
        raise InputError(msg) from None
    except ValueError as error:
        # What a peer refuses is its answer here; the other cells go on.
        raise InputError(f"{name}: {error}") from None


def _beyond() -> dict[str, Table]:
    peers = {name: Recipe("peer", name, "") for name in PEERS}
    algorithms = {
        name: Recipe("external", "", algorithm_word(name)) for name in CLASSIC + NMF
    }
    sets = (*FIRST_FIVE[1:], *SIMULATED)
    preparations = {
        name: Recipe("fingerprints", "", "", (("preparation", name),))
        for name in (*OF_ALL_GENES, *PREPARATIONS)
    }
    printed = (*FIRST_FIVE, *MONTI[:2], "Gaussian3")
    deltas = {name: Recipe("delta", "", algorithm_word(name)) for name in CLASSIC}
    # The factorisation that a user of stablek gets, beside the thesis's.
    own = {
        name: Recipe("choose", "fc", f"{name.lower()}+fold",
                     (("fraction", 0.8), ("repeats", 250)))
        for name in NMF
    }  # fmt: skip
    factorised = (*FIRST_FIVE[:4], *MONTI[:2])
    # As many repeats as it takes until seeds agree; Consensus where that is cheap.
    default = {name: fast(name, None) for name in CLASSIC}
    anew = {name: consensus(name, None) for name in CLASSIC}
    return {
        "FC-default": Table("FC-default", "k", default, EVERYWHERE),
        "Consensus-default": Table("Consensus-default", "k", anew, TIMED),
        "FC-HALS": Table("FC-HALS", "k", own, factorised),
        "FC-HALS-time": Table("FC-HALS-time", "time", own, factorised),
        "fingerprints": Table("fingerprints", "matches", preparations, printed),
        "delta": Table("delta", "index", deltas, FIRST_FIVE),
        "external": Table("external", "index", algorithms, sets),
        "composed": Table("composed", "k", _composed(), EVERYWHERE),
        "composed-time": Table("composed-time", "time", _composed(), EVERYWHERE),
        "peers": Table("peers", "k", peers, EVERYWHERE),
        "peers-time": Table("peers-time", "time", peers, EVERYWHERE),
    }


#: Tables that the thesis has as figures (delta, external), or not at all.
BEYOND: dict[str, Table] = _beyond()
