"""The only source of randomness: generators named by a key, never drawn in sequence.

A generator depends on the seed and on its key, and on nothing else. So the outcome of
a run does not depend on the number of workers, on their order, on a restart, or on
which other ks were asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from stablek.errors import InputError

if TYPE_CHECKING:
    import numpy as np

Key = str | int


def stream(seed: int, *key: Key) -> np.random.Generator:
    """Return the generator that belongs to this seed and key.

    The key is written out with its types and lengths ("1" and 1 differ, as do ("ab",)
    and ("a", "b")), hashed to 128 bits, and taken as the key of a Philox counter
    generator, whose stream NumPy keeps stable between versions.

    Examples
    --------
    >>> int(stream(0, "sample", 3).integers(1000))
    894
    >>> int(stream(0, "sample", 3).integers(1000))
    894
    """
    import numpy as np

    text = repr((int(seed), *key)).encode()
    digest = hashlib.blake2b(text, digest_size=16, person=b"stablek-stream-1").digest()
    return np.random.Generator(np.random.Philox(_as_key()(digest)))


@cache
def _as_key() -> Callable[[bytes], Any]:
    """Return the class that hands a digest to Philox as its key.

    ``Philox(key=...)`` gives the same stream, but first draws entropy from the system
    that it then does not use: two thirds of the time it takes to make a stream.
    """
    import numpy as np
    from numpy.random.bit_generator import ISeedSequence

    class AsKey(ISeedSequence):
        def __init__(self, digest: bytes) -> None:
            self.key = np.frombuffer(digest, "<u8").astype(np.uint64)

        def __reduce__(self) -> tuple[Any, ...]:
            # A generator pickles with its state, which says all.
            return np.random.SeedSequence, (0,)

        def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
            del n_words, dtype  # Philox asks for its key: two words of 64 bits
            return self.key

    return AsKey


def seed_of(given: Any) -> int:
    """Return the seed that other libraries give as a number or as a generator.

    A Generator or a RandomState gives the next number it draws; None means 0, so that
    equal calls give equal results.
    """
    if given is None:
        return 0
    if hasattr(given, "integers"):
        return int(given.integers(2**31))
    if hasattr(given, "randint"):
        return int(given.randint(2**31 - 1))
    return int(given)


def seed_from(seed: int, random_state: Any = None) -> int:
    """Return the seed, which may be given by scikit-learn's word for it instead."""
    if random_state is None:
        return int(seed)
    if seed:
        raise InputError("seed and random_state mean the same; give one of them")
    return seed_of(random_state)


@dataclass(frozen=True, slots=True)
class Streams:
    """All the streams under one prefix: ``Streams(0, ("null", 3))("k", 2)``.

    Ingredients are handed a ``Streams`` and name what they draw; they never see the
    seed or each other's keys.
    """

    seed: int
    prefix: tuple[Key, ...] = ()

    def __call__(self, *key: Key) -> np.random.Generator:
        """Return the generator under this prefix with this key."""
        return stream(self.seed, *self.prefix, *key)

    def under(self, *key: Key) -> Streams:
        """Return the streams whose prefix is longer by this key."""
        return Streams(self.seed, (*self.prefix, *key))
