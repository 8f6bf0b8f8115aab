"""Where tasks run: here, in threads, in processes, or on a Dask cluster."""
