"""Coverage-guided fuzzing of everything that is read.

``pip install atheris``, then ``python tests/io/fuzz_readers.py --inputs 1000000``. The
first byte of an input says which reader it is for, the second with which options; the
rest is the file. Every reader has its share of the inputs. What led to new places in
the code is kept in a folder of its own (``--corpus``); an input that breaks a reader,
or that another library reads differently (``other_readers.py``), goes to
``tests/io/seeds``, where ``test_io_fuzz.py`` tries it again for ever.
"""

import argparse
import functools
import hashlib
import importlib.util
import io
import math
import mmap
import os
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from pathlib import Path

import numpy as np
from other_readers import misread

SEEDS = Path(__file__).parent / "seeds"
KINDS = (
    "csv", "tsv.gz", "gct", "npy", "npz", "mtx", "parquet", "xlsx", "h5ad", "cls",
    "chunk", "json", "manifest", "annotations", "model", "member", "sheet",
)  # fmt: skip
OPTIONS = (
    {}, {"transpose": True}, {"missing": "mean"}, {"number_ids": True},
    {"id_column": False, "header": False}, {"decimal": ","}, {"precomputed": True},
    {"labels": "a"}, {"missing": "drop-rows", "transpose": True},
)  # fmt: skip
#: Kinds whose content is a member of an archive: the archive, and the member's name.
PACKED = {"member": ("npz", "X.npy"), "sheet": ("xlsx", "xl/worksheets/sheet1.xml")}

#: Of the inputs, the share of readers that take longer than the others, which have 1.
SHARES = {"sheet": 0.5, "h5ad": 0.25}
#: Seconds after which an input of a few kilobytes counts as one that never ends.
HANGS = 120

#: The code whose branches are followed.
FOLLOWED = ("stablek.io", "stablek.results.json_form", "stablek.api.model_file")
TABLE = "id,a,b\n" + "".join(f"s{i},{i % 3 * 9},{i * i % 7}\n" for i in range(6))


def attempt(raw: bytes, folder: Path) -> str:
    """Read one input; anything but an answer or a refusal is raised."""
    from stablek.errors import StablekError

    kind, option, content = KINDS[raw[0] % len(KINDS)], raw[1], raw[2:]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _attempt(kind, OPTIONS[option % len(OPTIONS)], content, folder)
    except StablekError:
        return "refused"
    return "read"


def _attempt(kind, options, content, folder):
    path = folder / f"x.{kind}"
    if kind == "chunk":
        return _chunk(content, folder)
    if kind == "manifest":
        from stablek.io.store.manifest import differences, read_manifest

        (folder / "manifest.json").write_bytes(content)
        return differences(read_manifest(folder), {"schema": 1})
    path.write_bytes(content)
    if kind == "json":
        return _results(path)
    from stablek.api.new_data import Model
    from stablek.io import read
    from stablek.io.readers import h5_probe
    from stablek.io.readers.annotations import with_annotations

    h5_probe.PATIENCE = 0.1  # seconds of the processor, for small files
    if kind in ("cls", "annotations"):
        if kind == "cls":
            found = read(table_in(folder), memory="200M", labels_file=path)
        else:
            found = with_annotations(items_in(folder), path)
            assert all(len(one.known) == found.n for one in found.annotations)
    elif kind == "model":
        return Model.load(path)
    elif kind in PACKED:
        path = packed(kind, content, folder)
        found = read(path, memory="200M", **options)
    else:
        found = read(path, memory="200M", **options)
    assert np.isfinite(found.values).all()
    assert found.values.shape == (found.n, found.m)
    wrong = misread(kind, path, options, found.values)
    assert wrong is None, f"misread: another library has no {wrong} at its place"
    assert not found.ids or len(found.ids) == found.n == len(set(found.ids))
    return found


@functools.cache
def table_in(folder):
    """Return the file of a small table."""
    table = folder / "table.csv"
    table.write_text(TABLE)
    return table


@functools.cache
def items_in(folder):
    """Return the items of the small table, which annotations are for."""
    from stablek.io import read

    return read(table_in(folder))


