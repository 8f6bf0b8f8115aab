"""The run folder: chunks, lock, shards, and results as files."""
