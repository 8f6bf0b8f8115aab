"""Words of the report and columns of the tables, each in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator

#: Words that the report, the terminal and the documentation use.
WORDS = {
    "box": "A null model of the gate: items spread evenly in a box around the data, "
    "along the components.",
    "cdf": "The cumulative distribution of the consensus values: the share of pairs of "
    "items with a consensus of at most x. A flat middle means that pairs are either "
    "nearly always or nearly never together.",
    "cluster": "A group of items that are more similar to each other than to other "
    "items.",
    "consensus": "How often two items are in the same cluster, as a share of the "
    "subsamples that contain both. For a cluster it is the mean over its pairs of "
    "items; for an item, the mean over the other items of its cluster. 1 means always "
    "together, 0 never.",
    "consensus matrix": "The consensus of every pair of items, drawn as a heatmap. "
    "Dark blocks along the diagonal are stable clusters.",
    "continuum": "Items that follow one another without a gap, such as cells on a "
    "trajectory. Cutting them into clusters is a choice, not a finding.",
    "dissent": "The members of the panel that favour a different number of clusters "
    "than the answer, and why; and the items that most subsamples put into another "
    "cluster.",
    "elbow": "The k at which a falling curve bends. The measure wcss looks for it. It "
    "is weak evidence, because the curve also falls for data without clusters.",
    "gap": "The distance between two clusters along the axis that separates them, "
    "divided by the sum of their standard deviations. Below 1 they overlap; above 2 "
    "they are well separated. The measures gap-pc, gap-ps and gap-pr are something "
    "else: the Gap statistic.",
    "gate": "The first question of a verdict: are the groups in the data better "
    "separated than groups in data without clusters? If not, the answer is 1.",
    "heatmap": "The report has two: the consensus matrix, and the columns that set the "
    "clusters apart. In Python: plots.heatmap and plots.markers.",
    "item": "What is clustered: one row of the table, such as a sample, a cell or a "
    "patient.",
    "jaccard": "How well a cluster comes back in a subsample: the items in both the "
    "cluster and its best match, divided by the items in either. The mean over "
    "subsamples is shown. A cluster is highly stable from 0.85, and stable from 0.75; "
    "do not trust it below 0.6 (Hennig 2007).",
    "k": "The number of clusters.",
    "level": "A number of clusters that the data support. Large groups may consist of "
    "smaller ones, so there can be several levels.",
    "margin": "How much more often an item is with its own cluster than with the "
    "runner-up. Near 0, the item lies between two clusters.",
    "measure": "A number for every k, and a rule that chooses one k from these "
    "numbers. Examples are fc, gap-pc and silhouette; `stablek measures` lists them "
    "all.",
    "null model": "A way to draw data sets without clusters that resemble the data in "
    "other respects, such as their spread or correlation. docs/null-models.md lists "
    "them.",
    "null set": "A data set without clusters, drawn from a null model. In other "
    "respects it resembles the data, and it is analysed in the same way.",
    "optimal k": "The number of clusters that fits the data best. A verdict gives it, "
    "says how sure it is, and can also answer that there are no clusters.",
    "p": "How often data without clusters look at least as clustered as the data, "
    "judged by the null sets. It cannot be smaller than 1 / (null sets + 1).",
    "pac": "Proportion of ambiguous clustering: the share of pairs of items whose "
    "consensus lies between 0.1 and 0.9. Lower is better (Senbabaoglu et al. 2014).",
    "panel": "The measures that a verdict combines to choose the number of clusters.",
    "rare": "Rare items form a small group (below 5 % of the items) that is well "
    "separated from all others.",
    "runner-up": "The cluster, other than its own, that an item is most often with.",
    "silhouette": "For an item, how much closer it is to its own cluster than to the "
    "next one, from -1 to 1; for a partition, the mean over the items. Higher is "
    "better (Rousseeuw 1987).",
    "skewed columns": "A null model of the gate: one cloud with the correlation and "
    "skewness of the columns of the table.",
    "strength": "How far to rely on a verdict: strong, moderate, weak, suggestive (a "
    "hint, but no evidence) or none.",
    "subsample": "A random part of the items, clustered on its own to see which "
    "clusters come back.",
    "touching": "Clusters touch if the density between them never falls to 40 % of "
    "the lower of their peaks. They may be parts of a continuum.",
    "valley": "The density between two clusters, divided by the lower of their peaks. "
    "0 means that nothing lies between them, 1 that there is no valley.",
    "weight": "How plausible a number of clusters is among those tried. The weights "
    "sum to 1.",
}

#: How stable a cluster or a class is: columns of two tables.
STABILITY = {
    "jaccard": "Mean Jaccard coefficient with its best match in each subsample.",
    "recovered": "The share of the subsamples with a Jaccard above 0.75.",
    "dissolved": "The share of the subsamples with a Jaccard of at most 0.5.",
    "word": "The Jaccard in words, such as highly stable.",
}

#: The columns of every table and the entries of a verdict's JSON, by file.
COLUMNS = {
    "clusters.tsv": {
        "cluster": "The number of the cluster, from 1.",
        "size": "How many items the cluster has.",
        "consensus": "Mean consensus of its pairs of items.",
        **STABILITY,
        "nearest": "The cluster from which it is least separated; 0 if there is none.",
        "gap": "The distance to the nearest cluster, divided by the sum of the "
        "standard deviations.",
        "valley": "The density between it and the nearest cluster, divided by the "
        "lower peak.",
    },
    "classes.tsv": {
        "class": "One of your classes. Unknown entries are empty: without evidence of "
        "clusters, no class is in a cluster, and groups of any shape have no Jaccard.",
        "cluster": "The number of the class, from 1.",
        "size": "How many items the class has.",
        "consensus": "Mean consensus of its pairs of items, with as many clusters as "
        "there are classes.",
        **STABILITY,
        "nearest": "The class from which it is least separated.",
        "gap": "The distance to the nearest class, divided by the sum of the standard "
        "deviations.",
        "valley": "The density between it and the nearest class, divided by the lower "
        "peak.",
        "main_cluster": "The cluster of the answer that holds most of the class.",
        "share_in_main_cluster": "The share of the class that is in this cluster.",
        "overlap": "The items that the class and the cluster share, divided by the "
        "items in either.",
        "is_cluster": "True if the overlap is at least 0.75 and the cluster comes back "
        "in subsamples.",
    },
    "items.tsv": {
        "id": "The name of the item.",
        "cluster": "The cluster of the item, from 1.",
        "consensus": "Mean consensus with the other items of its cluster.",
        "runner_up": "The other cluster that the item is most often with; 0 if there "
        "is none.",
        "runner_up_consensus": "Mean consensus with the items of the runner-up.",
        "between": "True if the item does not clearly belong to its cluster: it lies "
        "between two, or most subsamples put it into the runner-up.",
        "isolated": "True if the item lies far from all others and was set aside.",
        "rare": "The small, separate group that the item belongs to, or 0.",
    },
    "verdict.json": {
        "k": "The number of clusters; 1 means no evidence of clusters.",
        "best_guess": "The number of clusters to use if the data must be split.",
        "sentence": "The whole answer as a paragraph.",
        "strength": "How far to rely on the answer, in a word.",
        "evidence": "What the strength is based on.",
        "levels": "The numbers of clusters that the data support, from coarse to fine.",
        "plausible": "The weight of every k that was tried.",
        "p": "The largest p-value over all null models.",
        "p_of": "The p-value of each null model.",
        "votes": "The k that each member of the panel would choose.",
        "dissent": "Who or what disagrees with the answer, one sentence for each.",
        "next_steps": "What to do now, one sentence each.",
        "labels": "The cluster of every item, in the order of ids.",
        "ks": "The numbers of clusters that were tried.",
        "columns": "The columns of table.tsv, one value per k.",
        "clusters": "The rows of clusters.tsv.",
        "items": "The columns of items.tsv.",
        "moves": "The rows of moves.tsv.",
        "user_labels": "How your labels compare with the clusters.",
        "isolated": "The ids of the items that lie far from all others and were set "
        "aside.",
        "rare_items": "The ids of the items in small, well separated groups (below "
        "5 % of the items). The column rare of items.tsv says which group each is in.",
        "scale": "How the columns were scaled, and why.",
        "ids": "The names of the items.",
        "data": "The name and size of the data.",
        "facts": "Other findings, by name.",
        "settings": "The settings of the verdict.",
        "seed": "The seed of all random draws.",
        "versions": "The versions of the software that was used.",
        "notes": "What was done to the data.",
    },
    "labels.tsv": {
        "id": "The name of the item.",
        "cluster": "The cluster of the item in the answer.",
        "k2": "The cluster of the item at k = 2; k3, k4 ... likewise.",
    },
    "moves.tsv": {
        "k": "The smaller number of clusters.",
        "source": "A cluster at k.",
        "next_k": "The larger number of clusters.",
        "target": "A cluster at next_k.",
        "items": "How many items move from source to target.",
        "of_source": "The items that move, as a share of the source.",
        "of_target": "The items that move, as a share of the target.",
        "source_jaccard": "How well the source comes back in subsamples.",
        "target_jaccard": "How well the target comes back in subsamples.",
    },
    "markers.tsv": {
        "k": "The number of clusters.",
        "cluster": "The cluster that is described.",
        "place": "The rank of the column in its cluster; 1 is best.",
        "column": "The column of the data.",
        "direction": "Whether values inside are higher or lower than outside.",
        "auc": "The share of pairs (inside, outside) in which the value inside is "
        "larger. 0.5 means no difference.",
        "difference": "A robust standardised difference of the means.",
        "mean_inside": "The mean of the column inside the cluster.",
        "mean_outside": "The mean of the column over all other items.",
        "stability": "The share of the subsamples in which the column is again among "
        "the first of its cluster.",
        "stable": "True if the column is among the first in most subsamples.",
    },
    "annotations.tsv": {
        "annotation": "The annotation, such as batch or sex.",
        "kind": "Whether the annotation holds classes or numbers.",
        "k": "The number of clusters.",
        "items": "How many items have a value of the annotation.",
        "levels": "How many classes the annotation has.",
        "measure": "The coefficient that measures the association.",
        "association": "How far clusters and annotation agree, from 0 to 1.",
        "p": "The p-value of a permutation test.",
        "p_corrected": "The p-value, corrected for the number of tests.",
        "batch_like": "True if the annotation has a technical name, such as batch.",
    },
    "table.tsv": {
        "k": "The number of clusters.",
        "valley": "The density in the shallowest valley between clusters.",
        "graph": "The modularity of the graph of neighbours; higher is better.",
        "mixture": "The Bayesian information criterion of the best Gaussian mixture.",
        "silhouette": "The mean silhouette.",
        "prediction": "How well one half of the data predicts the clusters of the "
        "other.",
        "smallest": "The number of items in the smallest cluster.",
        "score": "The weighted sum of the panel; higher is better.",
        "agreement": "How well the clusters at this k agree with those at every k "
        "(adjusted Rand index, averaged over the weights). The answer is the plausible "
        "k with the best agreement.",
        "weight": "How plausible this k is; the weights of all k sum to 1.",
    },
    "curve.tsv": {
        "k": "The number of clusters.",
        "area": "The area under the distribution of the consensus values.",
        "area_literal": "The area by the formula of Monti et al., with right end "
        "points.",
        "area_pooled": "The area that follows from the sizes of the clusters alone.",
        "area_error": "The standard error of the area.",
        "pac": "Proportion of ambiguous clustering; lower is better.",
        "dispersion": "How close consensus values are to 0 or 1; 1 is best.",
        "entropy": "The mean entropy of the consensus values; lower is better.",
        "cophenetic": "The cophenetic correlation of the consensus matrix.",
        "never": "How many pairs were never drawn together; they are left out.",
        "pairs_error": "The error from sampling pairs instead of using all.",
        "delta": "The relative growth of the area from k to k + 1.",
        "delta_prime": "The same as delta, with the running maximum of the area.",
        "delta_ccp": "The same as delta, as ConsensusClusterPlus computes it.",
        "growth": "The relative growth of the area from k - 1 to k; an area below 0.3 "
        "counts as 0.3.",
        "mean": "The mean of the statistic over repeats.",
        "mean_error": "The standard error of the mean.",
        "median": "The median of the statistic over repeats.",
        "median_error": "The standard error of the median.",
        "min": "The smallest value of the statistic over repeats.",
        "max": "The largest value of the statistic over repeats.",
        "sd": "The standard deviation of the statistic over repeats.",
        "lower": "The value that at least 90 % of the repeats reach.",
        "above": "The share of the repeats above 0.9.",
        "null": "The mean of the statistic over null sets.",
        "d": "The median of the data minus the mean of the medians of null sets.",
        "p": "The p-value against null sets.",
        "wcss": "The sum of squared distances to the centres of the clusters.",
        "wcss_error": "The standard error of wcss over starts.",
        "log_wcss": "The logarithm of wcss.",
        "log_wcss_error": "The standard error of log_wcss over starts.",
        "null_log_wcss": "The mean of log_wcss over null sets.",
        "gap": "The Gap statistic: null_log_wcss minus log_wcss. For the measure "
        "connected: the width of the gap between groups of neighbours.",
        "gap_error": "The standard error of the Gap statistic.",
        "kl": "The index of Krzanowski and Lai.",
        "diff": "The difference that the rule of diff-fom or kl reads.",
        "fom": "The adjusted figure of merit: the error in predicting a left-out "
        "column.",
        "fom_error": "The standard error of fom over starts.",
        "aggregate": "The figure of merit before adjustment.",
        "knee": "How sharply the curve bends at k.",
        "segment": "The height of the straight line above the curve.",
        "separation": "How well the closest two clusters are separated.",
        "valley": "The density in the shallowest valley between clusters.",
        "valley_a": "The valley on one half of the draws.",
        "valley_b": "The valley on the other half of the draws.",
        "smallest": "The number of items in the smallest cluster.",
        "bin_00": "The share of the repeats between 0 and 0.05; bin_05, bin_10 ... "
        "likewise.",
    },
}


def entries(name: str) -> Iterator[tuple[str, str]]:
    """Yield where a word or a column is used, and what it means there.

    Examples
    --------
    >>> [where for where, _ in entries("pac")]
    ['word', 'curve.tsv']
    """
    plain = name.strip().lower()
    for word, text in WORDS.items():
        if plain.replace("_", " ").replace("-", " ") == word.replace("-", " "):
            yield "word", text
    for file, columns in COLUMNS.items():
        for column, text in columns.items():
            if plain == column.lower():
                yield file, text


def known_words() -> list[str]:
    """Return every word and column that is explained."""
    columns = {name for table in COLUMNS.values() for name in table}
    return sorted({*WORDS, *columns})
