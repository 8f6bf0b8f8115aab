"""Mutation testing: change the source in one place, and see whether a test notices.

Run ``python tests/mutate.py [--sample 100] [--seed 0] [MODULE ...]``. Every mutant gets
a forked process in which all of stablek is loaded; the code of the function is
exchanged in place, then its tests run until one fails. A mutant that no test notices is
printed with its line. Mutants are made within functions: operators, comparisons,
conditions, numbers, True and False, min and max. Text is left alone.
"""

import argparse
import ast
import contextlib
import copy
import importlib
import io
import os
import random
import signal
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: The modules, and the tests that are to notice what is done to them.
TESTS = {
    "indices": ["tests/test_indices.py", "tests/statistic/test_agreement.py"],
    "cube": ["tests/test_cube.py"],
    "synopsis": ["tests/test_synopsis_columns.py", "tests/test_synopsis.py"],
    "significance.against_null": ["tests/significance/test_gap.py"],
    "significance.calibrate": ["tests/significance/test_rules_by_hand.py"],
    "significance.clest": ["tests/significance/test_rules_by_hand.py"],
    "significance.curve": [
        "tests/significance/test_rules_by_hand.py",
        "tests/significance/test_curve_rules.py",
    ],
    "significance.extremes": ["tests/significance/test_reliability.py"],
    "significance.knee": ["tests/significance/test_curve_rules.py"],
    "significance.reliability": ["tests/significance/test_reliability.py"],
}

SECONDS = 60
FUNCTION = types.FunctionType
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
    "maximum": "minimum", "nanmax": "nanmin", "nanmin": "nanmax",
}  # fmt: skip


def variants(node):
    """Yield changed copies of a node, each with a few words."""
    swap = getattr(node, "op", None)
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(swap) in SWAPS:
        yield _with(node, op=SWAPS[type(swap)]())
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield _with(node, ops=[SWAPS[type(node.ops[0])](), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp) and isinstance(swap, (ast.Not, ast.USub)):
        yield node.operand
    if isinstance(node, (ast.If, ast.IfExp)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _with(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield _with(node, value=node.value + 1)
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield _with(node, attr=NAMES[node.attr])
    if isinstance(node, ast.Name) and node.id in NAMES:
        yield _with(node, id=NAMES[node.id])


def _with(node, **changes):
    new = copy.copy(node)
    for name, value in changes.items():
        setattr(new, name, value)
    return new


def places(tree):
    """Yield (owner, field, place or None, node) for every node inside functions."""

    def walk(node, inside):
        inside = inside or isinstance(node, (ast.FunctionDef, ast.Lambda))
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            several = isinstance(value, list)
            for place, child in enumerate(value if several else [value]):
                if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                    continue
                if inside:
                    yield node, name, place if several else None, child
                yield from walk(child, inside)

    yield from walk(tree, inside=False)


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
    """Give the functions of a module the code of a changed source, in place."""
    fresh = types.ModuleType(module.__name__)
    fresh.__dict__.update({"__file__": module.__file__})
    exec(compile(tree, module.__file__, "exec"), fresh.__dict__)
    _exchange(module, fresh, module.__name__)


def _exchange(old, new, name):
    for key, value in list(vars(new).items()):
        was = vars(old).get(key)
        value, was = (getattr(x, "__func__", x) for x in (value, was))
        value, was = (getattr(x, "fget", x) for x in (value, was))
        value, was = (getattr(x, "__wrapped__", x) for x in (value, was))
        if getattr(value, "__module__", None) != name:
            continue
        if isinstance(value, FUNCTION) and isinstance(was, FUNCTION):
            if not value.__code__.co_freevars:
                was.__code__ = value.__code__
            was.__defaults__ = value.__defaults__
            was.__kwdefaults__ = value.__kwdefaults__
        elif isinstance(value, type) and isinstance(was, type):
            _exchange(was, value, name)


def noticed(module, tree, tests):
    """Tell whether the tests notice a mutant; one that takes too long is noticed."""
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            signal.alarm(SECONDS)
            exchange(module, tree)
            code = run(tests)
        os._exit(0 if code == 0 else 1)
    return os.waitpid(child, 0)[1] != 0


def run(tests):
    """Run tests in this process, quietly; return 0 if all passed."""
    import pytest

    with contextlib.redirect_stdout(io.StringIO()):
        quiet = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        loaded = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        return int(pytest.main([*quiet, *loaded, *tests]))


def main():
    """Try a sample of the mutants of each module and print who survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=100, help="mutants per module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("modules", nargs="*", default=list(TESTS))
    asked = parser.parse_args()
    os.chdir(ROOT)
    from hypothesis import settings

    settings.register_profile("mutants", database=None, deadline=None)
    settings.load_profile("mutants")
    every = killed = 0
    for name in asked.modules:
        module = importlib.import_module(f"stablek.{name}")
        if run(TESTS[name]):  # also loads all that the tests need
            sys.exit(f"the tests of {name} fail without any change")
        found = mutants(Path(module.__file__).read_text(encoding="utf-8"))
        some = random.Random(asked.seed).sample(found, min(asked.sample, len(found)))
        dead = 0
        for line, before, after, tree in sorted(some, key=lambda x: x[0]):
            if noticed(module, tree, TESTS[name]):
                dead += 1
            else:
                print(f"  {name}:{line}: {before}  ->  {after}", flush=True)
        print(
            f"{name}: {dead} of {len(some)} noticed ({len(found)} in all)", flush=True
        )
        every, killed = every + len(some), killed + dead
    print(f"all: {killed} of {every} = {killed / every:.1%}")


if __name__ == "__main__":
    main()
