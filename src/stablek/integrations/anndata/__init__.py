"""Choose k, or a resolution, in the manner of scanpy.

``tl`` computes and writes into the AnnData object, ``pl`` draws what was written and
returns Axes::

    from stablek.integrations import anndata as sk

    sk.tl.choose_k(adata, use_rep="X_pca")
    sk.pl.curve(adata)

Everything written survives ``adata.write_h5ad``. scanpy itself is imported for Leiden
only, which is looked for where the user installed it.
"""

from stablek.integrations.anndata import pl, tl
from stablek.integrations.anndata.fields import categories, result_of
from stablek.integrations.anndata.pl import curve, sizes
from stablek.integrations.anndata.tl import (
    choose_k,
    choose_resolution,
    values_of,
    verdict,
)

__all__ = [
    "categories",
    "choose_k",
    "choose_resolution",
    "curve",
    "pl",
    "result_of",
    "sizes",
    "tl",
    "values_of",
    "verdict",
]
