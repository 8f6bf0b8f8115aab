"""Groups of items around centres: the data of most tests."""

import numpy as np


def blobs(n=45, m=4, k=3, seed=0, away=8.0):
    """Return n items in m columns, item i in group i modulo k.

    The centres are ``away`` from the origin at right angles, so that all are equally
    far apart (of more than 1,000 columns, each group has one of its own). If there is
    one more group than columns, it is at the origin; still more have random centres.
    The spread of a group is 1 in every column.
    """
    rng = np.random.default_rng(seed)
    if m > 1000:
        centres = away * np.eye(k, m)
    elif k <= m + 1:
        axes = np.linalg.qr(rng.normal(size=(m, m)))[0]
        centres = away * np.vstack([axes, np.zeros(m)])[:k]
    else:
        centres = away * rng.normal(size=(k, m))
    return centres[np.arange(n) % k] + rng.normal(size=(n, m))
