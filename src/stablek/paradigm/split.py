"""Step 2: divide a sample into a training and a learning part.

The thesis lets *learning* and *training* trade places between its pseudocode and its
text. Here the training part is clustered and trains the classifier; the learning part
is clustered and classified, and the two labellings of it are compared.
"""

import math
from dataclasses import dataclass

import numpy as np

from stablek.data import Sample
from stablek.errors import InputError, check_share
from stablek.paradigm.contracts import Parts


@dataclass(frozen=True)
class Whole:
    """Do not split: the whole sample is the learning part (alpha = 0)."""

    random = False

    def parts(self, sample: Sample, rng: np.random.Generator) -> Parts:
        """Return the sample as its learning part."""
        return Parts(sample)

    def size(self, n: int) -> int:
        """Return n."""
        return n


whole = Whole()


@dataclass(frozen=True)
class TrainingShare:
    """Draw ceil(share n) items for training; the rest is the learning part.

    Clest draws two thirds for training (Dudoit, Fridlyand 2002); Roth et al. halves.
    """

    share: float = 2 / 3
    random = True

    def __post_init__(self) -> None:
        check_share("share", self.share, "0.667")

    def parts(self, sample: Sample, rng: np.random.Generator) -> Parts:
        """Return the two parts, each in the order of the sample."""
        order = rng.permutation(len(sample))
        cut = self._training(len(sample))
        return Parts(
            learning=sample.take(np.sort(order[cut:])),
            training=sample.take(np.sort(order[:cut])),
        )

    def size(self, n: int) -> int:
        """Return the number of items in the smaller part."""
        training = self._training(n)
        return min(training, n - training)

    def _training(self, n: int) -> int:
        return math.ceil(round(self.share * n, 9))


@dataclass(frozen=True)
class ColumnHalves:
    """Give either part all items and a random half of the columns, none in common.

    The noise of one half says nothing of the noise of the other. Only what many columns
    share is found in both.
    """

    random = True
    by_column = True

    def parts(self, sample: Sample, rng: np.random.Generator) -> Parts:
        """Return the two parts."""
        values = sample.values()
        count = values.shape[1]
        if count < 2:
            raise InputError(
                "halves of the columns need at least 2 columns; this table has 1"
            )
        order = rng.permutation(count)
        halves = np.sort(order[: count // 2]), np.sort(order[count // 2 :])
        first, second = (
            Sample(sample.source, sample.rows, np.ascontiguousarray(values[:, half]))
            for half in halves
        )
        return Parts(learning=first, training=second)

    def size(self, n: int) -> int:
        """Return n: both parts hold all items."""
        return n