@functools.cache
def workbook():
    """Return the members of a small workbook."""
    file = io.BytesIO()
    frame().to_excel(file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def frame():
    """Return a small table with names."""
    import pandas as pd

    values = np.random.default_rng(4).normal(size=(6, 4))
    return pd.DataFrame(values, index=[f"s{i}" for i in range(6)], columns=list("abcd"))


def packed(kind, content, folder):
    """Write an archive in which the content is one member; its checksum is right."""
    suffix, name = PACKED[kind]
    path = folder / f"packed.{suffix}"
    with zipfile.ZipFile(path, "w") as archive:
        for other, text in workbook().items() if suffix == "xlsx" else ():
            if other != name:
                archive.writestr(other, text)
        archive.writestr(name, content)
    return path


def _chunk(content, folder):
    """Read a chunk whose checksum is right, as that of somebody else's folder."""
    from stablek.io.store.chunks import MAGIC
    from stablek.io.store.folder import RunFolder

    body = content if content.startswith(MAGIC) else MAGIC + content
    place = folder / "run"
    run = RunFolder(place, {"schema": 1}, begun=True)
    run.chunks.mkdir(parents=True, exist_ok=True)
    raw = body + hashlib.sha256(body).digest()
    (run.chunks / "run-000001.chunk").write_bytes(raw)
    kept = list(run.journal().kept([]))
    for file in run.chunks.iterdir():  # what was set aside
        file.unlink()
    return kept


def _results(path):
    from stablek.results.result import Result
    from stablek.results.verdict import Verdict

    kind = Verdict if b'"panel"' in path.read_bytes() else Result
    return kind.from_json(path)


@functools.cache
def first_inputs():
    """Return one good input for each reader, with each of some options."""
    import gzip

    import anndata
    import scipy.io

    from stablek.api.choose_k import choose_k
    from stablek.engine.plan import Output, Task
    from stablek.io.store.chunks import DIGEST, encode

    table = frame()
    X = table.to_numpy()
    made = {
        "csv": table.to_csv().encode(),
        "tsv.gz": gzip.compress(table.to_csv(sep="\t").encode(), mtime=0),
        "gct": b"#1.3\n3\t2\t1\t1\nid\ts\tA\tB\nsex\tna\tm\tf\n"
        b"g1\tS\t1\t2\ng2\tS\t4\t5\ng3\tS\t7\t9\n",
        "cls": b"6 2 1\n# a b\n0 0 0 1 1 1\n",
        "annotations": b"id,batch,age\n"
        + b"".join(b"s%d,b%d,%d\n" % (i, i // 3, 40 + i) for i in range(6)),
        "manifest": b'{"schema": 1, "data": {"n": 6}, "settings": {"seed": 0}}',
    }
    labels = np.arange(12, dtype=np.uint8).reshape(1, 1, 12) % 3
    made["chunk"] = encode([Output(Task("repeat", (2,), 0), labels)])[:-DIGEST]
    made["json"] = choose_k(X, "wcss", "hier-a", range(2, 4)).to_json().encode()
    for kind, write in {
        "npy": lambda f: np.save(f, X),
        "npz": lambda f: np.savez(f, X=X),
        "mtx": lambda f: scipy.io.mmwrite(f, X),
        "parquet": lambda f: table.to_parquet(f),
        "xlsx": lambda f: table.to_excel(f),
        "model": lambda f: np.savez(f, **small_model()),
    }.items():
        file = io.BytesIO()
        write(file)
        made[kind] = file.getvalue()
    made["member"] = made["npy"]
    made["sheet"] = workbook()[PACKED["sheet"][1]]
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(place) / "x.h5ad"
        anndata.AnnData(X.copy()).write_h5ad(path)
        made["h5ad"] = path.read_bytes()
    return [
        bytes([KINDS.index(kind), option]) + made[kind]
        for kind in KINDS
        for option in range(3)
    ]


def small_model():
    """Return the arrays of a model file, three clusters in one column."""
    return {
        "schema": np.array(1), "k": np.array(3), "columns": np.array(["a"]),
        "steps": np.array([], dtype="U1"), "inner": np.array(["log2"]),
        "inner0.columns": np.array(["a"]), "means": np.ones(1), "spreads": np.ones(1),
        "scores": np.arange(6.0)[:, None], "ks": np.array([3]),
        "partitions": np.arange(6)[None] % 3, "mean": np.zeros(1), "axes": np.eye(1),
        "length": np.array(np.nan),
    }  # fmt: skip


def all_modules():
    """Return the names of all modules of stablek, none of which is imported."""
    spec = importlib.util.find_spec("stablek")
    root = Path(spec.origin).parent
    parts = [
        file.relative_to(root.parent).with_suffix("").parts
        for file in root.rglob("*.py")
    ]
    return [".".join(part).removesuffix(".__init__") for part in parts]


def memory_folder():
    """Return a folder in memory, where there is one: files are written all the time."""
    shared = Path("/dev/shm")
    return shared if os.access(shared, os.W_OK) else None


class Fuzzing:
    """Inputs for one reader after the other, each in a process of its own."""

    def __init__(self, folder, corpus, more):
        self.folder, self.corpus, self.more = folder, corpus, more
        self.read = mmap.mmap(-1, 8)  # how many inputs; children count in it, too

    def run(self, kind, inputs, seconds):
        """Fuzz one reader; return the number of its inputs, and whether all is well."""
        corpus = self.corpus / kind
        corpus.mkdir(parents=True, exist_ok=True)
        kept = [file.read_bytes() for file in SEEDS.iterdir() if file.name != "README"]
        for raw in [*first_inputs(), *kept]:
            if KINDS[raw[0] % len(KINDS)] == kind:
                name = hashlib.sha1(raw, usedforsecurity=False).hexdigest()
                (corpus / name).write_bytes(raw)
        known = set(SEEDS.iterdir())
        self.read[:] = bytes(8)
        child = os.fork()
        if child == 0:
            self._fuzz(kind, corpus, inputs, seconds)
        status = os.waitpid(child, 0)[1]
        for file in set(SEEDS.iterdir()) - known:  # the first byte is for any reader
            file.write_bytes(bytes([KINDS.index(kind)]) + file.read_bytes()[1:])
            print(f"FOUND {file.name}", flush=True)
        good = status == 0 and set(SEEDS.iterdir()) == known
        return int.from_bytes(self.read[:], "little"), good

    def _fuzz(self, kind, corpus, inputs, seconds):
        import atheris

        place, seen = self.folder / kind, set()
        place.mkdir()

        def once(raw):
            count = int.from_bytes(self.read[:], "little") + 1
            self.read[:] = count.to_bytes(8, "little")
            raw = bytes([KINDS.index(kind)]) + (raw[1:] or b"\0")
            try:
                attempt(raw, place)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                name = (
                    f"{kind}-{type(error).__name__}-{Path(where.filename).stem}-"
                    f"{where.lineno}"
                )
                if name not in seen:  # each kind once; the others are looked for
                    seen.add(name)
                    (SEEDS / name).write_bytes(raw)
                    print(f"{name}: {error}", flush=True)

        options = [
            f"-max_total_time={max(1, int(seconds))}", f"-runs={inputs}",
            f"-timeout={HANGS}", f"-report_slow_units={HANGS}", "-rss_limit_mb=3000",
            "-max_len=20000",
            f"-artifact_prefix={SEEDS}/{kind}-", *self.more, str(corpus),
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options], once)
        atheris.Fuzz()


def main():
    """Fuzz for some minutes, or some inputs, whichever are over first.

    Fails if an input broke a reader, or if the time was over before all inputs.
    """
    import atheris

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--inputs", type=int, default=-1, help="-1: without end")
    parser.add_argument("--corpus", type=Path, default=None)
    parser.add_argument("--kinds", default=",".join(KINDS), help="which readers")
    asked, more = parser.parse_known_args()

    modules = all_modules()
    followed = [name for name in modules if name.startswith(FOLLOWED)]
    others = set(modules) - set(followed)
    # Kernels cannot be followed: what atheris adds to them cannot be compiled.
    with atheris.instrument_imports(include=["stablek"], exclude=[*others]):
        for name in followed:
            importlib.import_module(name)
    # The slow ones come last: what the others leave of the time is theirs.
    kinds = sorted(asked.kinds.split(","), key=lambda kind: -SHARES.get(kind, 1))
    whole = sum(SHARES.get(kind, 1) for kind in kinds)
    end, total, good = time.monotonic() + asked.minutes * 60, 0, True
    with tempfile.TemporaryDirectory(dir=memory_folder()) as place:
        fuzzing = Fuzzing(Path(place), asked.corpus or Path(place) / "corpus", more)
        for number, kind in enumerate(kinds):
            begin = time.monotonic()
            share = -1
            if asked.inputs >= 0:
                share = math.ceil(asked.inputs * SHARES.get(kind, 1) / whole)
            left = (end - begin) / (len(kinds) - number)
            count, well = fuzzing.run(kind, share, left)
            total, good = total + count, good and well
            took = time.monotonic() - begin
            print(f"{kind}: {count:,} inputs in {took:.0f} s", flush=True)
    print(f"{total:,} inputs read or refused", flush=True)
    if total < asked.inputs:
        print(f"the time was over before {asked.inputs:,} inputs")
    sys.exit(not good or total < asked.inputs)


if __name__ == "__main__":
    main()
