"""Non-negative matrix factorisation as a clustering algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample
from stablek.data.seeds import Streams
from stablek.errors import InputError, unknown_name
from stablek.factorize.factorisation import Factorisation, solve, warmed
from stablek.factorize.init import from_partition, random
from stablek.factorize.nonnegative import REMEDIES, made_nonnegative, names_after
from stablek.factorize.path import walk
from stablek.factorize.problem import Problem
from stablek.factorize.stop import StationaryConnectivity, StationaryObjective, Stopping
from stablek.factorize.updates import METHODS, method_named
from stablek.kernels.clusters import by_first_appearance
from stablek.paradigm.cluster.hierarchical import Hierarchical
from stablek.paradigm.contracts import Description
from stablek.paradigm.cube import label_type

#: A partition settles before the factors do. Mean Adjusted Rand with the truth over
#: 153 simulated sets (bench/speed/nmf_remedies.py --tolerances), nmf-r and nmf-a: 0.786
#: and 0.792 with 1e-4 in ten iterations, 0.790 and 0.798 with 1e-3 in five, 0.787 and
#: 0.799 with this, 0.772 and 0.800 with 1e-2.
ENOUGH = StationaryObjective(tolerance=2e-3, every=5)


@dataclass(frozen=True)
class NMF:
    """Factorise, then give each item to the component with its largest coefficient.

    Metagenes are normalised to sum 1 first; ties go to the lowest component. A
    component may end without items: the partition then has fewer than k clusters, and
    its labels, numbered by first appearance, have no gap.

    Parameters
    ----------
    name
        What users type.
    start
        The hierarchical algorithm whose partition of the same sample is the start
        (nmf-a, -c, -s, -w); None for a random start (nmf-r).
    incremental
        Walk up from rank 1, one component at a time, instead (nmf-i). Nothing is drawn
        at random, one path serves all ks, and the partition at k does not depend on the
        other ks.
    method
        The update rule; "brunet" is the thesis's (the Broad Institute's script).
    nonnegative
        What to do with negative values, "shift" or "fold"; None refuses them. It is
        applied to every sample, so that null sets with negative values are fit as well.
    stop
        When to stop.

    References
    ----------
    Brunet et al. (2004), PNAS 101, 4164-4169, doi:10.1073/pnas.0308531101. Thesis,
    chapter 4 and section 5.2.
    """

    name: str
    start: Hierarchical | None = None
    incremental: bool = False
    method: str = "hals"
    nonnegative: str | None = None
    stop: Stopping = ENOUGH
    native = True
    slow = True

    @property
    def random(self) -> bool:
        """Whether the start is drawn at random."""
        return self.start is None and not self.incremental

    def varied(self, word: str) -> NMF:
        """Return this algorithm with a remedy or an update rule, named after it.

        "brunet" brings its stopping rule as well: the two are the Broad Institute's
        script, and the thesis's NMF.
        """
        name = f"{self.name}+{word}"
        if word in REMEDIES:
            return replace(self, name=name, nonnegative=word)
        if word not in METHODS:
            raise unknown_name("variant of NMF", word, (*REMEDIES, *METHODS))
        stop = StationaryConnectivity() if word == "brunet" else self.stop
        return replace(self, name=name, method=word, stop=stop)

    def prepare(self, data: Dataset) -> None:
        """Refuse data that cannot be factorised; prepare the start, if there is one."""
        self.problem(data.whole())
        if self.start is not None:
            self.start.prepare(data)

    def problem(self, sample: Sample) -> Problem:
        """Return the sample's values, made non-negative and ready to factorise.

        HALS runs in single precision here: the stopping rule's tolerance is far above
        its rounding errors, unless items differ by less than a thousandth of their
        values. The multiplicative rules, whose entries shrink without end, keep double
        precision.
        """
        try:
            values = made_nonnegative(sample.values(), self.nonnegative)
        except InputError as error:
            if sample.changed is None:
                raise
            raise InputError(
                f"not in your data, but in a perturbed copy of them: {error}"
            ) from None
        differ = float(np.ptp(values, axis=0).max()) > 1e-3 * float(values.max())
        single = self.method == "hals" and differ
        return Problem.of(values, "single" if single else "double")

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return one partition per k."""
        factors = self.factorisations(sample, ks, streams)
        dtype = label_type(max(ks))
        return np.stack(
            [by_first_appearance(one.labels).astype(dtype) for one in factors]
        )

    def factorisations(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> list[Factorisation]:
        """Return one factorisation per k."""
        problem, rule = self.problem(sample), method_named(self.method)
        if self.incremental:
            return walk(problem, ks, rule, self.stop)
        if self.start is None:
            starts = [
                warmed(problem, rule, random(problem.values, k, streams(k))) for k in ks
            ]
        else:
            cuts = self.start.partitions(sample, ks, streams)
            starts = [
                from_partition(problem.values, k, cut)
                for k, cut in zip(ks, cuts, strict=True)
            ]
        return [solve(problem, rule, start, self.stop, self.name) for start in starts]

    def describe(
        self, data: Dataset, k: int, streams: Streams
    ) -> tuple[Description, ...]:
        """Return metagenes (W) and patterns (H, transposed) of the whole data at k."""
        factors = self.factorisations(data.whole(), (k,), streams)[0]
        columns = data.column_names()
        features = names_after(columns, self.nonnegative)
        return (
            Description("metagenes", "feature", features, factors.W),
            Description("patterns", "id", data.item_ids(), factors.coefficients),
        )

    def refine(self, sample: Sample, labels: NDArray[Any], k: int) -> NDArray[Any]:
        """Return the partition reached from ``labels``, which has k clusters."""
        problem = self.problem(sample)
        start = from_partition(problem.values, k, labels)
        rule = method_named(self.method)
        factors = solve(problem, rule, start, self.stop, self.name)
        return by_first_appearance(factors.labels).astype(label_type(k))
