"""Steps 7 and 8: statistics collected from the partitions of a run."""
