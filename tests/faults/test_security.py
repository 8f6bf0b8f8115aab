"""Nothing from outside is run: no pickle, no eval, no network in the source."""

import ast
from pathlib import Path

import stablek

SOURCE = Path(stablek.__file__).parent

#: What a module may use that others may not, and why.
ALLOWED = {
    ("testing.py", "pickle"): "checks that an object at hand survives pickling",
    ("kernels/cache.py", "pickle"): "numba's own form of compiled code, in its folder",
    ("kernels/helper.py", "subprocess"): "this Python again, to compile beside the run",
    ("io/store/lock.py", "socket"): "gethostname: who holds a folder",
    ("engine/execution/dask_cluster.py", "distributed"): "--backend dask, asked for",
}

MODULES = {
    "pickle", "cloudpickle", "dill", "marshal", "shelve", "yaml", "requests", "urllib",
    "http", "socket", "ftplib", "smtplib", "telnetlib", "xmlrpc", "aiohttp", "httpx",
    "subprocess", "distributed", "numexpr", "ctypes",
}  # fmt: skip
CALLS = {
    "eval", "exec", "compile", "__import__", "system", "popen", "query", "read_pickle",
    "to_pickle",
}  # fmt: skip


def uses(tree):
    """Yield the names of modules imported and of functions called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "id", None) or getattr(function, "attr", "")
            plain = isinstance(function, ast.Name) or name not in ("compile", "exec")
            tree_of_points = name == "query" and "tree" in ast.unparse(function).lower()
            if name in CALLS and plain and not tree_of_points:
                yield name


def test_the_source_uses_nothing_that_runs_or_sends_what_it_reads():
    found = {
        (path.relative_to(SOURCE).as_posix(), name)
        for path in SOURCE.rglob("*.py")
        for name in uses(ast.parse(path.read_text(encoding="utf-8")))
        if name in MODULES | CALLS
    }
    assert found - set(ALLOWED) == set()
    assert set(ALLOWED) - found == set(), "an exception that is needed no longer"


def test_arrays_are_never_read_with_pickle():
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called in ("np.load", "numpy.load", "np.lib.format.read_array"):
                given = {k.arg: ast.unparse(k.value) for k in node.keywords}
                assert given.get("allow_pickle") == "False", f"{path}:{node.lineno}"


def test_templates_escape_everything():
    for path in (SOURCE / "report" / "page" / "templates").iterdir():
        text = path.read_text(encoding="utf-8")
        assert "|safe" not in text.replace(" ", "")
        assert "Markup(" not in text
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "to_excel" not in text, path
        assert "autoescape=False" not in text, path
