"""The report: one HTML file that opens anywhere, and figures for papers."""

from stablek.report.page.html import render, write_report
from stablek.results.result import Failed

__all__ = ["Failed", "render", "write_report"]
