"""Cubes that lie in files."""

import os

from stablek.paradigm import cube as cubes


def test_room_for_a_file_is_not_reserved_where_that_cannot_be_asked(
    tmp_path, monkeypatch
):
    file = tmp_path / "x"
    file.write_bytes(b"1234")
    monkeypatch.delattr(os, "posix_fallocate")
    cubes.reserve(file)
    assert file.read_bytes() == b"1234"


def test_a_file_that_is_still_mapped_is_removed_at_the_end(monkeypatch):
    left = []
    monkeypatch.setattr(cubes.atexit, "register", lambda *call, **_: left.append(call))

    def held(path, missing_ok=False):
        raise PermissionError

    with monkeypatch.context() as mapped:
        mapped.setattr(cubes.Path, "unlink", held)
        with cubes.passing_file() as path:
            path.write_bytes(b"x")
    assert [call[0].__self__ for call in left] == [path]
    path.unlink()
