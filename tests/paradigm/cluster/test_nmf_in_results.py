"""What a run with NMF tells besides k: factors, empty components, negative draws."""

import csv
import pickle

import numpy as np
import pytest

import stablek
from stablek.cli import guarded
from stablek.errors import InputError

RNG = np.random.default_rng(4)
X = np.repeat([[4.0, 0, 0, 1], [0, 4.0, 0, 1], [0, 0, 4.0, 1]], 10, axis=0)
X = X + RNG.random(X.shape)


class OneShort:
    """Leaves a cluster empty whenever more than two are asked for."""

    name, random, native = "one-short", False, False

    def prepare(self, data):
        pass

    def partitions(self, sample, ks, streams):
        rows = [np.arange(len(sample)) % min(k, 2) for k in ks]
        return np.array(rows, dtype=np.uint8)


def chosen(algorithm, measure="fc", **settings):
    return stablek.choose_k(X, measure, algorithm, range(2, 5), repeats=10, **settings)


@pytest.mark.parametrize("algorithm", ["nmf-r", "nmf-a", "nmf-i"])
def test_a_result_has_the_factors_at_k_star(algorithm):
    result = chosen(algorithm)
    assert result.k_star == 3
    metagenes, patterns = result.factors["metagenes"], result.factors["patterns"]
    assert metagenes.shape == (4, 3)
    assert patterns.shape == (30, 3)
    np.testing.assert_allclose(metagenes.sum(), 1.0)
    model = patterns.to_numpy() @ metagenes.to_numpy().T
    assert np.square(X - model).sum() < 0.1 * np.square(X - X.mean(axis=0)).sum()
    largest = patterns.to_numpy().argmax(axis=1)
    assert len(set(zip(largest, result.labels, strict=True))) == 3


def test_folded_columns_are_named_after_their_sign():
    result = stablek.choose_k(
        X - X.mean(axis=0), "fc", "nmf-a+fold", range(2, 5), repeats=10
    )
    features = result.factors["metagenes"].index.tolist()
    assert features == ["1+", "2+", "3+", "4+", "1-", "2-", "3-", "4-"]


def test_an_algorithm_without_tables_has_no_factors():
    result = chosen("hier-a")
    assert result.factors == {}
    assert stablek.Result.from_json(result.to_json()).factors == {}


def test_a_result_with_factors_pickles():
    result = pickle.loads(pickle.dumps(chosen("nmf-a")))
    assert set(result.factors) == {"metagenes", "patterns"}


def test_a_run_folder_holds_the_factors_and_equal_runs_equal_bytes(tmp_path, capsys):
    table = tmp_path / "x.csv"
    rows = [",".join(["id", "a", "b", "c", "d"])]
    rows += [f"i{i}," + ",".join(map(repr, row.tolist())) for i, row in enumerate(X)]
    table.write_text("\n".join(rows) + "\n")
    for place in ("one", "two"):
        out = tmp_path / place
        arguments = ["-m", "fc", "-a", "nmf-r", "-k", "2:4", "--repeats", "5"]
        assert guarded(["run", str(table), *arguments, "-o", str(out), "-q"]) == 0
    capsys.readouterr()
    for name in ("metagenes.tsv", "patterns.tsv"):
        one, two = (tmp_path / place / name for place in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    with (tmp_path / "one" / "metagenes.tsv").open(newline="") as file:
        read = list(csv.reader(file, delimiter="\t"))
    assert [row[0] for row in read] == ["feature", "a", "b", "c", "d"]
    assert read[0][1:] == ["component1", "component2", "component3"]


def test_partitions_with_fewer_than_k_clusters_are_reported():
    result = chosen(OneShort(), backend="serial")
    told = "partitions with fewer than k clusters: 10 of 10 at k = 3, 10 of 10 at k = 4"
    assert result.facts["fewer_clusters"] == told
    assert told in result.notes
    assert "fewer_clusters" not in chosen("hier-a").facts


def test_negative_values_in_a_null_set_are_said_to_be_there():
    with pytest.raises(InputError, match=r"null set of the model .*\+shift"):
        stablek.choose_k(X, "gap-pc", "nmf-r", range(1, 4), null_sets=2)


def test_negative_values_in_a_projection_are_said_to_be_there():
    with pytest.raises(InputError, match=r"perturbed copy of them: .*\+shift"):
        stablek.choose_k(X, "mosram", "nmf-r", range(2, 4), repeats=2)


def test_the_remedy_is_applied_to_what_is_drawn_too():
    for measure, more in (("gap-pc", {"null_sets": 2}), ("mosram", {"repeats": 2})):
        result = stablek.choose_k(X, measure, "nmf-r+fold", range(2, 4), **more)
        assert result.algorithm == "nmf-r+fold"
