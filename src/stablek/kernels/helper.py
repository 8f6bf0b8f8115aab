"""A second process that compiles kernels while this one gets on with other work.

numba compiles one kernel at a time per process. On a first start the helper takes those
kernels that a verdict needs after the first (`stablek.kernels.rehearsal`); whoever
needs one of them waits for it. Then it takes those that a small verdict can do without,
for the next start. A helper that cannot start, or dies, costs time only.
"""

import atexit
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stablek.kernels.instructions import INTERPRETED

#: The kernels that are waited for, in the order in which a verdict asks for them.
KERNELS = ("_sweep", "_refine")


@dataclass
class Helper:
    """The process, once there is one; None if it was not needed or could not start."""

    process: subprocess.Popen[bytes] | None = None
    asked: bool = False
    rehearsed: bool = False

    def start(self) -> None:
        """Start the helper, unless there is nothing to compile or there was one."""
        if self.asked:
            return
        self.asked = True
        if INTERPRETED or are_compiled() or not sys.executable:
            return
        command = [sys.executable, "-m", "stablek.kernels.rehearsal"]
        none = subprocess.DEVNULL
        try:
            self.process = subprocess.Popen(
                command, stdin=none, stdout=none, stderr=none
            )
        except OSError:
            return
        atexit.register(self.end)

    def end(self) -> None:
        """End the process, if it is still at work."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def wait(self, name: str, load: Callable[[], Any]) -> Any:
        """Return what ``load`` returns once the helper is done with a kernel."""
        loaded = load()
        if loaded is not None or name not in KERNELS or self.process is None:
            return loaded
        if not self.rehearsed:
            self.rehearsed = True
            from stablek.kernels.rehearsal import rehearse_here

            rehearse_here()  # something useful, meanwhile
        while loaded is None:
            over = self.process.poll() is not None
            time.sleep(0 if over else 0.02)
            loaded = load()
            if over:
                break
        return loaded


HELPER = Helper()


def first_start_note() -> str:
    """Return what is said before the first answer; nothing if that comes at once."""
    if INTERPRETED:
        return "NUMBA_DISABLE_JIT is set: kernels are not compiled, and slow"
    if are_compiled():
        return ""
    return "compiling kernels for this machine (first run only)"


def are_compiled() -> bool:
    """Tell whether the kernels of a verdict were compiled before, on this machine."""
    from stablek.kernels.jit import is_compiled
    from stablek.kernels.lloyd import _sweep

    return is_compiled(_sweep)
