"""Take the picture of the demo's report: ``python docs/make_picture.py``.

Needs chromium and playwright. README.md and the home page show it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from stablek.cli import guarded

PICTURE = Path(__file__).with_name("images") / "report.png"
SIZE = {"width": 1200, "height": 900}


def take() -> None:
    """Run the demo and photograph the first screen of its report."""
    with tempfile.TemporaryDirectory() as folder:
        guarded(["demo", "-q", "-o", folder])
        with sync_playwright() as play:
            program = shutil.which("chromium") or "/usr/bin/chromium"
            browser = play.chromium.launch(
                executable_path=program, args=["--no-sandbox"]
            )
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto((Path(folder) / "report.html").as_uri())
            page.screenshot(path=PICTURE)
            browser.close()


if __name__ == "__main__":
    take()
