"""The answer on top of the page."""

from collections.abc import Sequence

from stablek.panel.item_words import elsewhere_sentence
from stablek.panel.words import listed
from stablek.report.charts.scale import DASH
from stablek.report.page.blocks import Hero
from stablek.report.page.markup import text_of
from stablek.report.page.verdicts import least_certain
from stablek.results.result import Failed, Result
from stablek.results.verdict import Verdict

#: Doubtful items that are named.
NAMED = 5

#: How sure an answer is, in a word or two, by its tone.
BADGES = {
    "found": "strong",
    "likely": "moderate",
    "guess": "weak",
    "hint": "only a hint",
    "none": "",  # the figure says it
    "open": "not judged",
}


def hero(results: Sequence[Result | Failed], judged: Verdict | None, name: str) -> Hero:
    """Return the answer: of the verdict, of the only result, or of the most."""
    done = [result for result in results if isinstance(result, Result)]
    chips: list[str] = []
    if done:
        first = done[0]
        chips = [text_of(name, 60), size_of(first, judged)]
        if judged is not None and first.n < judged.n:
            chips.append(f"judged on {first.n:,} of {judged.n:,} items")
        low, high = min(r.ks[0] for r in done), max(r.ks[-1] for r in done)
        chips.append(f"k = {low}" if low == high else f"k = {low} to {high}")
        if judged is not None:
            pass  # a verdict is several measures
        elif len(done) == 1:
            chips += [first.measure, first.algorithm]
        else:
            chips.append(f"{len(done)} runs")
        chips.append(f"seed {first.seed}")
    if judged is not None:
        k = judged.k
        return Hero(
            "?" if k is None else str(k),
            _unit(k, asked=len(judged.plausible) == 1),
            judged.headline or judged.sentence,
            f"Strength: {judged.strength}. {judged.evidence}".strip(),
            tone_of(judged),
            disagreement(judged),
            judged.next_steps,
            tuple(chips),
            BADGES[tone_of(judged)],
            levels_of(judged),
            doubtful_items(judged),
            details=judged.details,
        )
    if not done:
        return Hero(DASH, "no result", "Every measure failed; the reasons are below.")
    if len(done) == 1 and len(results) == 1:
        only = done[0]
        remarks: tuple[str, ...] = ()
        if len(only.candidates) > 1:
            ks = ", ".join(str(k) for k in only.candidates)
            remarks = (f"Equally good by the same rule: k = {ks}.",)
        if others := only.other_seeds():
            remarks = (*remarks, f"{others[0].upper()}{others[1:]}.")
        k = only.k_star
        tone = "none" if k == 1 else "open" if k is None else "found"
        return Hero(
            "?" if k is None else str(k), _unit(k), only.sentence, "", tone, remarks,
            chips=tuple(chips),
        )  # fmt: skip
    return _compared(results, done, tuple(chips))


def size_of(result: Result, judged: Verdict | None) -> str:
    """Return how large the data are; distances have no columns of their own."""
    settings = result.settings if judged is None else judged.settings
    n, m = (result.n, result.m) if judged is None else (judged.n, judged.m)
    if settings.get("metric") == "precomputed":
        return f"distances of {n:,} items"
    return f"{n:,} items \u00d7 {m:,} columns"


