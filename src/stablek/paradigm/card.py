"""What is known of a measure or an algorithm besides how it works.

It stands where the thing is defined: when to use it, whom to cite, and how the thesis
set it. Commands, pages and presets read it from there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Card:
    """When to use something, keys into references.bib, settings of the thesis."""

    when: str = ""
    cites: tuple[str, ...] = ()
    thesis: Mapping[str, Any] = field(default_factory=dict)


_CARDS: dict[Callable[..., Any], Card] = {}


def card(
    when: str, *cites: str, thesis: Mapping[str, Any] | None = None
) -> Callable[[F], F]:
    """Note what is known of the function below."""

    def note(function: F) -> F:
        _CARDS[function] = Card(when, cites, thesis or {})
        return function

    return note


def card_of(function: Callable[..., Any]) -> Card:
    """Return what is known of a function; an empty card if nothing is."""
    return _CARDS.get(function, Card())
