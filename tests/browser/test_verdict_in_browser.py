"""The page that `stablek report` draws of a verdict's folder, in a real browser."""

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.cli import cli
from stablek.cli.kept import keep_command

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a verdict, with the command that filled it."""
    place = tmp_path_factory.mktemp("verdict")
    rng = np.random.default_rng(1)
    values = 8 * np.eye(3)[np.arange(45) % 3] + rng.normal(size=(45, 3))
    rows = [f"s{i},t{i % 3}," + ",".join(map(repr, row.tolist()))
            for i, row in enumerate(values)]  # fmt: skip
    table = place / "x.csv"
    table.write_text("\n".join(["id,kind,a,b,c", *rows]) + "\n", encoding="utf-8")
    arguments = [
        "verdict", str(table), "--labels", "kind", "-k", "2:6", "--null-sets", "49",
        "--repeats", "15", "-o", str(place / "out"),
    ]  # fmt: skip
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    keep_command(place / "out", arguments)
    return place / "out"


def test_report_gives_the_page_that_verdict_wrote(folder):
    own = (folder / "report.html").read_bytes()
    (folder / "report.html").unlink()
    result = CliRunner().invoke(cli, ["report", str(folder)])
    assert result.exit_code == 0, result.output
    assert "curves and tables only" not in result.output
    assert (folder / "report.html").read_bytes() == own


def test_the_page_shows_answer_panel_trust_and_curves(visit, folder):
    page = visit(folder / "report.html")
    assert page.title() == "x: how many clusters?"
    assert page.locator(".k strong").first.inner_text() == "3"
    text = page.locator("body").inner_text()
    assert "All 3 of your classes are stable clusters." in text
    drawn = page.locator("svg text", has_text="mixture")
    assert drawn.count() == 1
    assert drawn.first.is_visible()
    for name in ("overview", "trust"):
        assert page.locator(f"#{name}").count() == 1
    assert page.locator(".explorer input[type=range]").count() == 1


@pytest.mark.parametrize("width", [900, 1200])
def test_every_entry_of_the_menu_is_seen(visit, folder, width):
    page = visit(folder / "report.html", viewport={"width": width, "height": 900})
    ends = page.evaluate(
        """() => [...document.querySelectorAll("nav li a")]
        .map(a => a.getBoundingClientRect().right)"""
    )
    assert len(ends) > 6
    assert max(ends) <= page.locator(".theme").bounding_box()["x"]
    page.locator(".explorer").scroll_into_view_if_needed()
    page.locator("#trust").evaluate("e => e.scrollIntoView()")
    menu = page.locator("nav").bounding_box()
    assert page.locator("#trust-h").bounding_box()["y"] >= menu["height"]


def test_labels_of_the_tree_can_be_read(visit, folder):
    page = visit(folder / "report.html", viewport={"width": 1200, "height": 900})
    heights = page.eval_on_selector_all(
        ".tree .row-name", "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert min(heights) >= 14  # those of a text of 12 px or more


def test_on_a_phone_what_scrolls_is_reached_by_the_keyboard(visit, folder):
    page = visit(folder / "report.html", viewport={"width": 390, "height": 844})
    unreachable = page.evaluate(
        """() => [...document.querySelectorAll(".drawing, .scroll, pre")]
        .filter(b => b.scrollWidth > b.clientWidth && b.tabIndex < 0)
        .map(b => b.parentElement.textContent.slice(0, 40))"""
    )
    assert unreachable == []
