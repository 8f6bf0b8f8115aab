"""What a verdict does, in words, from the constants that it computes with."""

from stablek.panel import borders, choice, finding, gate, scale, strength
from stablek.panel.against_nulls import RARE, SMALLEST_SHARE, TYPICAL
from stablek.panel.members import ALGORITHM, MEMBERS, PARTITIONS, Member, squared
from stablek.panel.null_sets import MODELS, MOST_COLUMNS
from stablek.panel.prepare import ISOLATED_SHARE, LARGEST

#: How a member is read, in words.
READ = {
    "vote": "names one k",
    "curve": "adds its value to the score",
    "trust": "does not choose k, but says how far to trust clusters and items",
}

Lines = dict[str, str]


def stages() -> dict[str, Lines]:
    """Return the stages of a verdict, each as lines by heading."""
    return {
        "preparation": preparation(),
        "gate": the_gate(),
        "panel": {member.name: line_of(member) for member in MEMBERS},
        "coefficients": coefficients(),
        "levels": levels(),
        "strengths": strengths(),
    }


def preparation() -> Lines:
    """Return what happens to the data first."""
    return {
        "scale": f"standardises columns whose log standard deviations vary by more "
        f"than {scale.UNLIKE:g} while fewer than {scale.FEW:g} hold the variance; "
        "takes logarithms of counts",
        "isolated": "sets aside rows that are farther from their neighbours than "
        f"these from theirs, at most {ISOLATED_SHARE:.0%} of them",
        "coordinates": "keeps the principal components that stand out from noise",
        "items": f"judges at most {LARGEST:,} items, drawn at random",
    }


def the_gate() -> Lines:
    """Return what the gate holds the data against, and when it opens."""
    names = ", ".join(model.name for model in MODELS)
    return {
        "null models": f"{names}; and skewed columns up to {MOST_COLUMNS} columns. "
        "The data must stand out from all of them",
        "statistics": f"the mean silhouette (p <= {gate.LEVEL:g}); the separation of "
        "the closest two clusters, and the modularity in the graph of neighbours as a "
        "share of the most that clusters of these sizes can have (each no worse than "
        f"in the typical null set: p <= {TYPICAL:g}; the modularity does not count "
        f"where the silhouette is {gate.FAR:g} standard deviations above every null "
        f"model and the separation has p <= {RARE:g}); the widest gap between groups "
        "of neighbours",
        "k": f"{gate.KS[0]} to {gate.KS[-1]}, on at most {gate.ROWS} items; a k with a "
        f"cluster below {SMALLEST_SHARE:.0%} of the items does not count. If none "
        "counts, the items of these tiny clusters are set aside, and the gate looks "
        "again",
        "evidence": f"p <= {gate.LEVEL:g}, and the clusters come back and do not touch",
        "touching": "if the density between two clusters never falls to "
        f"{borders.TOUCHING:.0%} of the lower peak, this counts only as a hint, and "
        "the answer is 1",
        "coming back": "if no k has a prediction strength of "
        f"{finding.COMES_BACK:g}, there is a hint, and the answer is 1",
        "suggestive": f"p <= {gate.SUGGESTIVE:g}, or p <= {gate.FIRM:g} if the "
        "separation or the modularity is worse than in the typical null set; or gaps "
        f"between groups with p <= {gate.FIRM:g}, too narrow to count the groups: a "
        "hint, and the answer is 1",
    }


def line_of(member: Member) -> str:
    """Return what a member looks at, and how it is read."""
    if member.name == "size":
        return f"{member.looks_at}, by ln(k x its share); {READ[member.read]}"
    if member.term is squared:
        return f"{member.looks_at}; adds its square to the score"
    return f"{member.looks_at}; {READ[member.read]}"


def coefficients() -> Lines:
    """Return the score, term by term."""
    lines = {name: f"{weight:g}" for name, weight in choice.COEFFICIENTS.items()}
    lines["votes"] = f"a vote for k_m gives exp(-|ln(k / k_m)| / {choice.WIDTH:g}) to k"
    lines["clusters"] = f"by {ALGORITHM}, then refined by {PARTITIONS}"
    lines["weights"] = "the softmax of the score over k"
    lines["answer"] = (
        f"of the k with at least {choice.NEAR:.0%} of the largest weight, the one "
        "whose clusters agree best with those at every k (adjusted Rand index, "
        "averaged over the weights)"
    )
    return lines


def levels() -> Lines:
    """Return which other ks are named in addition to the answer."""
    return {
        "named": f"at most {choice.OTHER_LEVELS} more k, of at least "
        f"{choice.NEAR:.0%} of the answer's weight, nested with it in "
        f"{choice.NESTED:.0%} of the items"
    }


def strengths() -> Lines:
    """Return the words for how sure an answer is, and how often each was right."""
    needs = {
        "strong": f"a weight of at least {strength.STRONG:g}, both halves of the draws "
        f"agree, and the silhouette is {gate.FAR:g} standard deviations above every "
        "null model",
        "moderate": f"a weight of at least {strength.MODERATE:g}; groups that are not "
        "compact; or one k that you chose, if every cluster comes back in subsamples",
        "weak": f"less weight, k is the largest k tried, p above {gate.FIRM:g}, or no "
        f"border at which the density falls to {borders.CONTINUUM:.0%} of the lower "
        "peak: pieces of a continuum look like this",
    }
    lines = {
        word: f"{need}; right in {record.exact:.0%}, within one in "
        f"{record.within:.0%}, of {record.sets} labelled data sets"
        for word, need in needs.items()
        for record in [strength.RECORDS[word]]
    }
    lines["suggestive"] = (
        "a hint of clusters, no evidence; groups that touch; or too few null sets to "
        "reach the level"
    )
    lines["none"] = "no evidence of clusters"
    return lines
