"""Coverage-guided fuzzing of everything that is read.

``pip install atheris``, then ``python tests/io/fuzz_readers.py --minutes 10``. The
first byte of an input says which reader it is for, the second with which options; the
rest is the file. What led to new places in the code is kept in a folder of its own
(``--corpus``); an input that breaks a reader goes to ``tests/io/seeds``, where
``test_io_fuzz.py`` tries it again for ever.
"""

import argparse
import hashlib
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

import numpy as np

SEEDS = Path(__file__).parent / "seeds"
KINDS = (
    "csv", "tsv.gz", "gct", "npy", "npz", "mtx", "parquet", "xlsx", "h5ad", "cls",
    "chunk", "json", "manifest",
)  # fmt: skip
OPTIONS = (
    {}, {"transpose": True}, {"missing": "mean"}, {"number_ids": True},
    {"id_column": False, "header": False}, {"decimal": ","}, {"precomputed": True},
    {"labels": "a"}, {"missing": "drop-rows", "transpose": True},
)  # fmt: skip
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
    from stablek.io import read

    if kind == "cls":
        table = folder / "table.csv"
        table.write_text(TABLE)
        found = read(table, labels_file=path, memory="200M")
    else:
        found = read(path, memory="200M", **options)
    assert np.isfinite(found.values).all()
    assert found.values.shape == (found.n, found.m)
    assert not found.ids or len(found.ids) == found.n == len(set(found.ids))
    return found


def _chunk(content, folder):
    """Read a chunk whose checksum is right, as that of somebody else's folder."""
    from stablek.io.store.chunks import MAGIC
    from stablek.io.store.folder import RunFolder

    body = content if content.startswith(MAGIC) else MAGIC + content
    place = folder / "run"
    with RunFolder(place, {"schema": 1}) as run:
        run.begin()
        raw = body + hashlib.sha256(body).digest()
        run.begin()
        (run.chunks / "run-000001.chunk").write_bytes(raw)
        return list(run.journal().kept([]))


def _results(path):
    from stablek.results.result import Result
    from stablek.results.verdict import Verdict

    kind = Verdict if b'"panel"' in path.read_bytes() else Result
    return kind.from_json(path)


def first_inputs():
    """Return one good input for each reader, with each of some options."""
    import gzip
    import io

    import anndata
    import pandas as pd
    import scipy.io

    from stablek.api.choose_k import choose_k
    from stablek.engine.plan import Output, Task
    from stablek.io.store.chunks import DIGEST, encode

    X = np.random.default_rng(4).normal(size=(6, 4))
    frame = pd.DataFrame(X, index=[f"s{i}" for i in range(6)], columns=list("abcd"))
    made = {
        "csv": frame.to_csv().encode(),
        "tsv.gz": gzip.compress(frame.to_csv(sep="\t").encode(), mtime=0),
        "gct": b"#1.3\n3\t2\t1\t1\nid\ts\tA\tB\nsex\tna\tm\tf\n"
        b"g1\tS\t1\t2\ng2\tS\t4\t5\ng3\tS\t7\t9\n",
        "cls": b"6 2 1\n# a b\n0 0 0 1 1 1\n",
        "manifest": b'{"schema": 1, "data": {"n": 6}, "settings": {"seed": 0}}',
    }
    labels = np.arange(12, dtype=np.uint8).reshape(1, 1, 12) % 3
    made["chunk"] = encode([Output(Task("repeat", (2,), 0), labels)])[:-DIGEST]
    made["json"] = choose_k(X, "wcss", "hier-a", range(2, 4)).to_json().encode()
    for kind, write in {
        "npy": lambda f: np.save(f, X),
        "npz": lambda f: np.savez(f, X=X),
        "mtx": lambda f: scipy.io.mmwrite(f, X),
        "parquet": lambda f: frame.to_parquet(f),
        "xlsx": lambda f: frame.to_excel(f),
    }.items():
        file = io.BytesIO()
        write(file)
        made[kind] = file.getvalue()
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


def main():
    """Fuzz for some minutes."""
    import atheris

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=Path, default=None)
    asked, more = parser.parse_known_args()

    with atheris.instrument_imports(
        include=["stablek.io", "stablek.results.json_form"]
    ):
        pass
    with tempfile.TemporaryDirectory() as place:
        corpus = asked.corpus or Path(place) / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        for number, raw in enumerate(first_inputs()):
            (corpus / f"first-{number}").write_bytes(raw)
        folder = Path(place) / "work"
        folder.mkdir()

        seen = set()

        def once(raw):
            if len(raw) < 3:
                return
            try:
                attempt(raw, folder)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                name = (
                    f"{type(error).__name__}-{Path(where.filename).stem}-{where.lineno}"
                )
                if name not in seen:  # each kind once; the others are looked for
                    seen.add(name)
                    (SEEDS / name).write_bytes(raw)
                    print(f"FOUND {name}: {error}", flush=True)

        options = [
            f"-max_total_time={int(asked.minutes * 60)}", "-timeout=20",
            "-rss_limit_mb=3000", "-max_len=20000", f"-artifact_prefix={SEEDS}/",
            "-print_final_stats=1", *more, str(corpus), str(SEEDS),
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options], once)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
