"""Names that stand for a user's own measure or algorithm: ``module:name``."""

import importlib
import sys
from pathlib import Path
from typing import Any

from stablek.errors import InputError


def load_named(text: Any) -> Any:
    """Return the object ``module:name`` stands for; any other name unchanged.

    The current folder is searched too. The user typed the name, so importing it runs
    only what the user asked for.
    """
    if not isinstance(text, str) or ":" not in text:
        return text
    module, _, name = text.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        thing = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise InputError(
            f"cannot import '{text}': {error}; write module:name"
        ) from None
    except (Exception, SystemExit) as error:  # whatever a module of the user's does
        raise InputError(
            f"cannot import '{text}': {type(error).__name__}: {error}; fix {module}"
        ) from error
    bare = isinstance(thing, type) or not hasattr(thing, "fit_predict")
    try:
        return thing() if callable(thing) and bare else thing
    except TypeError as error:
        raise InputError(
            f"'{text}' is called without arguments, and that fails: {error}"
        ) from error
