"""``--config``: options from a TOML file, each of the type that the option takes."""

from pathlib import Path
from typing import Any

import click

from stablek.errors import InputError, unknown_name

#: Options that a command kept in a folder must not bring back: they name files.
NOT_KEPT = ("--config", "--log")

#: Where a context keeps the file that options came from.
CONFIG = "stablek.config"

#: The most that is read of a file of options, in bytes.
LARGEST = 2**20


def read_config(
    ctx: click.Context, param: click.Parameter, value: Path | None
) -> Path | None:
    """Read options from a TOML file; those on the command line win."""
    if value is None:
        return None
    import tomllib

    ctx.meta[CONFIG] = value
    try:
        options = tomllib.loads(bounded_text(value).removeprefix("\ufeff"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot read {value}: {reason}") from None
    plain: dict[str, Any] = {}
    for name, given in options.items():
        option, negative = option_named(ctx.command, name, value)
        if option.name in plain:
            raise InputError(
                f"{value}: {name} is given twice, in two spellings; keep one"
            )
        check_type(option, name, given, value)
        if option.multiple and not isinstance(given, list):
            given = [given]
        plain[option.name or ""] = not given if negative else given
    ctx.default_map = {**(ctx.default_map or {}), **plain}
    return value


def bounded_text(file: Path) -> str:
    """Return the text of a file, or of a pipe of the user's own, which may not end."""
    from stablek.io.readers.streams import written_pipe

    raw = b""
    with written_pipe(file) if file.is_fifo() else file.open("rb") as stream:
        while len(raw) <= LARGEST and (more := stream.read(LARGEST + 1)):
            raw += more
    if len(raw) > LARGEST:
        raise InputError(
            f"{file} is larger than {LARGEST} bytes; is it a file of options?"
        )
    return raw.decode("utf-8")


def option_named(
    command: click.Command, name: str, file: Path
) -> tuple[click.Option, bool]:
    """Return the option of a long name, and whether the name is its negative."""
    known = {
        text.removeprefix("--"): (option, text in option.secondary_opts)
        for option in command.params
        if isinstance(option, click.Option)
        for text in (*option.opts, *option.secondary_opts)
        if text.startswith("--") and text not in (*NOT_KEPT, "--trust", "--help")
    }
    long = name.replace("_", "-")
    if long not in known:
        raise unknown_name(f"option in {file}:", name, known)
    return known[long]


def check_type(option: click.Option, name: str, given: Any, file: Path) -> None:
    """Refuse a value that TOML writes as something else than the option takes.

    Text is left to the option, which reads it as from the command line.
    """
    if isinstance(given, dict):
        raise InputError(
            f"{file}: [{name}] is a table; write {name} = ..., one per line"
        )
    kinds, words = expected_type(option)
    several = given if option.multiple and isinstance(given, list) else [given]
    for one in several:
        # True is an int to Python, and to nobody else.
        if isinstance(one, bool) != (kinds == (bool,)) or not isinstance(one, kinds):
            raise InputError(
                f"{file}: {name} = {shown(one)} is wrong: {words} is expected"
            )
        if "\0" in str(one):  # no command line can hold it, and no name of a file
            raise InputError(f"{file}: {name} holds a NUL character; remove it")


def expected_type(option: click.Option) -> tuple[tuple[type, ...], str]:
    """Return the types that an option takes from a file, and the words for them."""
    if option.is_flag:
        return (bool,), "true or false"
    if isinstance(option.type, click.types.IntParamType):
        return (int, str), "a whole number"
    if isinstance(option.type, click.types.FloatParamType):
        return (int, float, str), "a number"
    if isinstance(option.type, click.Choice):
        return (str,), f"one of {', '.join(map(str, option.type.choices))}"
    if option.multiple:
        return (int, float, str), "text, or a list of texts,"
    if option.type is click.STRING:
        return (int, float, str), "text"
    return (str,), f'text of the form "{option.type.name}"'


def shown(value: Any) -> str:
    """Return a value as TOML writes it, shortened.

    Examples
    --------
    >>> shown(True), shown(3.7), shown([1, 2])
    ('true', '3.7', '[1, 2]')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def config_arguments() -> list[str]:
    """Return the options that came from --config, as they would be typed."""
    ctx = click.get_current_context(silent=True)
    if ctx is None or not ctx.default_map:
        return []
    from_file = click.core.ParameterSource.DEFAULT_MAP
    texts: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        if ctx.get_parameter_source(name) is not from_file:
            continue
        value, long = ctx.default_map[name], param.opts[-1]
        if isinstance(param, click.Option) and param.is_flag:
            texts += [long] if value else param.secondary_opts[-1:]
        else:
            several = value if isinstance(value, list) else [value]
            texts += [part for one in several for part in (long, str(one))]
    return texts
