"""Mutation testing: change the source in one place, and see whether a test notices.

Run ``python tests/mutate.py [--sample N] [--seed 0] [--lines 10,20] [MODULE ...]``;
``significance`` stands for all of that folder, ``synopsis`` for its kernel as well.
Every mutant gets a forked process in which all of stablek is loaded; the code of the
module is exchanged in place (kernels are put in uncompiled, so that no cache hides a
change), then its tests run, the fastest first, until one fails. A mutant that no test
notices is printed with its line and counts as a survivor, even where it is equivalent
to the original. It ends with a table, and with status 1 if the share of a group is
below what ``--least`` asks for.

What is changed: operators, comparisons (each of a chain), conditions, signs, numbers,
True and False, min and max and their like, words that code reads (keys, names of
columns, methods), defaults of functions and of dataclasses, constants of the module;
and statements whose absence raises no NameError by itself are dropped: raise, break,
continue, assignments to elements of an array, and those of the kind ``x += y``.

What is left alone, because it cannot matter or is not ours to fix by a test:

- docstrings, text with blanks in it, f-strings and all that stands in a ``raise``:
  words for people (that the error is raised does count);
- annotations, names of types, imports, ``__all__`` and decorators: decided before
  anything runs;
- ``strict=`` of zip: an assertion that two lengths of our own making are equal.
"""

import argparse
import ast
import contextlib
import copy
import importlib
import io
import math
import os
import random
import resource
import sys
import time
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REAL_OUTPUT = os.dup(1)  # pytest takes the other while tests run
RULES = [
    "tests/paradigm/significance/test_rules_by_hand.py",
    "tests/paradigm/significance/test_edges_of_rules.py",
]

#: The modules, and the tests that are to notice what is done to them.
TESTS = {
    "indices": [
        "tests/paradigm/test_indices.py",
        "tests/paradigm/statistic/test_agreement.py",
    ],
    "synopsis.consensus": [
        "tests/paradigm/test_synopsis_columns.py",
        "tests/paradigm/test_synopsis.py",
    ],
    "synopsis.scores": [
        "tests/paradigm/test_synopsis_columns.py",
        "tests/paradigm/test_synopsis.py",
    ],
    "kernels.cells": [
        "tests/kernels/test_cells.py",
        "tests/paradigm/test_synopsis_columns.py",
    ],
    "cube": ["tests/paradigm/test_cube.py"],
    "significance.against_null": ["tests/paradigm/significance/test_gap.py", *RULES],
    "significance.calibrate": RULES,
    "significance.clest": ["tests/paradigm/significance/test_reliability.py", *RULES],
    "significance.area": ["tests/paradigm/significance/test_curve_rules.py", *RULES],
    "significance.curve": ["tests/paradigm/significance/test_curve_rules.py", *RULES],
    "significance.extremes": [
        "tests/paradigm/significance/test_reliability.py",
        *RULES,
    ],
    "significance.knee": [
        "tests/paradigm/significance/test_curve_rules.py",
        "tests/paradigm/significance/test_knee_scores.py",
    ],
    "significance.reliability": [
        "tests/paradigm/significance/test_reliability.py",
        "tests/paradigm/significance/test_reliable_ks.py",
    ],
    "significance.settings": ["tests/paradigm/significance/test_settings_rule.py"],
}

SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt,
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES = {
    "min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin", "any": "all",
    "all": "any", "ceil": "floor", "floor": "ceil", "minimum": "maximum",
    "maximum": "minimum", "nanmax": "nanmin", "nanmin": "nanmax", "fmin": "fmax",
    "fmax": "fmin", "nanargmax": "nanargmin",
}  # fmt: skip
OF_NUMPY = {
    "mean": "median", "median": "mean", "nanmean": "nanmedian", "nanmedian": "nanmean",
}  # fmt: skip
LEFT_ALONE = (
    ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom,
)  # fmt: skip
FIELDS_LEFT_ALONE = ("annotation", "returns", "decorator_list", "type_params", "bases")


def variants(node):
    """Yield changed copies of a node."""
    swap = type(getattr(node, "op", None))
    two = isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign))
    if two and swap in SWAPS and not _joins_text(node):
        yield _with(node, op=SWAPS[swap]())
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            other = SWAPS[type(op)]()
            yield _with(node, ops=[*node.ops[:at], other, *node.ops[at + 1 :]])
    if isinstance(node, ast.UnaryOp) and swap in (ast.Not, ast.USub, ast.Invert):
        yield node.operand
    if isinstance(node, (ast.If, ast.IfExp)) and not _turns_round(node.test):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Constant):
        yield from (_with(node, value=value) for value in _other_values(node.value))
    if isinstance(node, ast.Attribute):
        numpy = isinstance(node.value, ast.Name) and node.value.id == "np"
        names = {**NAMES, **OF_NUMPY} if numpy else NAMES
        if node.attr in names:
            yield _with(node, attr=names[node.attr])
    if isinstance(node, ast.Name) and node.id in ("min", "max", "any", "all"):
        yield _with(node, id=NAMES[node.id])
    if _can_be_dropped(node):
        yield ast.Pass()


