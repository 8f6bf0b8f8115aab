"""When to stop: point (iii) of the thesis's scheme of NMF (figure 4.1).

A rule looks every so many iterations; what it sees is a number or a partition, and it
decides from the list of what it has seen. Every rule has a limit, and a result says
which of the two ended it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.factorize.iteration import Iteration

# A share of the data this small is rounding error: the fit is exact.
EXACT = 1e-13


class Stopping(Protocol):
    """Look every ``every`` iterations, and at most until ``at_most``."""

    @property
    def every(self) -> int:
        """Iterations between two looks."""
        ...

    @property
    def at_most(self) -> int:
        """The limit."""
        ...

    @property
    def name(self) -> str:
        """What the result calls the rule."""
        ...

    def look(self, run: Iteration) -> Any:
        """Return what to remember of this moment."""
        ...

    def settled(self, seen: Sequence[Any]) -> bool:
        """Tell from all that was seen whether to stop."""
        ...


@dataclass(frozen=True)
class FixedIterations:
    """Stop after a number of iterations, whatever they gained."""

    iterations: int = 200

    def __post_init__(self) -> None:
        _at_least_one("iterations", self.iterations)

    @property
    def every(self) -> int:
        """Look only at the end."""
        return self.iterations

    @property
    def at_most(self) -> int:
        """The number of iterations."""
        return self.iterations

    @property
    def name(self) -> str:
        """What the result calls the rule."""
        return f"fixed iterations ({self.iterations})"

    def look(self, run: Iteration) -> None:
        """See nothing."""

    def settled(self, seen: Sequence[None]) -> bool:
        """Stop at the first look after the start."""
        return len(seen) > 1


@dataclass(frozen=True)
class StationaryObjective:
    """Stop once ``every`` iterations hardly lower the objective any more.

    f_before - f_now <= tolerance f_mean, where f_mean is the objective of a model that
    gives every item the mean of all: the variation there is to explain. It does not
    depend on the start, nor, for the squared error, on a constant added to the data;
    and at high ranks, where hardly anything is left unexplained, it does not go on for
    the sake of a small part of that. An exact fit stops as well. Under a rule that may
    raise the objective (als), a rise stops it too, and the best of the iterates looked
    at is kept.
    """

    tolerance: float = 1e-4
    every: int = 10
    at_most: int = 2000

    def __post_init__(self) -> None:
        _at_least_one("every", self.every)
        _at_least_one("at_most", self.at_most)
        if not 0.0 <= self.tolerance < 1.0:
            raise InputError(
                f"tolerance {self.tolerance} is not in [0, 1); 1e-4 is usual"
            )

    @property
    def name(self) -> str:
        """What the result calls the rule."""
        return f"stationary objective ({self.tolerance:g} in {self.every} iterations)"

    def look(self, run: Iteration) -> float:
        """See the objective."""
        return run.share()

    def settled(self, seen: Sequence[float]) -> bool:
        """Stop when the last look showed hardly less than the one before."""
        if seen[-1] <= EXACT:
            return True
        return len(seen) > 1 and seen[-2] - seen[-1] <= self.tolerance


@dataclass(frozen=True)
class StationaryConnectivity:
    """Stop once the connectivity matrix has not changed for so many looks.

    The connectivity matrix has a 1 where two items fall into one cluster; two
    partitions have the same one if and only if they differ in the names of the
    clusters alone, and that is what is compared. Brunet et al. look every 10
    iterations and stop after 40 looks without change, so no run is shorter than 400
    iterations.

    References
    ----------
    Brunet et al. (2004), PNAS 101, 4164-4169, doi:10.1073/pnas.0308531101, supporting
    text; the numbers are those of their script nmf.m. Thesis, section 4.2.
    """

    looks: int = 40
    every: int = 10
    at_most: int = 2000

    def __post_init__(self) -> None:
        _at_least_one("looks", self.looks)
        _at_least_one("every", self.every)
        _at_least_one("at_most", self.at_most)

    @property
    def name(self) -> str:
        """What the result calls the rule."""
        return f"stationary connectivity ({self.looks} looks, {self.every} apart)"

    def look(self, run: Iteration) -> bytes:
        """See the partition."""
        return run.partition()

    def settled(self, seen: Sequence[bytes]) -> bool:
        """Stop when the last partitions are all the same."""
        if len(seen) <= self.looks:
            return False
        return all(one == seen[-1] for one in seen[-self.looks - 1 : -1])


#: The words a user types.
RULES: dict[str, Callable[[], Stopping]] = {
    "fixed": FixedIterations,
    "objective": StationaryObjective,
    "connectivity": StationaryConnectivity,
}


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise InputError(f"{name} = {value}: at least 1 is needed")
