"""Whether there are borders between the clusters: valleys of the density."""

from dataclasses import dataclass

from stablek.panel.answer import Judged
from stablek.panel.gate import gate_rows
from stablek.paradigm.statistic.borders import clearest_valley

#: If the density between two clusters never falls to this share of the lower peak,
#: there is no border: the clusters touch. Chosen in folds by ``stablek bench real``.
TOUCHING = 0.4

#: If it never falls to this share, the clusters may be pieces of a continuum, and the
#: answer is weak.
CONTINUUM = 0.3


@dataclass(frozen=True)
class Borders:
    """What lies between the clusters of an answer.

    ``valley`` is the lowest density at the clearest border, as a share of the lower
    peak.
    """

    valley: float = 0.0

    @property
    def continuum(self) -> bool:
        """Whether the items run on across every border."""
        return self.valley > CONTINUUM


def borders_of(judged: Judged) -> Borders:
    """Return what lies between the clusters of the partition that the panel chose."""
    panel = judged.the_panel
    rows = gate_rows(len(judged.prepared.rows), judged.streams)
    scores, part = judged.prepared.judged[rows], panel.at(panel.choice.k)[rows]
    return Borders(clearest_valley(scores, part))
