"""What stands under each figure: what it shows, and how to read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Explanation:
    """Text of the fold under a figure."""

    shows: str
    read: str
    formula: str = ""
    reference: str = ""


EXPLANATIONS = {
    "curve": Explanation(
        "The quantity that the measure's rule reads, for every number of clusters k "
        "that was tried. The marked point is k*, the k that the rule chose.",
        "The shaded band around the line is one standard error over repeats. A grey "
        "band, if there is one, shows the range from 5 to 95 % of the same quantity on "
        "data without clusters: a value inside it is not evidence. Hover over a point "
        "to see its numbers; the table below has them all.",
    ),
    "columns": Explanation(
        "The other columns of the curve, for the same k.",
        "Agreement between columns that measure different things is worth more than a "
        "clear picture in one of them.",
    ),
    "cdf": Explanation(
        "For each k, how the consensus values of all pairs of items are distributed. "
        "The consensus M(i, j) is the share of the subsamples holding both items in "
        "which they fell into one cluster.",
        "With stable clusters, pairs are either always or never together: the curve "
        "jumps near 0 and near 1 and is flat in between. A slope in the middle means "
        "pairs that are together by chance. PAC is the height gained between 0.1 and "
        "0.9.",
        "CDF(x) = share of pairs i < j with M(i, j) ≤ x",
        "Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, Eq. 5; "
        "Şenbabaoğlu, Michailidis, Li (2014), Scientific Reports 4, 6207.",
    ),
    "delta": Explanation(
        "How much the area under the CDF grows from k to k + 1, relative to itself.",
        "k* is where the curve has come down and stays near zero: more clusters add "
        "nothing. The area depends on the sizes of the clusters more than on their "
        "stability, so do not rely on this curve alone: check PAC and the null band, "
        "too. The primed curve uses the running maximum of the area.",
        "Δ(2) = A(2); Δ(k) = (A(k + 1) - A(k)) / A(k) for k > 2",
        "Monti et al. (2003), Eq. 7; thesis, section 3.3.1.",
    ),
    "heat": Explanation(
        "The consensus matrix at one k. Rows and columns are the items, in the order "
        "of the tree of the matrix itself (average linkage), so that items that stay "
        "together are next to each other. Dark: always together; blank: never. The "
        "strip on top shows the clusters.",
        "Clean dark squares on a blank background are stable clusters. Blurred "
        "squares, or shade between two squares, are clusters that change from "
        "subsample to subsample. Move the slider to see at which k the squares break "
        "up.",
        "M(i, j) = repeats with i and j together / repeats with both drawn",
        "Monti et al. (2003), Eqs. 1-3.",
    ),
    "map": Explanation(
        "The items in the plane of the first two principal components (of a distance "
        "matrix: classical scaling), coloured by cluster.",
        "The plane shows only part of the spread, as the axes say: clusters that "
        "overlap here may be separate in other directions. The numbers are those of "
        "the clusters in the tables and in labels.tsv.",
    ),
    "own-map": Explanation(
        "The items in the embedding you gave, coloured by cluster.",
        "Clustering did not use it. In a UMAP or t-SNE, close neighbours mean "
        "something, but the sizes of islands and the distances between them mean "
        "little. The numbers are those of the "
        "clusters in the tables and in labels.tsv.",
    ),
    "trust": Explanation(
        "The same items, shaded by how firmly each belongs to its cluster: its mean "
        "consensus with the other items of the cluster.",
        "Dark items are together with their cluster in nearly every subsample. Pale "
        "ones sit between clusters; the table of items lists them first. Hollow ones "
        "are alone in their cluster or were never drawn.",
        "m(i) = mean of M(i, j) over the other items j of the cluster of i",
        "Monti et al. (2003), Eq. 4.",
    ),
    "anchors": Explanation(
        "There are too many items to show them all, so some were drawn at random. A "
        "dot is the mean consensus of an item with the other items of its own cluster "
        "and, in another colour, with the cluster that comes second. Items are ordered "
        "by cluster, the surest first; the numbers on top are those of the clusters.",
        "If the upper dot is near 1 and the lower near 0, the item clearly belongs to "
        "its cluster. If the two meet, it lies between two clusters. The band is the "
        "largest Monte Carlo error: the consensus is averaged over partners that were "
        "also drawn at random.",
    ),
    "flow": Explanation(
        "Each column is the partition into k clusters. A bar is a cluster, and its "
        "height is its size; ribbons are the items that move from one to the next. A "
        "cluster keeps its number and colour from one k to the next.",
        "A cluster that splits cleanly into two as k grows, with no ribbon crossing to "
        "others, is a level of structure. Many crossing ribbons mean that the "
        "partition at k + 1 does not refine the one at k, but is a different one.",
    ),
    "histograms": Explanation(
        "The statistic of the measure in each repeat, as a histogram for every k.",
        "At a good k the values are all near the right end: the partitions of two "
        "samples agree in nearly every repeat. Model Explorer chooses the k with the "
        "largest mean agreement.",
        reference="Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on "
        "Biocomputing, 6-17.",
    ),
    "votes": Explanation(
        "What each measure with each algorithm chooses. A filled dot is its k*, a ring "
        "is a k that it finds equally good; the shaded column is the most frequent "
        "answer.",
        "Measures use different evidence (compactness, stability, prediction), so "
        "their agreement counts. If they disagree, look at their curves below before "
        "you believe the majority.",
    ),
    "weights": Explanation(
        "How plausible each number of clusters is: the weight of the evidence for it.",
        "One tall bar is a clear answer. Two bars often mean two levels: a few broad "
        "groups that consist of finer ones. The answer need not be the tallest bar: it "
        "is the plausible number whose clusters agree best with those of the others.",
    ),
    "markers": Explanation(
        "The columns in which a cluster differs most from all other items, listed "
        "cluster by cluster. Each row is a column of the data, in standard deviations "
        "from its own mean: blue below, orange above. Items are ordered by cluster; "
        "strips on top show the clusters and your annotations.",
        "A block of one colour over one cluster is what sets it apart. The table has "
        "the numbers. There is no p-value: the clusters were found in these values, so "
        "a test on the same values would find differences that clustering itself made. "
        "Use the stability instead: the share of the subsamples, each clustered on its "
        "own, in which the column is again among the first.",
        "AUC = share of pairs (inside, outside) in which the value inside is larger",
        "Mann, Whitney (1947), Ann. Math. Stat. 18, 50-60; Algina, Keselman, Penfield "
        "(2005), Psychological Methods 10, 317-328.",
    ),
    "annotated-map": Explanation(
        "The judged items in the plane of their first two components, coloured by an "
        "annotation. Hollow items have no value. Numbers are shown in fifths, from "
        "pale to dark or as the legend says.",
        "If each colour has its own area, the clusters follow the annotation. If "
        "the annotation is a batch, the clusters may come from the measurement.",
    ),
    "tracking": Explanation(
        "One row for each number of clusters, one column for each item, in the colour "
        "of its cluster.",
        "Blocks that stay together from row to row are groups that do not depend on "
        "the number of clusters. Items that keep changing colour do not clearly belong "
        "to any cluster.",
    ),
    "item-bars": Explanation(
        "For every item, its mean consensus with every cluster, one colour each. Items "
        "are ordered by cluster (as calcICL of ConsensusClusterPlus does). All bars "
        "start at 0, the smaller in front.",
        "One colour up to 1: the item is always in the same cluster. Two colours: it "
        "changes between two. The bars of an item need not add up to 1, since each is "
        "a mean over another cluster.",
        "m_i(k) = mean of M(i, j) over the items j of cluster k",
        "Monti et al. (2003), Eq. 4.",
    ),
    "cluster-bars": Explanation(
        "For every cluster at every k, the mean consensus of its pairs of items.",
        "High bars are clusters that come back in every subsample. If a bar "
        "drops at some k, a real cluster was probably split there.",
        "m(k) = mean of M(i, j) over pairs of cluster k",
        "Monti et al. (2003), Eq. 3.",
    ),
    "tree": Explanation(
        "Each row is the partition into k clusters, and each node is a cluster. An "
        "edge shows where its items come from; it is wider for a larger share of "
        "them. The shade of a node shows how well the cluster comes back in "
        "subsamples.",
        "One wide edge into each node means nested clusters. Many thin edges mean that "
        "items change clusters from one k to the next.",
        reference="Zappia, Oshlack (2018), GigaScience 7, giy083.",
    ),
}
