"""Options that follow the authors of a measure, and what a measure says of itself."""

import itertools
import json
import math

import numpy as np
import pytest

import stablek
from stablek.cli import guarded
from stablek.data import from_arrays
from stablek.errors import InputError
from stablek.measures.compose import compose
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.perturb.projection import Projection
from stablek.paradigm.perturb.resample import StratifiedByClass
from stablek.paradigm.significance.reliability import EquallyReliable
from stablek.paradigm.statistic.dispersion import per_condition
from stablek.paradigm.statistic.misclassification import cost, random_cost

rng = np.random.default_rng(11)
WIDE = from_arrays(rng.normal(size=(40, 300)))


def test_plus_minus_one_projects_by_signs_to_the_authors_dimension() -> None:
    draw = Projection("plus-minus-one", 0.5)
    assert draw.target(WIDE) == math.ceil(4 * math.log(40) / 0.25)
    assert Projection("plus-minus-one", 0.5, bound="proven").target(WIDE) == 178
    assert Projection("dense", 0.5, bound="authors").target(WIDE) == 60
    # Of the unit vectors, the projection is the matrix itself.
    unit = from_arrays(np.eye(200))
    matrix = np.asarray(draw.draw(unit, np.random.default_rng(1), 0).values())
    size = matrix.shape[1]
    np.testing.assert_allclose(np.abs(matrix), 1 / math.sqrt(size))
    assert abs((matrix > 0).mean() - 0.5) < 0.02
    with pytest.raises(InputError, match="bound 'author'"):
        Projection("dense", bound="author")


def test_squared_distances_are_kept_on_average() -> None:
    draw = Projection("plus-minus-one", 0.9)
    before = ((WIDE.values[0] - WIDE.values[1]) ** 2).sum()
    after = []
    for seed in range(400):
        made = draw.draw(WIDE, np.random.default_rng(seed), 0).values()
        after.append(((made[0] - made[1]) ** 2).sum())
    assert np.mean(after) == pytest.approx(before, rel=0.06)


@pytest.mark.parametrize(("mean", "said"), [(0.82, True), (0.95, False)])
def test_a_low_agreement_is_said_in_the_sentence(mean: float, said: bool) -> None:
    ks = (2, 3, 4)
    columns = {"mean": np.full(3, mean), "above": np.full(3, 0.3), "sd": np.ones(3)}
    facts = Facts(n=30, m=3, ks=ks, asked=ks, repeats=20)
    reason = EquallyReliable()(Curve(ks, columns, "mean"), None, facts).reason
    assert reason.startswith("no k is reproduced well: mean agreement") is said


def every_pair(n: int, k: int) -> float:
    """Return the mean cost over all pairs of labellings, one by one."""
    labellings = [np.array(one) for one in itertools.product(range(k), repeat=n)]
    total = [cost(a, b, k) for a in labellings for b in labellings]
    return float(np.mean(total))


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 2), (4, 3), (5, 3)])
def test_the_cost_by_chance_is_right_within_half_a_per_cent(n: int, k: int) -> None:
    exact = 1e-12 if k == 2 else 0.0075
    assert random_cost(n, k) == pytest.approx(every_pair(n, k), rel=exact)


def test_the_error_of_chance_is_in_the_error_column() -> None:
    X = rng.normal(size=(40, 3))
    found = stablek.choose_k(X, "roth", "hier-a", range(2, 5), repeats=8, seed=1)
    mean, spread = found.columns["mean"], found.columns["sd"]
    expected = np.hypot(spread / math.sqrt(8), 0.0025 * mean)
    np.testing.assert_allclose(found.columns["mean_error"], expected, rtol=1e-9)


def test_gap_says_when_one_was_out_of_range() -> None:
    noise = np.random.default_rng(3).uniform(size=(60, 2))
    whole = stablek.choose_k(noise, "gap-ps", "hier-a", range(1, 7), seed=2)
    assert whole.k_star == 1
    part = stablek.choose_k(noise, "gap-ps", "hier-a", range(2, 7), seed=2)
    assert part.ks == (2, 3, 4, 5, 6)
    assert part.k_star in part.ks
    assert part.reason.endswith("if k = 1 were in the range, the answer would be 1")
    np.testing.assert_allclose(part.columns["gap"], whole.columns["gap"][1:])
    clear = np.vstack([noise[:30], noise[30:] + 40])
    found = stablek.choose_k(clear, "gap-ps", "hier-a", range(2, 7), seed=2)
    assert "asked for" not in found.reason


def test_a_stratified_draw_holds_the_share_of_every_class() -> None:
    classes = ("a",) * 30 + ("b",) * 10 + ("c",) * 3
    data = from_arrays(rng.normal(size=(43, 2)), classes=classes)
    drawn = StratifiedByClass(0.8).draw(data, np.random.default_rng(1), 0).rows
    names = np.array(classes)[drawn]
    assert [(names == c).sum() for c in "abc"] == [24, 8, 3]
    assert StratifiedByClass(0.8).size(43) <= len(drawn)
    with pytest.raises(InputError, match="--labels COLUMN"):
        StratifiedByClass().draw(WIDE, np.random.default_rng(1), 0)
    found = stablek.choose_k(data, compose(perturb="stratified", fraction=0.5))
    assert found.k_star is not None


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    rows = ["id,a,b,c,kind"]
    for i in range(24):
        values = rng.normal(9 * (i // 8), 1, size=3)
        rows.append(f"s{i}," + ",".join(f"{v:.4f}" for v in values) + f",g{i // 8}")
    path.write_text("\n".join(rows) + "\n")
    return path


def test_per_condition_prints_and_keeps_the_fom_of_every_column(
    table, tmp_path, capsys
) -> None:
    out = tmp_path / "run"
    words = ["run", str(table), "--labels", "kind", "-m", "fom", "-k", "2:4", "-q"]
    assert guarded([*words, "--per-condition", "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    kept = (out / "per_condition.csv").read_text().splitlines()
    assert kept[0] == "column,k=2,k=3,k=4"
    assert [line.split(",")[0] for line in kept[1:]] == ["a", "b", "c"]
    assert "column" in printed
    values = np.genfromtxt(table, delimiter=",", skip_header=1, usecols=(1, 2, 3))
    result = stablek.choose_k(values, "fom", ks=range(2, 5))
    means = per_condition(result.cube, result.data).mean(axis=0)
    places = [result.cube.ks.index(k) for k in (2, 3, 4)]
    found = np.array([line.split(",")[1:] for line in kept[1:]], dtype=float)
    np.testing.assert_allclose(found, means[:, places], rtol=1e-5)


def test_per_condition_is_refused_where_it_has_no_meaning(table, capsys) -> None:
    words = ["run", str(table), "--labels", "kind", "-q", "--per-condition"]
    assert guarded([*words, "-m", "fc"]) == 2
    assert "fom and fom-r" in capsys.readouterr().err
    assert guarded([*words, "-m", "fom", "--json"]) == 2
    assert "needs -o DIR" in capsys.readouterr().err


def test_stratified_runs_from_the_command_line(table, capsys) -> None:
    words = ["run", str(table), "-k", "2:4", "-q", "--json", "--perturb", "stratified"]
    assert guarded([*words, "--labels", "kind"]) == 0
    assert json.loads(capsys.readouterr().out)["k_star"] == 3
    assert guarded([*words, "--drop", "kind"]) == 2
    assert "--labels COLUMN" in capsys.readouterr().err
