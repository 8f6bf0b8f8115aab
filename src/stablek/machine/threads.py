"""Work in threads of this process, for kernels that let other threads run."""

import _thread
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")

#: Seconds in which at least one thread must have begun.
PATIENCE = 10.0


@dataclass(frozen=True)
class Message(Generic[Done]):
    """What a thread hands over: that it has begun, work done, its end, or an error."""

    what: str
    done: Done | None = None
    error: BaseException | None = None


def in_threads(
    items: Iterator[Item], work: Callable[[Item, threading.Event], Done], workers: int
) -> Iterator[Done]:
    """Do the work on each item in threads; yield each outcome as it is done.

    ``work`` is given an event that is set when nobody waits for the outcome any more.
    joblib's pool of threads takes a tenth of a second to end, more than many a run;
    these end with the last item. Whoever stops listening, by Ctrl-C or otherwise, is
    not kept waiting, and the end of the process does not wait for them.
    """
    taking, stop = threading.Lock(), threading.Event()
    ready: queue.Queue[Message[Done]] = queue.Queue(2 * workers)

    def hand_over(handed: Message[Done]) -> None:
        while not stop.is_set():
            with suppress(queue.Full):
                ready.put(handed, timeout=0.1)
                break

    def run() -> None:
        try:
            hand_over(Message("begun"))
            while not stop.is_set():
                with taking:
                    try:
                        item = next(items)
                    except StopIteration:
                        break
                hand_over(Message("done", work(item, stop)))
            hand_over(Message("ended"))
        except BaseException as error:
            # Raised again where the outcomes are read.
            hand_over(Message("failed", error=error))

    begun = ended = 0
    try:
        for _ in range(workers):
            # Not Thread.start, which waits for ever where there is no memory left for
            # the thread to say that it has begun.
            _thread.start_new_thread(run, ())
        # A thread says that it has begun before it takes an item: when as many have
        # ended as have begun, nothing is under way.
        while not begun or ended < begun:
            try:
                handed = ready.get(timeout=None if begun else PATIENCE)
            except queue.Empty:
                raise MemoryError("no thread could begin") from None
            if handed.error is not None:
                raise handed.error
            if handed.what == "done":
                yield handed.done  # type: ignore[misc]
            begun += handed.what == "begun"
            ended += handed.what == "ended"
    finally:
        stop.set()