def _other_values(value):
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
    elif isinstance(value, str) and " " not in value and value:
        yield "warn" if value == "ignore" else value + "_"  # of numpy's errstate


def _joins_text(node):
    return any(isinstance(part, ast.JoinedStr) for part in ast.walk(node))


def _turns_round(test):
    """Tell whether another variant of a condition is its negation already."""
    if isinstance(test, ast.Compare):
        two_sided = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
        return len(test.ops) == 1 and isinstance(test.ops[0], two_sided)
    return isinstance(test, ast.UnaryOp)


def _can_be_dropped(node):
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Subscript)
    return isinstance(node, (ast.Raise, ast.Break, ast.Continue, ast.AugAssign))


def _with(node, **changes):
    new = copy.copy(node)
    for name, value in changes.items():
        setattr(new, name, value)
    return new


def places(node):
    """Yield (owner, field, place or None, node) for every node that may be changed."""
    for name, value in ast.iter_fields(node):
        if name in FIELDS_LEFT_ALONE:
            continue
        several = isinstance(value, list)
        for place, child in enumerate(value if several else [value]):
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            if not isinstance(child, LEFT_ALONE) or isinstance(child, ast.Raise):
                yield node, name, place if several else None, child
            if not isinstance(child, LEFT_ALONE):
                yield from places(child)


def _is_left_alone(node):
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if isinstance(node, ast.Assign):
        name, value = getattr(node.targets[0], "id", ""), node.value
        alias = isinstance(value, ast.Subscript) and name.istitle()
        variable = isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar"
        return name == "__all__" or variable or alias
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def mutants(source):
    """Return (line, before, after, tree) of every mutant of a source text."""
    tree, found = ast.parse(source), []
    for owner, name, place, node in places(tree):
        for new in variants(node):
            old = getattr(owner, name)
            changed = new if place is None else [*old[:place], new, *old[place + 1 :]]
            setattr(owner, name, changed)
            ast.copy_location(new, node)
            whole = ast.fix_missing_locations(copy.deepcopy(tree))
            setattr(owner, name, old)
            words = [ast.unparse(x).splitlines()[0] for x in (node, new)]
            found.append((node.lineno, *words, whole))
    return found


def exchange(module, tree):
    """Give a module the code of a changed source, in place."""
    fresh = types.ModuleType(module.__name__)
    fresh.__dict__.update({"__file__": module.__file__})
    exec(compile(tree, module.__file__, "exec"), fresh.__dict__)
    for key, value in list(vars(fresh).items()):
        if hasattr(value, "py_func"):  # a kernel: interpreted, so that no cache is read
            _everywhere(vars(module)[key], value.py_func)
            setattr(fresh, key, value.py_func)
    _exchange(module, fresh, module.__name__)


def _everywhere(old, new):
    for holder in list(sys.modules.values()):
        for key, value in list(getattr(holder, "__dict__", {}).items()):
            if value is old:
                setattr(holder, key, new)


def _exchange(old, new, name):
    for key, value in list(vars(new).items()):
        was = vars(old).get(key)
        value, was = (getattr(x, "__func__", x) for x in (value, was))
        value, was = (getattr(x, "fget", x) for x in (value, was))
        value, was = (getattr(x, "__wrapped__", x) for x in (value, was))
        if isinstance(value, (bool, int, float, str, tuple)):
            if not key.startswith("__") and value != was:
                setattr(old, key, value)
        elif isinstance(value, dict) and not key.startswith("__"):
            mine = {k: vars(old).get(getattr(v, "__name__", None), v)
                    for k, v in value.items()}  # fmt: skip
            was.clear()
            was.update(mine)
        elif getattr(value, "__module__", None) != name:
            continue
        elif isinstance(value, types.FunctionType):
            if not value.__code__.co_freevars:
                was.__code__ = value.__code__
            was.__defaults__ = value.__defaults__
            was.__kwdefaults__ = value.__kwdefaults__
        elif isinstance(value, type):
            _exchange(was, value, name)


