import pickle
from contextlib import suppress
from unittest import SkipTest

import joblib
import numpy as np
import pandas as pd
import pytest
from blobs import blobs
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import stablek
from stablek.integrations import sklearn as sklearn_side
from stablek.integrations.sklearn import StableK

QUICK = {"repeats": 10}


#: As little as a verdict can rest on: here only its manners count.
BRIEF = {"repeats": 10, "null_sets": 2, "level": 0.5}


@parametrize_with_checks(
    [
        StableK("fc", ks=range(2, 4), settings=QUICK, n_jobs=1),
        StableK("verdict", ks=range(2, 4), settings=BRIEF, n_jobs=1),
    ]
)
def test_the_estimator_keeps_the_protocol(estimator, check):
    # scikit-learn skips its array-API check unless a variable is set; not our concern.
    with suppress(SkipTest):
        check(estimator)


def three_blobs():
    return blobs(60, 2)


def test_it_finds_its_own_number_of_clusters_in_a_pipeline():
    made = make_pipeline(
        StandardScaler(), StableK("fc", ks=range(2, 8), settings=QUICK)
    )
    labels = made.fit_predict(three_blobs())
    assert len(set(labels.tolist())) == 3
    assert made[-1].n_clusters_ == 3
    assert set(made[-1].cv_results_) >= {"k", "area", "pac"}


def test_a_verdict_may_decide_and_find_nothing():
    few = {"null_sets": 19, "level": 0.05}
    made = StableK(ks=range(2, 6), settings=few).fit(three_blobs())
    assert made.n_clusters_ == made.result_.k == 3
    assert len(set(made.labels_.tolist())) == 3
    assert made.cv_results_["k"].tolist() == [2, 3, 4, 5]
    same = stablek.verdict(three_blobs(), range(2, 6), **few)
    assert made.result_.to_json() == same.to_json()
    noise = np.random.default_rng(1).normal(size=(60, 2))
    made.fit(noise)
    assert made.n_clusters_ == 1
    assert not made.labels_.any()


def test_a_verdict_by_distances_is_pairwise_too():
    made = StableK("verdict", range(2, 6), metric="precomputed", settings=BRIEF)
    assert made.fit(distances()).n_clusters_ == 3
    assert made.__sklearn_tags__().input_tags.pairwise


def test_any_clusterer_can_stand_in():
    algorithm = KMeans(n_init=1)
    made = StableK("fc", algorithm, ks=range(2, 5), settings={"repeats": 4}, n_jobs=1)
    assert made.fit(three_blobs()).n_clusters_ in (2, 3, 4)


def test_it_clones_and_pickles():
    made = StableK("fc", ks=(2, 3, 4), settings=QUICK).fit(three_blobs())
    assert clone(made).get_params() == made.get_params()
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.labels_, made.labels_)


def test_the_public_name_is_imported_late():
    assert stablek.StableK is StableK


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_number_of_jobs_changes_nothing(jobs):
    X = three_blobs()
    one = StableK("fc", ks=range(2, 6), settings=QUICK).fit(X)
    other = StableK("fc", ks=range(2, 6), settings=QUICK, n_jobs=jobs).fit(X)
    assert np.array_equal(one.labels_, other.labels_)


def distances():
    X = three_blobs()
    return np.abs(X[:, None] - X).sum(axis=2)


def test_distances_are_clustered_as_distances_and_told_to_be_pairwise():
    made = StableK("fc", ks=range(2, 6), metric="precomputed", settings=QUICK)
    assert made.fit(distances()).n_clusters_ == 3
    assert made.__sklearn_tags__().input_tags.pairwise
    assert not StableK().__sklearn_tags__().input_tags.pairwise


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (distances()[:, :9], "a distance matrix must be square"),
        (np.triu(distances()), "not symmetric"),
        (-distances(), "no negative entry"),
    ],
)
def test_what_is_no_matrix_of_distances_is_refused(spoilt, told):
    with pytest.raises(ValueError, match=told):
        StableK("fc", ks=range(2, 6), metric="precomputed", settings=QUICK).fit(spoilt)


