"""The answers: results, verdicts, and how far to trust their clusters and items."""
