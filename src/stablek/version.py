"""The version, apart, so that every layer can name it."""

__version__ = "0.2.0"


def versions() -> dict[str, str]:
    """Return the versions of what computed a result."""
    import platform

    import numba
    import numpy
    import scipy

    return {
        "stablek": __version__,
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
        "python": platform.python_version(),
    }
