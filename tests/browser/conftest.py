"""A page of a real browser that tells of everything that must not happen."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
)  # fmt: skip


def missing(reason: str) -> None:
    """Skip, but fail where the browser is required."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium():
    """Return a browser: Debian's chromium, driven by playwright."""
    program = shutil.which("chromium") or "/usr/bin/chromium"
    if not Path(program).exists():
        missing("no chromium: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("no playwright: pip install stablek[test]")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium) -> Iterator:
    """Return a function that opens a file; afterwards nothing bad may have happened."""
    bad: list[str] = []
    contexts = []

    def open_(path: Path, **settings):
        settings.setdefault("viewport", {"width": 1280, "height": 900})
        context = chromium.new_context(accept_downloads=True, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: bad.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: bad.append(f"error: {e}"))
        page.on("dialog", lambda d: (bad.append(f"dialog: {d.message}"), d.dismiss()))
        page.on(
            "request",
            lambda r: (
                None
                if r.url.startswith(("file:", "data:", "blob:"))
                else bad.append(f"request: {r.url}")
            ),
        )
        page.goto(path.resolve().as_uri())
        return page

    yield open_
    for context in contexts:
        for page in context.pages:
            if context._impl_obj._options.get("javaScriptEnabled", True):
                assert page.evaluate("window.PWN") is None
        context.close()
    assert bad == []