class Trial:
    """A plugin of pytest that collects tests once and then tries every mutant on them.

    The tests run on the unchanged code first, which loads all they need and tells how
    long each takes; then once more with the same code put in anew, as a mutant is.
    """

    def __init__(self, module, tree, some):
        self.module, self.tree, self.some = module, tree, some
        self.took, self.survivors = {}, []
        self.error = "were not found"

    def pytest_runtest_logreport(self, report):
        before = self.took.get(report.nodeid, 0.0)
        self.took[report.nodeid] = before + report.duration

    def pytest_runtestloop(self, session):
        began = time.process_time()
        if not _passed(session):
            self.error = "fail without any change"
            return True
        session.items.sort(key=lambda item: self.took[item.nodeid])
        seconds = 3 + math.ceil(3 * (time.process_time() - began))
        if self.noticed(session, self.tree, seconds):
            self.error = "fail with the same code put in anew"
            return True
        self.error = None
        for line, before, after, tree in self.some:
            if not self.noticed(session, tree, seconds):
                self.survivors.append(line)
                name = self.module.__name__.removeprefix("stablek.")
                text = f"  {name}:{line}: {before}  ->  {after}\n"
                os.write(REAL_OUTPUT, text.encode())
        return True

    def noticed(self, session, tree, seconds):
        """Tell whether a test fails with a changed module, or takes far too long."""
        child = os.fork()
        if child == 0:
            fine = False
            with contextlib.suppress(BaseException):
                # Of processor time, so that a busy machine does not pass for a loop.
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
                exchange(self.module, tree)
                fine = _passed(session)
            os._exit(0 if fine else 1)
        return os.waitpid(child, 0)[1] != 0


def _passed(session):
    following = [*session.items[1:], None]
    for item, then in zip(session.items, following, strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=then)
        if session.testsfailed:
            return False
    return True


def tried(name, asked):
    """Try the mutants of a module; return how many there are, were tried, noticed."""
    import pytest

    inside = "" if name.startswith("kernels") else "paradigm."
    module = importlib.import_module(f"stablek.{inside}{name}")
    source = Path(module.__file__).read_text(encoding="utf-8")
    found = mutants(source)
    lines = {int(line) for line in asked.lines.split(",") if line}
    some = [mutant for mutant in found if not lines or mutant[0] in lines]
    if asked.sample:
        some = random.Random(asked.seed).sample(some, min(asked.sample, len(some)))
    some.sort(key=lambda mutant: mutant[0])
    trial = Trial(module, ast.parse(source), some)
    with contextlib.redirect_stdout(io.StringIO()):
        quiet = ["-q", "-p", "no:cacheprovider", "-n0"]
        loaded = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        pytest.main([*quiet, *loaded, *TESTS[name]], plugins=[trial])
    if trial.error:
        sys.exit(f"the tests of {name} {trial.error}")
    dead = len(some) - len(trial.survivors)
    print(f"{name}: {dead} of {len(some)} noticed", flush=True)
    return len(found), len(some), dead


def group(name):
    """Return what a module is counted with; the kernel's sums are the synopsis's."""
    return "synopsis" if name == "kernels.cells" else name.split(".")[0]


def main():
    """Try the mutants of each module, print who survived, and a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, help="mutants per module; all if not set")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--lines", default="", help="only those of these lines")
    parser.add_argument("--least", type=float, default=0.85, help="share per group")
    parser.add_argument("modules", nargs="*", default=[group(name) for name in TESTS])
    asked = parser.parse_args()
    os.chdir(ROOT)
    from hypothesis import Phase, settings

    settings.register_profile(
        "mutants", database=None, deadline=None, derandomize=True,
        phases=[Phase.explicit, Phase.generate],  # to fail is enough: no shrinking
    )  # fmt: skip
    settings.load_profile("mutants")
    asked_for = [n for n in TESTS if {n, group(n)} & set(asked.modules)]
    rows = [(name, *tried(name, asked)) for name in asked_for]
    groups = {}
    for name, *counts in rows:
        sums = groups.setdefault(group(name), [0, 0, 0])
        sums[:] = [a + b for a, b in zip(sums, counts, strict=True)]
    print(f"{'module':<27} mutants  tried  killed  share")
    for name, every, some, dead in rows:
        print(f"{name:<27} {every:7} {some:6} {dead:7}  {dead / max(some, 1):6.1%}")
    for name, (every, some, dead) in groups.items():
        title = f"all of {name}"
        print(f"{title:<27} {every:7} {some:6} {dead:7}  {dead / max(some, 1):6.1%}")
    low = [
        name for name, (_, some, dead) in groups.items() if dead < asked.least * some
    ]
    sys.exit(f"below {asked.least:.0%}: {', '.join(low)}" if low else 0)


if __name__ == "__main__":
    main()
