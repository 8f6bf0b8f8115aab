"""The report: one HTML file that opens anywhere, and figures for papers."""

from __future__ import annotations

from stablek.report.html import render, write_report
from stablek.report.verdicts import VerdictLike
from stablek.result import Failed

__all__ = ["Failed", "VerdictLike", "render", "write_report"]
