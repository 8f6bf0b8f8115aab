"""Steps 3 and 5: who labels which part.

The thesis encodes this as a bipartite graph between data sets and procedures; here it
is the list of its edges, and the place of an edge in the list is its role in the cube.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Sample
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.paradigm.contracts import Classifier, Clusterer, Edge, Parts


@dataclass(frozen=True)
class Clustered:
    """A part, and the algorithm that clusters it."""

    sample: Sample
    clusterer: Clusterer

    def partitions(self, ks: Sequence[int], streams: Streams) -> NDArray[Any]:
        """Return the partitions of the part."""
        return self.clusterer.partitions(self.sample, ks, streams)


@dataclass(frozen=True)
class Classified:
    """A learning part, labelled by a classifier trained on the clustered training part.

    Steps 4 (Train) and 6 (Cluster) of the paradigm in one: for each k the training part
    is clustered, its labels train the classifier, and the classifier labels the rest.
    """

    sample: Sample
    training: Sample
    clusterer: Clusterer
    classifier: Classifier

    def partitions(self, ks: Sequence[int], streams: Streams) -> NDArray[Any]:
        """Return the predicted labels of the learning part."""
        taught = self.clusterer.partitions(self.training, ks, streams)
        known, asked = self.training.values(), self.sample.values()
        predicted = [
            self.classifier.predict(known, labels, asked, k)
            for labels, k in zip(taught, ks, strict=True)
        ]
        return np.stack(predicted)


def cluster_each(
    parts: Sequence[Parts], clusterer: Clusterer, classifier: Classifier | None
) -> list[Edge]:
    """Cluster the learning part of every sample: one role per sample."""
    return [Clustered(part.learning, clusterer) for part in parts]


def cluster_both(
    parts: Sequence[Parts], clusterer: Clusterer, classifier: Classifier | None
) -> list[Edge]:
    """Cluster both parts of every sample: two roles per sample."""
    edges: list[Edge] = []
    for part in parts:
        if part.training is None:
            raise InputError(
                "cluster-both needs a split with two parts, such as column-halves"
            )
        edges += [
            Clustered(part.learning, clusterer),
            Clustered(part.training, clusterer),
        ]
    return edges


def classify_and_cluster(
    parts: Sequence[Parts], clusterer: Clusterer, classifier: Classifier | None
) -> list[Edge]:
    """Label every learning part twice: by the classifier, and by clustering."""
    edges: list[Edge] = []
    for part in parts:
        if part.training is None or classifier is None:
            raise InputError(
                "classify-and-cluster needs a split with a training part and a "
                "classifier; use split = two-thirds and train = dlda"
            )
        if part.learning.source.precomputed:
            raise InputError(
                "a classifier needs the items' values, but the input is a distance "
                "matrix; use me, fc, consensus or levine-domany"
            )
        edges.append(Classified(part.learning, part.training, clusterer, classifier))
        edges.append(Clustered(part.learning, clusterer))
    return edges
