"""Who may read a result: those who may read its folder."""

import os
import stat

import pytest

from stablek.cli import guarded
from stablek.io.store.atomic import rights_in


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def data(tmp_path):
    rows = "".join(f"s{i},{i % 3 * 9 + i / 50},{i * i % 7}\n" for i in range(15))
    (tmp_path / "x.csv").write_text("id,a,b\n" + rows)
    return tmp_path / "x.csv"


COMMANDS = {
    "run": ["-k", "2:3", "--repeats", "4"],
    "compare": ["-m", "fc,wcss", "-a", "hier-a", "-k", "2:3", "--repeats", "4"],
    "assess": ["-k", "2", "--repeats", "4"],
    "factorize": ["-k", "2"],
}


@pytest.mark.usefixtures("usual_umask")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_new_folder_and_all_in_it_are_private(command, data, tmp_path):
    out = tmp_path / "out"
    options = [*COMMANDS[command], "-q", "-o", str(out)]
    assert guarded([command, str(data), *options]) == 0
    assert rights(out) == 0o700
    files = [f for f in out.rglob("*") if not f.name.startswith(".lock")]
    assert len(files) > 2
    for file in files:
        assert rights(file) == (0o700 if file.is_dir() else 0o600), file


@pytest.mark.usefixtures("usual_umask")
@pytest.mark.parametrize(
    ("folder", "file"), [(0o755, 0o644), (0o750, 0o640), (0o711, 0o600)]
)
def test_a_folder_that_was_opened_gets_files_that_are(folder, file, data, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(folder)
    command = ["run", str(data), "-m", "wcss", "-k", "2:3", "-q", "-o", str(out)]
    assert guarded(command) == 0
    assert rights(out / "result.json") == rights(out / "labels.tsv") == file


def test_the_umask_has_the_last_word(data, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o777)
    assert rights_in(out) == 0o666
    before = os.umask(0o077)
    try:
        command = ["run", str(data), "-m", "wcss", "-k", "2:3", "-q", "-o", str(out)]
        assert guarded(command) == 0
    finally:
        os.umask(before)
    assert rights(out / "result.json") == 0o600
