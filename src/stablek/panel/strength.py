"""How sure an answer is, in a word, and how often answers of that word were right."""

from dataclasses import dataclass

#: The weight of the answer from which it is called strong (if both halves of the draws
#: choose it, too), or moderate.
STRONG = 0.7
MODERATE = 0.40

#: Below so many sets, a share in per cent would look more exact than it is.
FEW_SETS = 20


@dataclass(frozen=True)
class Record:
    """How often answers of a strength were right on labelled real data sets."""

    exact: float
    within: float
    sets: int

    def sentence(self) -> str:
        """Return the record in words; few sets are counted.

        Examples
        --------
        >>> Record(0.83, 1.0, 6).sentence().partition(". ")[0]
        'On labelled data sets, 5 of 6 such answers named the right number of classes'
        >>> "one off" in Record(1.0, 1.0, 5).sentence()
        False
        """
        if self.sets < FEW_SETS:
            exact = round(self.exact * self.sets)
            within = round(self.within * self.sets)
            text = (
                f"On labelled data sets, {exact} of {self.sets} such answers named the "
                "right number of classes."
            )
            if exact == self.sets:
                return text
            near = "All" if within == self.sets else str(within)
            return f"{text} {near} were at most one off."
        return (
            f"On {self.sets} labelled data sets, such answers named the right number "
            f"of classes in {self.exact:.0%} of cases, and were at most one off in "
            f"{self.within:.0%}."
        )


#: On the outer folds of real sets marked "fair" or "half" where the gate is open, as
#: ``stablek bench real --data DIR`` prints them.
RECORDS = {
    "strong": Record(1.0, 1.0, 5),
    "moderate": Record(0.62, 0.98, 22),
    "weak": Record(0.21, 0.51, 57),
}


def record_of(strength: str) -> Record:
    """Return how often answers of a strength were right."""
    return RECORDS.get(strength, RECORDS["weak"])


def strength_of(weight: float, *, steady: bool) -> str:
    """Return the strength of an answer with this weight.

    ``steady`` says whether both halves of the draws choose it: where they do not,
    another seed might choose another k, and the answer is not strong.

    Examples
    --------
    >>> strength_of(0.7, steady=True), strength_of(0.7, steady=False)
    ('strong', 'moderate')
    """
    if weight < MODERATE:
        return "weak"
    return "strong" if steady and weight >= STRONG else "moderate"
