"""Fixtures of the fault tests; those of stablek-bench use them, too."""

from fault_fixtures import cli, forks, keepers, shell, start, table

__all__ = ["cli", "forks", "keepers", "shell", "start", "table"]
