"""A file of options gives what it says, or is refused with key, value and remedy."""

import json
import os
import threading

import pytest

from stablek.cli import guarded

RUN = ("-k", "2:3", "--repeats", "5", "-j", "1", "--json", "-q")


@pytest.fixture
def numbers(tmp_path):
    """Return a file of numbers only: thirty items, and no header."""
    path = tmp_path / "numbers.csv"
    path.write_text("".join(f"{i % 3 * 9 + i / 50},{i % 7}\n" for i in range(30)))
    return path


def given(numbers, text, *more, capsys):
    config = numbers.with_name("c.toml")
    config.write_text(text)
    code = guarded(["run", str(numbers), "--config", str(config), *RUN, *more])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("text", ["no-header = true", "no_header = true"])
def test_a_negative_name_means_no(numbers, capsys, text):
    code, out, err = given(numbers, text, capsys=capsys)
    assert code == 0, err
    assert json.loads(out)["data"]["n"] == 30
    code, _, err = given(numbers, "no-header = false", capsys=capsys)
    assert code == 0, err
    code, out, _ = given(numbers, "header = true", capsys=capsys)
    assert json.loads(out)["data"]["n"] == 29


@pytest.mark.parametrize(
    ("name", "fast"), [("fast", True), ("no-fast", False), ("no_fast", False)]
)
def test_fast_and_not_fast_differ(numbers, capsys, name, fast):
    text = f'{name} = true\nno-header = true\nmeasure = "consensus"\n'
    code, out, err = given(numbers, text, capsys=capsys)
    assert code == 0, err
    assert json.loads(out)["settings"]["fast"] is fast


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed = 3.7", "seed = 3.7 is wrong: a whole number is expected"),
        ("seed = true", "seed = true is wrong: a whole number"),
        ("seed = 1979-05-27", "seed = 1979-05-27 is wrong: a whole number"),
        ("calibrate = 10.9", "calibrate = 10.9 is wrong: a whole number"),
        ("quiet = [1, 2]", "quiet = [1, 2] is wrong: true or false"),
        ('transpose = "yes"', "transpose = yes is wrong: true or false"),
        ("fraction = false", "fraction = false is wrong: a number"),
        ("ks = [2, 9]", 'ks = [2, 9] is wrong: text of the form "A:B"'),
        ("drop = [1979-05-27]", "drop = 1979-05-27 is wrong: text"),
        ("labels = true", "labels = true is wrong: text"),
        ("labels = [1]", "labels = [1] is wrong: text"),
        (r'out = "a\u0000b"', "out holds a NUL character"),
        ("nonnegative = 3", "nonnegative = 3 is wrong: one of shift, fold"),
        ("header = true\nno-header = true", "is given twice"),
        ("number-ids = true\nnumber_ids = true", "is given twice"),
    ],
)
def test_a_value_of_a_wrong_type_is_refused(numbers, capsys, text, told):
    code, out, err = given(numbers, text, capsys=capsys)
    assert (code, out) == (2, ""), err
    assert told in err


def test_numbers_are_taken_where_text_is_due(numbers, capsys):
    text = "no-header = true\nmemory = 2000000000\ndrop = [2]\nfraction = 0.8"
    code, out, err = given(numbers, text, capsys=capsys)
    assert code == 0, err
    assert json.loads(out)["data"]["m"] == 1


@pytest.mark.parametrize("what", ["device", "large"])
def test_what_never_ends_is_no_config(numbers, tmp_path, capsys, what):
    config = tmp_path / "c.toml"
    if what == "device":
        config.symlink_to("/dev/zero")
    else:
        config.write_bytes(b"#" * (2**20 + 1))
    assert guarded(["run", str(numbers), "--config", str(config), *RUN]) == 2
    assert "is larger than 1048576 bytes" in capsys.readouterr().err


def test_options_may_come_through_a_pipe(numbers, tmp_path, capsys):
    config = tmp_path / "c.toml"
    os.mkfifo(config)
    write = threading.Thread(target=config.write_text, args=("no-header = true\n",))
    write.start()
    assert guarded(["run", str(numbers), "--config", str(config), *RUN]) == 0
    write.join()


def test_one_text_stands_for_a_list_of_one(numbers, tmp_path, capsys):
    config = tmp_path / "c.toml"
    config.write_text('no-header = true\nmeasures = "fc,wcss"\nalgorithms = "hier-a"\n')
    given = ["compare", str(numbers), "--config", str(config), "-k", "2:3", "-j", "1"]
    assert guarded([*given, "--repeats", "4", "-q", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "wcss" in str(found)
