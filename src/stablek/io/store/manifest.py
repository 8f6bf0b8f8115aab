"""The manifest of a run folder: what determines the run in it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stablek import version
from stablek.data import Dataset
from stablek.errors import InputError
from stablek.results.json_form import regular_text

MANIFEST = "manifest.json"
SCHEMA = 1


def data_digest(data: Dataset) -> str:
    """Return the SHA-256 of the values, the ids and the classes."""
    digest = hashlib.sha256()
    digest.update(f"{data.values.shape} {data.values.dtype.str}".encode())
    digest.update(data.values.tobytes())
    digest.update(json.dumps([data.ids, data.classes]).encode())
    return digest.hexdigest()


def manifest_of(data: Dataset, what: Mapping[str, Any]) -> dict[str, Any]:
    """Return what determines a run: its data, its settings, the versions of numbers."""
    used = version.versions()
    return {
        "schema": SCHEMA,
        "stablek": version.__version__,
        "versions": {name: used[name] for name in ("numpy", "scipy", "numba")},
        "data": {"n": data.n, "m": data.m, "sha256": data_digest(data)},
        "settings": json.loads(json.dumps(what, default=str)),
    }


def run_of(manifest: Mapping[str, Any]) -> str:
    """Return the sum by which the chunks of a run know to which one they belong."""
    text = json.dumps(manifest, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run folder."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(regular_text(file))
    except OSError:
        raise InputError(
            f"{folder} is not the folder of a run: it has no {MANIFEST}"
        ) from None
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict):
        raise InputError(f"{file} is damaged; start again with --restart")
    return manifest


def differences(old: Any, new: Any, where: str = "") -> list[str]:
    """Return what changed between two manifests, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        changes = []
        for key in sorted(set(old) | set(new)):
            path = f"{where}.{key}" if where else key
            changes += differences(old.get(key), new.get(key), path)
        return changes
    if old == new:
        return []
    names = {
        "data.sha256": "the input changed (sha256",
        "data.n": "items",
        "data.m": "columns",
    }
    word = names.get(where, where.removeprefix("settings."))
    close = ")" if word.endswith("(sha256") else ""
    return [f"{word} {_short(old)} -> {_short(new)}{close}"]


def refuse_other_run(folder: Path, old: Any, new: Any) -> None:
    """Refuse a folder whose manifest, or a part of it, is that of another run."""
    changed = differences(old, new)
    if changed:
        raise InputError(
            f"{folder} holds another run: {'; '.join(changed)}. Use a new folder, or "
            "use --restart to delete the old run"
        )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:8] + "..."
