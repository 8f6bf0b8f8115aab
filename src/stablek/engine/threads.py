"""Batches in threads of this process, for algorithms that let other threads run."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress

from stablek.contracts import NullModel
from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import carry_out

#: What a thread hands over: a batch's outputs, what went wrong, or None at its end.
Handed = list[Output] | BaseException | None


def in_threads(
    plan: Plan, cut: Iterator[Sequence[Task]], workers: int, model: NullModel | None
) -> Iterator[list[Output]]:
    """Carry out batches of tasks in threads; yield each as it is done.

    joblib's pool of threads takes a tenth of a second to end, more than many a run;
    these end with their last task. Whoever stops listening, by Ctrl-C or otherwise,
    is not kept waiting: the threads stop after the task they are at, and the end of
    the process does not wait for them.
    """
    taking, stop = threading.Lock(), threading.Event()
    ready: queue.Queue[Handed] = queue.Queue(2 * workers)

    def hand_over(what: Handed) -> None:
        while not stop.is_set():
            with suppress(queue.Full):
                ready.put(what, timeout=0.1)
                break

    def work() -> None:
        try:
            while True:
                with taking:
                    batch = next(cut, None)
                if batch is None:
                    break
                done = []
                for task in batch:
                    if stop.is_set():
                        return
                    done.append(carry_out(plan, task, model))
                hand_over(done)
            hand_over(None)
        except BaseException as error:
            hand_over(error)  # raised again where it is read

    running = workers
    try:
        for number in range(workers):
            name = f"stablek-{number}"
            threading.Thread(target=work, name=name, daemon=True).start()
        while running:
            handed = ready.get()
            if isinstance(handed, BaseException):
                raise handed
            if handed is None:
                running -= 1
            else:
                yield handed
    finally:
        stop.set()
