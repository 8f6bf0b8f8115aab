"""Mix building blocks into a measure, by name (a future direction of the thesis).

Every word of the registries below is an ingredient of one step. A composed measure is a
:class:`stablek.paradigm.measure.Measure` like the named ones: as fast, as reproducible.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from stablek.errors import InputError, unknown_name
from stablek.paradigm.assign import classify_and_cluster, cluster_each
from stablek.paradigm.card import card
from stablek.paradigm.classify import classifier as named_classifier
from stablek.paradigm.contracts import (
    Classifier,
    NullModel,
    Perturbation,
    Rule,
    Split,
    Statistic,
    Synopsis,
    form_read,
)
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.null import null_of_data
from stablek.paradigm.perturb.projection import Projection
from stablek.paradigm.perturb.resample import (
    Bootstrap,
    StratifiedByClass,
    Subsample,
    Unchanged,
)
from stablek.paradigm.perturb.transform import Noise, RandomColumns
from stablek.paradigm.significance.against_null import Gap
from stablek.paradigm.significance.area import AreaSettles
from stablek.paradigm.significance.calibrate import AgainstNull
from stablek.paradigm.significance.clest import ClestRule
from stablek.paradigm.significance.extremes import Extreme, LocalMaxima, StartsToFall
from stablek.paradigm.significance.reliability import (
    ClosestToOne,
    Concentrated,
    EquallyReliable,
)
from stablek.paradigm.split import TrainingShare, whole
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.statistic.dispersion import WithinSS
from stablek.paradigm.statistic.misclassification import Misclassification, Overlap
from stablek.paradigm.statistic.rejoined import Rejoined
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import (
    ConsensusColumn,
    agreement_distribution,
    consensus_distribution,
    log_within,
    mean_loss,
    mean_value,
    median_value,
    within,
)

#: Step 1. ``restarts`` draws nothing: a random algorithm starts again in each repeat.
PERTURBATIONS: dict[str, Perturbation] = {
    "bootstrap": Bootstrap(),
    "columns": RandomColumns(),
    "noise": Noise(),
    "projection": Projection(at_most=0.8),
    "restarts": Unchanged(),
    "stratified": StratifiedByClass(),
    "subsample": Subsample(),
}

#: Step 2. With a training part, the learning part is classified and clustered.
SPLITS: dict[str, Split] = {
    "halves": TrainingShare(0.5),
    "two-thirds": TrainingShare(2 / 3),
    "whole": whole,
}

#: Steps 7 and 8.
STATISTICS: dict[str, Statistic] = {
    "agreement": Agreement(),
    "comembership": CoMembership(),
    "misclassification": Misclassification(),
    "overlap": Overlap(),
    "rejoined": Rejoined(),
    "wcss": WithinSS(),
}

SYNOPSES: dict[str, Synopsis] = {
    "area": consensus_distribution,
    "cophenetic": ConsensusColumn("cophenetic"),
    "dispersion": ConsensusColumn("dispersion"),
    "distribution": agreement_distribution,
    "entropy": ConsensusColumn("entropy"),
    "log-wcss": log_within,
    "loss": mean_loss,
    "mean": mean_value,
    "median": median_value,
    "pac": ConsensusColumn("pac"),
    "wcss": within,
}

RULES: dict[str, Callable[[], Rule]] = {
    "against-null": AgainstNull,
    "best": Extreme,
    "clest": ClestRule,
    "closest-to-one": ClosestToOne,
    "concentrated": Concentrated,
    "equally-reliable": EquallyReliable,
    "gap": Gap,
    "local-maxima": LocalMaxima,
    "settles": AreaSettles,
    "starts-to-fall": StartsToFall,
}

#: The words of each step.
WORDS: dict[str, Mapping[str, object]] = {
    "perturb": PERTURBATIONS,
    "split": SPLITS,
    "statistic": STATISTICS,
    "synopsis": SYNOPSES,
    "significance": RULES,
}

#: The synopses a rule can read, where not every one will do.
READS: dict[str, tuple[str, ...]] = {
    "clest": ("mean", "median", "distribution"),
    "closest-to-one": ("distribution",),
    "concentrated": ("distribution",),
    "equally-reliable": ("distribution",),
    "gap": ("log-wcss",),
    "settles": ("area", "pac", "dispersion", "entropy", "cophenetic"),
    "starts-to-fall": ("cophenetic", "area", "pac", "dispersion", "entropy"),
}

NEEDS_NULL = ("against-null", "clest", "gap")


@card("To try a combination of steps that has no name.", "utro2011")
def compose(
    *,
    perturb: str | Perturbation = "subsample",
    split: str | Split = "whole",
    statistic: str | Statistic = "comembership",
    synopsis: str | Synopsis | None = None,
    significance: str | Rule = "best",
    train: str | Classifier = "dlda",
    index: str | None = None,
    fraction: float | None = None,
    repeats: int = 100,
    null_model: str | NullModel = "pc",
    null_sets: int = 20,
    fast: bool = True,
    name: str | None = None,
) -> Measure:
    """Return a measure made from the ingredients that you name.

    Ingredients that do not fit together are refused.

    Parameters
    ----------
    perturb, split, statistic, synopsis, significance
        A word of ``PERTURBATIONS``, ``SPLITS``, ``STATISTICS``, ``SYNOPSES`` or
        ``RULES``, or your own ingredient. Without ``synopsis``: pac for
        comembership, wcss for wcss, loss for misclassification, otherwise the
        distribution of the scores.
    train
        The classifier, where the split has a training part.
    index
        The external index of the statistic "agreement".
    fraction
        The share that "subsample" and "columns" draw.
    null_model, null_sets
        The null model of the rules against-null, clest and gap.
    fast
        Whether all k of a repeat share what is drawn.

    Examples
    --------
    >>> made = compose(perturb="noise", synopsis="pac", significance="against-null")
    >>> made.name
    'noise+comembership+pac+against-null'
    """
    collect = _found("statistic", statistic, STATISTICS)
    if synopsis is None:
        defaults = {"comembership": "pac", "wcss": "wcss", "misclassification": "loss"}
        synopsis = defaults.get(str(statistic), "distribution")
    described = _found("synopsis", synopsis, SYNOPSES)
    if index is not None:
        if not isinstance(collect, Agreement):
            raise InputError(
                f"index {index} applies to the statistic agreement, not to {statistic}"
            )
        collect = Agreement(index)
    if significance == "starts-to-fall" and isinstance(collect, CoMembership):
        collect = CoMembership(cophenetic=True)
    draw = _with_fraction(_found("perturbation", perturb, PERTURBATIONS), fraction)
    parts = _found("split", split, SPLITS)
    trained = parts is not whole
    rule = significance
    if isinstance(significance, str):
        rule = _found("significance rule", significance, RULES)()
    _check(perturb, split, statistic, synopsis, significance, collect)
    compared = significance in NEEDS_NULL
    from_one = significance == "gap"
    return Measure(
        name=name or _name(perturb, split, statistic, synopsis, significance),
        perturb=(draw, draw) if collect.roles == 2 and not trained else (draw,),
        split=parts,
        assign=classify_and_cluster if trained else cluster_each,
        train=named_classifier(train) if trained else None,
        collect=collect,
        stop=FixedRepeats(repeats),
        synopsis=described,
        significance=cast("Rule", rule),
        null=null_of_data(null_model) if compared else None,
        null_sets=null_sets if compared else 0,
        share_samples=fast,
        smallest_k=1 if from_one else 2,
        above=1 if from_one or significance in ("settles", "starts-to-fall") else 0,
        partition="consensus" if collect.gives == "pairs" else "original",
    )


def _found(kind: str, wanted: Any, known: Mapping[str, Any]) -> Any:
    if not isinstance(wanted, str):
        return wanted
    if wanted not in known:
        raise unknown_name(kind, wanted, known)
    return known[wanted]


def _with_fraction(draw: Perturbation, fraction: float | None) -> Perturbation:
    if fraction is None:
        return draw
    if not isinstance(draw, Subsample | StratifiedByClass | RandomColumns):
        raise InputError(
            f"fraction = {fraction:g} applies to the perturbations subsample, "
            f"stratified and columns; {type(draw).__name__.lower()} draws no share"
        )
    return replace(draw, fraction=fraction)


def _check(
    perturb: Any,
    split: Any,
    statistic: Any,
    synopsis: Any,
    significance: Any,
    collect: Statistic,
) -> None:
    """Refuse what does not fit together, and name what would."""
    if split != "whole" and split is not whole and collect.roles != 2:
        raise InputError(
            f"the statistic {statistic} reads one partition per repeat, but a split "
            "gives two labellings of the learning part; use --statistic agreement or "
            "misclassification, or --split whole"
        )
    if statistic == "wcss" and perturb not in ("restarts", "noise"):
        raise InputError(
            f"the statistic wcss needs every item in every repeat; {perturb} leaves "
            "some out or changes the columns: use --perturb restarts or noise"
        )
    described = _found("synopsis", synopsis, SYNOPSES)
    if form_read(described) not in (None, collect.gives):
        fitting = [
            word
            for word, known in SYNOPSES.items()
            if form_read(known) == collect.gives
        ]
        raise InputError(
            f"the synopsis {synopsis} does not fit the statistic {statistic}, which "
            f"gives {collect.gives}; use --synopsis {' or '.join(fitting)}"
        )
    readable = READS.get(significance) if isinstance(significance, str) else None
    if readable and isinstance(synopsis, str) and synopsis not in readable:
        raise InputError(
            f"the rule {significance} cannot read the synopsis {synopsis}; use "
            f"--synopsis {' or '.join(readable)}"
        )


def _name(*ingredients: Any) -> str:
    words = [
        wanted if isinstance(wanted, str) else type(wanted).__name__.lower()
        for wanted in ingredients
    ]
    return "+".join(word for word in words if word != "whole")
