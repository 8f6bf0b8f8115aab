"""Read AnnData files (.h5ad) with h5py alone, after a look at where the bytes are.

An HDF5 file may say that a data set lies in another file; a reader then returns the
content of any file that the user may read. Such files are refused unless they are
allowed by name. Only the matrix, the names and the labels asked for are read, each
after its declared size was compared with the budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.errors import InputError, unknown_name
from stablek.io.readers.arrays import kept_type
from stablek.io.readers.h5_probe import refuse_unreadable
from stablek.io.readers.missing import without_columns
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, extra, listed, shown
from stablek.machine.memory import afford

if TYPE_CHECKING:
    from stablek.data import Matrix

MOST_OBJECTS = 100_000

#: Stored entries of a sparse matrix that are read at a time.
BLOCK = 2**22


def read_h5ad(source: Source, options: Options) -> Table:
    """Return a matrix of an AnnData file: X, a layer, or a representation.

    Items are the observations. ``labels`` names a column of ``obs`` (with
    ``transpose``, of ``var``).
    """
    h5py = extra("h5py", "anndata")
    with source.seekable() as stream:
        if source.path is not None:
            refuse_unreadable(source.path, source.label)
        try:
            # By its path where it has one: parts elsewhere are found from there.
            with h5py.File(source.path or stream, "r") as file:
                if not options.allow_external:
                    refuse_external(file, source.label)
                return from_file(file, source, options)
        except InputError:
            raise
        except Exception as error:
            # HDF5 and h5py raise whatever a damaged file leads them to.
            reason = str(error).partition("\n")[0][:120]
            raise InputError(
                f"{source.label} is not a valid H5AD file ({reason}): is it complete?"
            ) from None


def refuse_external(file: Any, label: str) -> None:
    """Refuse a file any part of which is stored outside it.

    Looks at every link and data set: external links, external storage and virtual
    data sets.
    """
    h5py = extra("h5py", "anndata")
    groups, seen = [("/", file)], set()
    while groups:
        path, group = groups.pop()
        for name in group:
            link = group.get(name, getlink=True)
            where = f"{path}{name}"
            if isinstance(link, h5py.ExternalLink):
                raise outside(where, link.filename, label)
            if not isinstance(link, h5py.HardLink):
                continue  # a soft link leads to an object that is visited anyway
            item = group[name]
            key = h5py.h5o.get_info(item.id).addr
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > MOST_OBJECTS:
                raise InputError(
                    f"{label} has more than {MOST_OBJECTS:,} parts; is it an H5AD?"
                )
            if isinstance(item, h5py.Group):
                groups.append((f"{where}/", item))
            elif isinstance(item, h5py.Dataset):
                if item.external:
                    raise outside(where, str(item.external[0][0]), label)
                if item.is_virtual:
                    raise outside(where, str(item.virtual_sources()[0][1]), label)


def outside(where: str, target: str, label: str) -> InputError:
    """Return the error for a part that is stored in another file."""
    return InputError(
        f"{label}: {where.lstrip('/')} is stored outside the file "
        f"({shown(target, 300)}): refused; if you trust it, use --allow-external"
    )


def from_file(file: Any, source: Source, options: Options) -> Table:
    """Return the table of an opened file."""
    name, node = matrix_node(file, options, source.label)
    values = matrix(node, f"{source.label}, {name}", source.budget)
    notes = [f"H5AD, {name}"]
    offered = sorted(file["obsm"]) if "obsm" in file else []
    if offered and options.use_rep is None and options.layer is None:
        notes.append(f"representations offered: {listed(offered, 6)} (--use-rep)")
    n, m = values.shape
    table = Table(values, notes=notes)
    table.ids = names_of(file, "obs", n, source)
    if name.startswith("obsm"):
        table.columns = tuple(f"{name[5:]}{j + 1}" for j in range(m))
    else:
        table.columns = names_of(file, "var", m, source)
    if options.labels is not None and options.labels_file is None:
        axis = "var" if options.transpose else "obs"
        labels = annotation(file, axis, options.labels, source)
        if len(labels) != (m if options.transpose else n):
            raise InputError(
                f"{source.label}: {axis} and {name} differ in length: damaged"
            )
        if options.transpose:
            table.column_classes = labels
        else:
            table.classes = labels
    return without_columns(table, options.drop, source.label)


def matrix_node(file: Any, options: Options, label: str) -> tuple[str, Any]:
    """Return the matrix asked for, and its name."""
    if options.layer is not None and options.use_rep is not None:
        raise InputError("--layer and --use-rep name two matrices; choose one")
    group, asked = ("layers", options.layer) if options.layer else ("obsm", "")
    asked = asked or options.use_rep or ""
    if not asked or asked == "X":
        if "X" not in file:
            raise InputError(
                f"{label} has no X; name a matrix with --layer or --use-rep"
            )
        return "X", file["X"]
    known = list(file[group]) if group in file else []
    if asked not in known:
        kind = "layer" if group == "layers" else "representation"
        raise unknown_name(kind, asked, known or ["X"])
    return f"{group}/{asked}", file[group][asked]


def matrix(node: Any, label: str, budget: int) -> Matrix:
    """Return a dense or sparse matrix as a dense one, within the budget."""
    h5py = extra("h5py", "anndata")
    if isinstance(node, h5py.Dataset):
        if node.ndim != 2 or node.dtype.kind not in "biuf":
            raise InputError(
                f"{label} is not a matrix of numbers but {node.shape}, {node.dtype}"
            )
        dtype = kept_type(node.dtype)
        afford(label, node.shape, budget, dtype.itemsize)
        values = np.empty(node.shape, dtype)
        if values.size:
            node.read_direct(values)  # straight into place: there is no second copy
        return values
    kind = str(node.attrs.get("encoding-type", node.attrs.get("h5sparse_format", "")))
    if kind not in ("csr_matrix", "csc_matrix", "csr", "csc"):
        raise InputError(
            f"{label} is stored as {shown(kind)}, not as a dense or sparse matrix"
        )
    return from_sparse(node, kind[:3], label, budget)


def from_sparse(node: Any, kind: str, label: str, budget: int) -> Matrix:
    """Return a compressed sparse matrix as a dense one, checked, read block by block.

    At no time are there more than BLOCK stored entries, or those of one row (of one
    column, if they are stored by columns), in addition to the dense matrix.
    """
    from scipy import sparse

    declared = node.attrs.get("shape", node.attrs.get("h5sparse_shape"))
    rows, columns = (int(size) for size in declared)
    dtype = kept_type(node["data"].dtype)
    afford(label, (rows, columns), budget, dtype.itemsize)
    afford(f"{label}/indptr", node["indptr"].shape, budget)
    ends = np.asarray(node["indptr"][()], dtype=np.int64)
    dense = np.zeros((rows, columns), dtype)
    lines = dense if kind == "csr" else dense.T
    stored = {len(node["data"]), len(node["indices"]), int(ends[-1])}
    if len(ends) != len(lines) + 1 or ends[0] or (np.diff(ends) < 0).any():
        raise ValueError("the pointers of its rows or columns are damaged")
    if len(stored) > 1:
        raise ValueError("its parts have different lengths")
    first = 0
    while first < len(lines):
        left = ends[first]
        last = int(np.searchsorted(ends, left + BLOCK, side="right")) - 1
        last = min(max(last, first + 1), len(lines))
        afford(f"{label}/data", (int(ends[last] - left),), budget)
        part: Any = sparse.csr_array(
            (
                np.asarray(node["data"][left : ends[last]], dtype=dtype),
                node["indices"][left : ends[last]],
                ends[first : last + 1] - left,
            ),
            shape=(last - first, lines.shape[1]),
        )
        part.check_format(full_check=True)
        lines[first:last] = part.toarray()
        first = last
    return dense


def names_of(file: Any, axis: str, length: int, source: Source) -> tuple[str, ...]:
    """Return the names along an axis."""
    if axis not in file:
        return ()
    frame = file[axis]
    if not hasattr(frame, "attrs") or not hasattr(frame, "keys"):
        raise InputError(f"{source.label} was written by an old anndata; save it again")
    index = frame.attrs.get("_index", "_index")
    if index not in frame:
        return ()
    names = texts(frame[index], f"{source.label}, {axis}", source.budget)
    if len(names) != length:
        raise InputError(
            f"{source.label}: {axis} has {len(names)} names for {length}: damaged"
        )
    return names


def annotation(file: Any, axis: str, name: str, source: Source) -> tuple[str, ...]:
    """Return a column of ``obs`` or ``var`` as text."""
    known = [k for k in file[axis] if k not in ("_index", "__categories")]
    if name not in known:
        raise unknown_name(f"column of {axis}", name, known)
    node, label = file[axis][name], f"{source.label}, {axis}/{name}"
    # Of a plain column the words would be looked for among its values.
    if hasattr(node, "keys") and "categories" in node and "codes" in node:
        categories = texts(node["categories"], label, source.budget)
        afford(label, node["codes"].shape, source.budget)
        codes = [int(code) for code in node["codes"][()]]
        if codes and not -1 <= min(codes) <= max(codes) < len(categories):
            raise InputError(f"{label} has codes without a category: damaged")
        return tuple("" if code < 0 else categories[code] for code in codes)
    return texts(node, label, source.budget)


def texts(node: Any, label: str, budget: int) -> tuple[str, ...]:
    """Return a vector as text, whole numbers without a point."""
    if not hasattr(node, "dtype"):
        raise InputError(
            f"{label} is not stored as a vector; convert it to categories or text"
        )
    afford(label, node.shape, budget)
    content = node[()]
    if node.ndim != 1:
        raise InputError(f"{label} has {node.ndim} dimensions, not 1")
    return tuple(
        item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item)
        for item in content.tolist()
    )
