"""The public questions: one module for each function that a user calls."""
