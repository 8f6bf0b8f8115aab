"""The command line in a forked process: a start costs milliseconds, not seconds.

The fork server imports this module once, and with it all of stablek; a child redirects
its output to files and runs one command, as ``python -m stablek`` would.
"""

import contextlib
import errno
import importlib
import io
import os
import random
import sys
import tempfile
import time
import warnings
from pathlib import Path

from stablek.cli import guarded


def warm_up():
    """Run commands once, so that a child finds all modules and kernels in memory."""
    rows = [f"s{i},{i % 3 * 9 + i / 50},{i * i % 7}\n" for i in range(300)]
    with (
        tempfile.TemporaryDirectory() as place,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        table, out = Path(place) / "x.csv", str(Path(place) / "out")
        table.write_text("id,a,b\n" + "".join(rows[:24]))
        some = [str(table), "-k", "2:3", "-q", "-j", "1"]
        guarded(["run", *some, "--repeats", "4", "-o", out])
        guarded(["compare", *some, "-m", "fc,gap-pc", "-a", "hier-a,kmeans-r",
                 "--set", "repeats=4", "-o", out + "2"])  # fmt: skip
        guarded(["verdict", *some, "--repeats", "10", "--null-sets", "4"])
        # Many items are joined by another kernel than few are.
        table.write_text("id,a,b\n" + "".join(rows))
        guarded(["compare", *some, "-m", "fc,gap-pc", "--set", "repeats=2"])


if "stablek.api.choose_k" not in sys.modules:  # the fork server, not the tests
    warm_up()


def hold_after(kept, keepers):
    """Have this process wait for a file ``go`` once its keepers have kept so much.

    So it cannot end before it is stopped, however slow the one who stops it is.
    """
    left = [kept]
    go = Path.cwd() / "go"

    def held(real):
        def keep(*given):
            while left[0] <= 0 and not go.exists():
                time.sleep(0.02)
            left[0] -= 1
            return real(*given)

        return keep

    for module, owner, name in keepers:
        keeper = getattr(importlib.import_module(module), owner)
        setattr(keeper, name, held(getattr(keeper, name)))


#: What changes a folder, by the names that Python's audit hooks have for it.
CHANGES = (
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink",
    "os.truncate",
)  # fmt: skip

#: Those that a full disk refuses.
NEED_ROOM = ("os.mkdir", "os.link", "os.symlink")

#: The real clock.
NOW = time.time


def fail_at(number, folder, counted, how="die"):
    """Have this process fail just before it changes ``folder`` for the n-th time.

    To open a file for writing, to flush it, to rename, link, remove or make one counts.
    It dies, or with ``how="full"`` finds the disk full from then on: nothing but names
    can be changed and removed. A file that was not flushed is cut in half, as a disk
    may leave it. How often the folder was changed is written to the file ``counted``
    when the process lives on.
    """
    seen = [0]
    inside = os.path.realpath(folder) + os.sep

    def count(needs_room=True):
        seen[0] += 1
        if seen[0] == number and how == "die":
            os._exit(137)
        if 0 < number <= seen[0] and needs_room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), folder)

    def of_folder(path):
        if isinstance(path, int) or path is None:
            return False
        return os.path.realpath(os.fsdecode(path)).startswith(inside)

    def hook(event, given):
        if event == "open":
            path, _, flags = given
            changes = (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if changes and of_folder(path):
                count()
        elif event in CHANGES and of_folder(given[0]):
            count(needs_room=event in NEED_ROOM)

    flush = os.fsync

    def fsync(handle):
        name = Path(f"/proc/self/fd/{handle}").readlink()
        if of_folder(name) and name.is_file():
            if seen[0] + 1 == number:
                os.ftruncate(handle, os.fstat(handle).st_size // 2)
            count()
        flush(handle)

    os.fsync = fsync
    sys.addaudithook(hook)
    leave = os._exit

    def told(code):
        Path(counted).write_text(str(seen[0]))
        leave(code)

    os._exit = lambda code: leave(code) if code == 137 else told(code)


class JumpingClock:
    """A clock that is set again and again, by hours or years, to and fro."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def __call__(self):
        """Return the seconds since 1970 that it shows now."""
        return NOW() + self.rng.choice([0, 0, -3e8, -7200, 7200, 3e8])


def run(arguments, folder, out, err, patches, limits, hold, keepers, fail=None):
    """Run one command.

    ``patches`` are (module, name, value), ``limits`` for rlimit; ``hold`` is how often
    ``keepers`` (module, class, method) keep something before it waits; ``fail`` says at
    which change of which folder it fails, and how.
    """
    for target, path in ((1, out), (2, err)):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(handle, target)
        os.close(handle)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8")
    os.chdir(folder)
    for name, size in limits.items():
        import resource

        if name == "SPARE":  # address space beyond what is in use
            used = int(Path("/proc/self/statm").read_text().split()[0])
            size += used * resource.getpagesize()
            name = "RLIMIT_AS"
        resource.setrlimit(getattr(resource, name), (size, size))
    for module, name, value in patches:
        setattr(importlib.import_module(module), name, value)
    if hold is not None:
        hold_after(hold, keepers)
    if fail is not None:
        fail_at(*fail)
    warnings.simplefilter("default")
    sys.argv = ["stablek", *arguments]
    code = guarded(list(arguments))
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