def _compared(
    results: Sequence[Result | Failed], done: list[Result], chips: tuple[str, ...]
) -> Hero:
    """Return the answer of several results without a verdict: the most frequent."""
    chosen = [result.k_star for result in done if result.k_star is not None]
    counts = {k: chosen.count(k) for k in sorted(set(chosen))}
    failed = len(results) - len(done)
    remarks = [f"{failed} of {len(results)} failed; see below."] if failed else []
    most = max(counts.values(), default=0)
    best = [k for k, count in counts.items() if count == most]
    if others := {k: count for k, count in counts.items() if k not in best}:
        listed = ", ".join(f"k = {k} ({count})" for k, count in others.items())
        remarks.append(f"Others chose {listed}.")
    figure, tone, of = "?", "open", f"{most} of {len(done)} runs"
    if not best:
        unit, sentence = "no answer", "No measure chooses a k."
    elif len(best) > 1:
        unit, listed = "divided", " and ".join(str(k) for k in best)
        sentence = f"The measures are divided: k = {listed} were each chosen by {of}."
    elif 2 * most <= len(done):
        unit = "no majority"
        sentence = (
            f"The measures disagree: k = {best[0]} is chosen most often, by {of}."
        )
    else:
        figure, unit = str(best[0]), _unit(best[0])
        tone = "none" if best[0] == 1 else "found"
        what = "No evidence of clusters (k = 1)" if best[0] == 1 else f"k = {best[0]}"
        sentence = (
            f"{what}: the answer of {of}. This only counts runs; look at the curves "
            "before you rely on it."
        )
    return Hero(figure, unit, sentence, "", tone, tuple(remarks), chips=chips)


def levels_of(judged: Verdict) -> tuple[tuple[int, str, str, str], ...]:
    """Return the other numbers of clusters to consider; none where there is only one.

    Without evidence of clusters the best guess is one of them.
    """
    if len(judged.plausible) == 1:
        return ()  # no other number was tried
    guess = judged.best_guess if judged.k == 1 else None
    rows = [
        (
            level.k,
            f"{level.weight:.0%}",
            f"favoured by {level.reason}" if level.reason else "",
            "best guess" if level.k == guess else "the answer" if level.main else "",
        )
        for level in judged.levels
        if level.k > 1
    ]
    if guess is not None and guess > 1 and not any(row[3] for row in rows):
        weight = judged.plausible.get(guess)
        share = "" if weight is None else f"{weight:.0%}"
        rows.append((guess, share, "", "best guess"))
    return tuple(rows) if len(rows) > 1 or guess is not None else ()


def doubtful_items(judged: Verdict) -> str:
    """Return which items lie between clusters, and which are mostly in another one.

    "" where no item was judged.
    """
    items = least_certain(judged)
    if not items:
        return ""
    moved = set(judged.elsewhere())
    doubtful = [one["id"] for one in items if one.get("between")]
    elsewhere = [name for name in doubtful if name in moved]
    between = [name for name in doubtful if name not in moved]
    parts = []
    if elsewhere:
        verb = "is" if len(elsewhere) == 1 else "are"
        names = first_named(elsewhere)
        parts.append(f"{names} {verb} in another cluster in most subsamples")
    if between:
        verb = "lies" if len(between) == 1 else "lie"
        parts.append(f"{first_named(between)} {verb} between clusters")
    if not parts:
        return "none; every judged item clearly belongs to one cluster"
    return "; ".join(parts)


def disagreement(judged: Verdict) -> tuple[str, ...]:
    """Return who disagrees; items in another cluster are among the doubtful ones."""
    if not doubtful_items(judged):
        return judged.dissent
    said = elsewhere_sentence(judged.elsewhere()).partition(":")[0]
    return tuple(one for one in judged.dissent if one.partition(":")[0] != said)


def first_named(ids: Sequence[str]) -> str:
    """Return the first ids, and how many more there are."""
    names = [text_of(name, 40) for name in ids[:NAMED]]
    more = len(ids) - NAMED
    return f"{', '.join(names)} and {more:,} more" if more > 0 else listed(names)


def tone_of(judged: Verdict) -> str:
    """Return how the answer looks: a guess must not look like a finding."""
    if judged.k is None:
        return "open"
    if judged.k == 1:
        return "hint" if judged.strength == "suggestive" else "none"
    tones = {"strong": "found", "moderate": "likely", "weak": "guess"}
    return tones.get(judged.strength, "open")


def _unit(k: int | None, *, asked: bool = False) -> str:
    if k is None:
        return "no indication"
    if k == 1:
        return "no evidence of clusters"
    return "clusters, as you asked" if asked else "clusters"
