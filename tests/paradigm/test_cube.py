import numpy as np
import pytest

from stablek.errors import StablekError
from stablek.paradigm.cube import PartitionCube, label_type, not_drawn, passing_file


def a_cube(repeats=4, ks=(2, 3, 4), n=6, seed=0):
    rng = np.random.default_rng(seed)
    cube = PartitionCube(repeats, ks, 1, n)
    for repeat in range(repeats):
        labels = np.stack([rng.integers(0, k, (1, n)) for k in ks])
        cube.put(repeat, ks, labels)
    return cube


@pytest.mark.parametrize(("k", "dtype"), [(2, "u1"), (254, "u1"), (255, "u2")])
def test_the_label_type_is_the_smallest_that_also_holds_not_drawn(k, dtype):
    assert label_type(k) == np.dtype(dtype)
    assert k - 1 < not_drawn(label_type(k))


def test_parts_of_a_run_put_in_any_order_make_the_whole():
    whole, again = a_cube(), PartitionCube(4, (2, 3, 4), 1, 6)
    for repeat in (3, 0, 2, 1):
        for k in (4, 2, 3):
            part = whole.labels[repeat, whole.ks.index(k)][None]
            again.put(repeat, (k,), part)
            again.put(repeat, (k,), part)  # twice is once
    assert again.filled.all()
    assert np.array_equal(again.labels, whole.labels)


def test_the_first_repeats_are_a_cube_of_their_own():
    cube = a_cube()
    assert np.array_equal(cube.first(2).labels, cube.labels[:2])


def test_a_cube_can_live_on_disk_from_the_start(tmp_path):
    cube = PartitionCube(2, (2, 3), 1, 5, path=tmp_path / "cube.npy")
    cube.put(1, (3,), np.array([[[0, 1, 2, 0, 1]]]))
    assert cube.filled.tolist() == [[False, False], [False, True]]
    assert cube.of_k(3).tolist() == [[0, 1, 2, 0, 1]]


def test_labels_of_one_k_leave_out_what_is_missing():
    cube = PartitionCube(3, (2,), 1, 2)
    cube.put(1, (2,), np.array([[[0, 1]]]))
    assert cube.of_k(2).tolist() == [[0, 1]]


def test_putting_ks_the_cube_does_not_have_in_a_row_is_refused():
    with pytest.raises(StablekError, match="not consecutive among the cube's ks"):
        a_cube().put(0, (2, 4), np.zeros((2, 1, 6)))


def test_the_largest_k_decides_how_wide_labels_are():
    cube = PartitionCube(1, (2, 300), 1, 3)
    assert cube.labels.dtype == np.uint16
    assert (cube.labels == 65535).all()
    assert not cube.filled.any()
    assert (cube.repeats, cube.roles, cube.n) == (1, 1, 3)


def test_some_ks_of_a_cube_keep_their_partitions_of_the_whole_data():
    cube = a_cube()
    cube.original = np.arange(18, dtype=np.uint8).reshape(3, 6)
    some = cube.at((4, 2))
    assert some.ks == (4, 2)
    assert some.original.tolist() == cube.original[[2, 0]].tolist()
    assert np.array_equal(some.labels, cube.labels[:, [2, 0]])
    assert np.array_equal(some.of_k(4), cube.of_k(4))
    assert cube.first(1).original is cube.original


def test_every_role_has_labels_of_its_own():
    cube = PartitionCube(1, (2,), 2, 3)
    cube.put(0, (2,), np.array([[[0, 0, 1], [1, 1, 0]]]))
    assert cube.of_k(2).tolist() == [[0, 0, 1]]
    assert cube.of_k(2, 1).tolist() == [[1, 1, 0]]


def test_a_passing_file_leaves_no_name_behind():
    with passing_file() as path:
        cube = PartitionCube(2, (2,), 1, 3, path)
        assert path.stat().st_size > 0
        assert path.stat().st_blocks > 0  # its room is taken, not promised
    assert not path.exists()
    assert (cube.labels == cube.missing).all()
    with passing_file() as path:
        path.unlink()
    assert not path.exists()


def test_partitions_with_fewer_clusters_than_asked_for_are_counted():
    cube = PartitionCube(3, (2, 3), 2, 4)
    none = cube.missing
    cube.put(0, (2, 3), np.array([[[0, 1, 0, 1], [0, 0, 0, none]],
                                  [[0, 1, 2, none], [2, 0, 1, 1]]]))  # fmt: skip
    cube.put(1, (3,), np.array([[[0, 0, 2, 2], [1, 1, 1, 1]]]))
    # At k = 2 one of the two put in, at k = 3 two of four; repeat 2 is empty.
    assert cube.fewer_clusters() == {2: (1, 2), 3: (2, 4)}


def test_some_ks_of_a_cube_without_a_partition_of_the_whole_data_have_none_either():
    cube = a_cube()
    assert cube.at((3,)).original is None
    assert cube.at((3,)).missing == cube.missing
    assert cube.first(2).filled.shape == (2, 3)


def test_room_on_disk_is_reserved_from_the_first_byte_to_the_last(
    tmp_path, monkeypatch
):
    asked = []
    monkeypatch.setattr(
        "os.posix_fallocate", lambda _, first, size: asked.append((first, size))
    )
    path = tmp_path / "cube.npy"
    PartitionCube(2, (2,), 1, 1000, path)
    assert asked == [(0, path.stat().st_size)]


def test_a_file_that_cannot_be_removed_yet_is_removed_at_the_end(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    at_the_end = []
    with monkeypatch.context() as patched:
        patched.setattr("pathlib.Path.unlink", refuse)
        patched.setattr("atexit.register", lambda *a, **k: at_the_end.append((a, k)))
        with passing_file() as path:
            assert path.name.startswith("stablek-")
            assert path.suffix == ".npy"
    assert path.exists()
    path.unlink()
    # What was left for the end accepts that somebody else has removed the file.
    (((_,), named),) = at_the_end
    path.unlink(**named)