def test_too_few_items_are_refused_with_the_number_needed():
    with pytest.raises(ValueError, match=r"=4 is too few for clest; .* 9"):
        StableK("clest").fit(three_blobs()[:4])
    StableK("clest", ks=(2,), settings={"repeats": 2}).fit(three_blobs()[:9])


def test_a_random_state_is_a_seed_or_what_draws_one():
    X, make = three_blobs(), np.random.RandomState
    seeds = [
        StableK("fc", ks=(2, 3), settings=QUICK, random_state=state).fit(X).result_.seed
        for state in (None, 7, make(5), make(5))
    ]
    assert seeds[:2] == [0, 7]
    assert seeds[2] == seeds[3] == make(5).randint(2**31 - 1)


@pytest.mark.parametrize("jobs", [None, -1, -2, -100, 3])
def test_numbers_of_jobs_are_scikit_learns(jobs, monkeypatch):
    seen = {}

    def choose(*given, execution, **more):
        seen["jobs"] = execution.jobs
        return real(*given, jobs=1, **more)

    real = sklearn_side.choose_k
    monkeypatch.setattr(sklearn_side, "choose_k", choose)
    StableK("fc", ks=(2, 3), settings=QUICK, n_jobs=jobs).fit(three_blobs())
    cores = joblib.cpu_count()
    wanted = {None: 0, -1: 0, -2: max(1, cores - 1), -100: 1, 3: 3}
    assert seen["jobs"] == wanted[jobs]


def test_names_of_columns_are_kept():
    rows = [f"r{i}" for i in range(60)]
    table = pd.DataFrame(three_blobs(), rows, ["height", "width"])
    made = StableK("fc", ks=(2, 3), settings=QUICK).fit(table)
    assert made.result_.data.item_ids() == tuple(rows)
    assert made.feature_names_in_.tolist() == ["height", "width"]
    assert made.result_.data.columns == ("height", "width")


@pytest.mark.parametrize("measure", ["fc", "verdict"])
def test_new_items_get_the_nearest_cluster(measure):
    X = three_blobs()
    few = {"null_sets": 19, "level": 0.05} if measure == "verdict" else QUICK
    made = StableK(measure, ks=range(2, 6), settings=few).fit(X)
    assert np.array_equal(made.predict(X), made.labels_)
    moved = X[:6] + 0.1
    assert np.array_equal(made.predict(moved), made.labels_[:6])


@pytest.mark.parametrize("measure", ["fc", "verdict"])
def test_distances_to_clusters_agree_with_the_prediction(measure):
    X = three_blobs()
    few = {"null_sets": 19, "level": 0.05} if measure == "verdict" else QUICK
    made = StableK(measure, ks=range(2, 6), settings=few).fit(X)
    away = made.transform(X)
    assert away.shape == (60, 3)
    assert np.array_equal(away.argmin(axis=1), made.predict(X))
    near, next_ = np.sort(away, axis=1)[:, :2].T
    assert made.score(X) == pytest.approx(np.mean((next_ - near) / next_))
    assert 0.7 < made.score(X) < 1
    names = made.get_feature_names_out().tolist()
    assert names == ["stablek0", "stablek1", "stablek2"]
    frame = made.set_output(transform="pandas").transform(X)
    assert frame.columns.tolist() == names


def test_one_cluster_has_one_distance_and_no_score():
    X = np.random.default_rng(0).normal(size=(40, 5))
    made = StableK(ks=range(2, 4), settings={"null_sets": 4}).fit(X)
    assert made.n_clusters_ == 1
    assert made.transform(X).shape == (40, 1)
    assert made.score(X) == 0.0


def test_settings_can_be_searched():
    steps = make_pipeline(StandardScaler(), StableK("fc", settings=QUICK, n_jobs=1))
    grid = {"stablek__ks": [(2, 3), (3, 4)]}
    found = GridSearchCV(steps, grid, cv=2).fit(three_blobs())
    assert found.best_estimator_[-1].n_clusters_ == 3
