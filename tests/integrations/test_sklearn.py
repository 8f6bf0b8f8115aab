import pickle
from contextlib import suppress
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from stablek.integrations.sklearn import StableK

QUICK = {"repeats": 10}


@parametrize_with_checks([StableK(ks=range(2, 4), settings=QUICK, n_jobs=1)])
def test_the_estimator_keeps_the_protocol(estimator, check):
    # scikit-learn skips its array-API check unless a variable is set; not our concern.
    with suppress(SkipTest):
        check(estimator)


def three_blobs():
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0], [9, 0], [0, 9]])
    return centres[np.arange(60) % 3] + rng.normal(size=(60, 2))


def test_it_finds_its_own_number_of_clusters_in_a_pipeline():
    made = make_pipeline(StandardScaler(), StableK(ks=range(2, 8), settings=QUICK))
    labels = made.fit_predict(three_blobs())
    assert len(set(labels.tolist())) == 3
    assert made[-1].n_clusters_ == 3
    assert set(made[-1].cv_results_) >= {"k", "area", "pac"}


def test_any_clusterer_can_stand_in():
    algorithm = KMeans(n_init=1)
    made = StableK("fc", algorithm, ks=range(2, 5), settings={"repeats": 4}, n_jobs=1)
    assert made.fit(three_blobs()).n_clusters_ in (2, 3, 4)


def test_it_clones_and_pickles():
    made = StableK(ks=(2, 3, 4), settings=QUICK).fit(three_blobs())
    assert clone(made).get_params() == made.get_params()
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.labels_, made.labels_)


def test_the_public_name_is_imported_late():
    import stablek

    assert stablek.StableK is StableK


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_number_of_jobs_changes_nothing(jobs):
    X = three_blobs()
    one = StableK(ks=range(2, 6), settings=QUICK).fit(X)
    other = StableK(ks=range(2, 6), settings=QUICK, n_jobs=jobs).fit(X)
    assert np.array_equal(one.labels_, other.labels_)
