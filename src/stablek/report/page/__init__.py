"""The page: its parts, its tables and its words."""
