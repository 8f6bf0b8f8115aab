"""What is clustered: data sets, checks, preparation, and streams of random numbers."""

from stablek.data.dataset import (
    METRICS,
    Dataset,
    Matrix,
    Rows,
    Sample,
    as_dataset,
    from_arrays,
)

__all__ = [
    "METRICS",
    "Dataset",
    "Matrix",
    "Rows",
    "Sample",
    "as_dataset",
    "from_arrays",
]
