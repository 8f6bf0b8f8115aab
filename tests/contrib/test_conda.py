"""The conda recipe asks for what pyproject.toml asks for."""

import tomllib
from pathlib import Path

import pytest
import yaml  # dask brings it

from stablek.version import __version__

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def recipe():
    """Return the recipe with the words of its context filled in."""
    text = (ROOT / "contrib" / "conda" / "recipe.yaml").read_text()
    for name, value in yaml.safe_load(text)["context"].items():
        text = text.replace("${{ " + name + " }}", value)
    return yaml.safe_load(text)


@pytest.fixture
def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def plain(requirements):
    return sorted(text.replace(" ", "") for text in requirements)


def test_the_run_requirements_are_the_dependencies(recipe, pyproject):
    project = pyproject["project"]
    asked = [f"python {project['requires-python']}", *project["dependencies"]]
    assert plain(recipe["requirements"]["run"]) == plain(asked)


def test_the_host_has_what_the_build_needs(recipe, pyproject):
    oldest = pyproject["project"]["requires-python"].removeprefix(">=")
    asked = [f"python {oldest}.*", "pip", *pyproject["build-system"]["requires"]]
    assert plain(recipe["requirements"]["host"]) == plain(asked)


def test_it_builds_this_version_from_its_source_distribution(recipe):
    assert recipe["package"] == {"name": "stablek", "version": __version__}
    assert recipe["source"]["path"].endswith(f"/dist/stablek-{__version__}.tar.gz")


def test_command_licence_and_summary_are_the_same(recipe, pyproject):
    project = pyproject["project"]
    scripts = [f"{name} = {where}" for name, where in project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
    assert recipe["about"]["license"] == project["license"]
    assert [recipe["about"]["license_file"]] == project["license-files"]
    assert recipe["about"]["summary"] == project["description"]
