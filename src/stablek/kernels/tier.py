"""When a kernel pays: compiling one takes longer than small work in plain NumPy.

Some kernels have a second form in NumPy that gives the same bits. It does the work of a
process until there was so much of it that the kernel would have paid; from then on, and
wherever the kernel is there already, the kernel does. So a first answer on a small
table waits for fewer kernels.
"""

from dataclasses import dataclass
from typing import Any

from stablek.kernels.jit import is_compiled

#: So much work, in steps of a nanosecond or so, is done before a kernel is compiled.
ENOUGH = 50_000_000


@dataclass
class Tier:
    """The work done without a kernel so far. It decides about time, never about bits.

    Parameters
    ----------
    kernel
        As :func:`stablek.kernels.jit.kernel` returns it.
    step
        What one unit of the work takes without it, in nanoseconds.
    """

    kernel: Any
    step: float = 1.0
    done: float = 0.0

    def pays(self, work: int) -> bool:
        """Tell whether to take the kernel for some more work."""
        if not self.done and is_compiled(self.kernel):
            self.done = ENOUGH
        self.done += self.step * work
        return self.done > ENOUGH
