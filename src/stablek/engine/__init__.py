"""The engine: the thesis's three procedures as one, with two shapes of task."""
