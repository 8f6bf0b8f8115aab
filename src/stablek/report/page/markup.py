"""Elements of a page that know how to escape themselves.

The template engine escapes every string and asks any other object for ``__html__``.
A drawing is such an object: its text and attributes are escaped here, once, so that no
template ever needs to declare a string safe.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

#: Longer ids are cut in display; the files hold them whole.
LONGEST = 200

Attribute: TypeAlias = "str | int | float | None"


def text_of(value: object, longest: int = LONGEST) -> str:
    """Return a value as text that a page can hold.

    Lone surrogates, which UTF-8 cannot write, and NUL become U+FFFD; what is longer
    than ``longest`` characters is cut and ends in an ellipsis.

    Examples
    --------
    >>> text_of("a" * 7, longest=5)
    'aaaa…'
    """
    text = str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    text = text.replace("\0", "\ufffd")
    return text.encode("utf-8", "replace").decode()


def short(value: float) -> str:
    """Return a coordinate with at most one decimal, as short as it goes."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


class Element:
    """One element of SVG: a tag, its children and its attributes.

    A trailing underscore of an attribute's name is dropped, inner ones become hyphens;
    an attribute of None is left out.

    Examples
    --------
    >>> Element("text", "a < b", x=1.0, class_="tick").__html__()
    '<text x="1" class="tick">a &lt; b</text>'
    """

    __slots__ = ("attributes", "children", "tag")

    def __init__(
        self, tag: str, *children: Element | str, **attributes: Attribute
    ) -> None:
        self.tag = tag
        self.children: list[Element | str] = list(children)
        self.attributes = attributes

    def add(self, *children: Element | str) -> Element:
        """Add children; return the element."""
        self.children.extend(children)
        return self

    def extend(self, children: Iterable[Element | str]) -> Element:
        """Add children; return the element."""
        self.children.extend(children)
        return self

    def pieces(self) -> Iterable[str]:
        """Yield the markup, piece by piece."""
        yield f"<{self.tag}"
        for name, value in self.attributes.items():
            if value is None:
                continue
            shown = short(value) if isinstance(value, float) else text_of(value, 10**7)
            key = name.rstrip("_").replace("_", "-")
            yield f' {key}="{html.escape(shown)}"'
        if not self.children:
            yield "/>"
            return
        yield ">"
        for child in self.children:
            if isinstance(child, Element):
                yield from child.pieces()
            else:
                yield html.escape(text_of(child), quote=False)
        yield f"</{self.tag}>"

    def __html__(self) -> str:
        """Return the markup; the template engine calls this."""
        return "".join(self.pieces())

    __str__ = __html__


def text_at(
    label: str, x: float, y: float, anchor: str, class_: str = "number"
) -> Element:
    """Return a label at a place of a drawing."""
    return Element("text", label, class_=class_, x=x, y=y, text_anchor=anchor)


def drawing_of(width: float, height: float, class_: str, name: str) -> Element:
    """Return an empty drawing; ``name`` is for those who cannot see what it shows."""
    return Element(
        "svg", viewBox=f"0 0 {short(width)} {short(height)}", class_=f"chart {class_}",
        role="img", aria_label=name,
    )  # fmt: skip
