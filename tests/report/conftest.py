"""Small results, made once: a consensus measure, a dispersion measure, a null."""

import pytest
from report_data import mixture

from stablek.api.choose_k import choose_k
from stablek.results.result import Result


@pytest.fixture(scope="session")
def fc() -> Result:
    return choose_k(mixture(), "fc", "hier-a", range(2, 8), repeats=30)


@pytest.fixture(scope="session")
def gap() -> Result:
    return choose_k(mixture(), "gap-ps", "hier-a", range(1, 7))


@pytest.fixture(scope="session")
def me() -> Result:
    return choose_k(mixture(), "me", "hier-a", range(2, 6), repeats=20)
