import hashlib
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stablek.data.seeds import Streams, seed_of, stream

KEYS = st.lists(st.one_of(st.integers(-5, 5), st.text(max_size=3)), max_size=4)


@given(st.integers(0, 2**40), KEYS)
def test_the_same_seed_and_key_give_the_same_stream(seed, key):
    first = stream(seed, *key).integers(2**60, size=4)
    again = stream(seed, *key).integers(2**60, size=4)
    assert first.tolist() == again.tolist()


@given(KEYS, KEYS)
def test_different_keys_give_different_streams(first, second):
    same = stream(0, *first).integers(2**62) == stream(0, *second).integers(2**62)
    assert same == (
        first == second and [type(x) for x in first] == [type(x) for x in second]
    )


def test_a_number_and_its_text_are_different_keys():
    assert stream(0, 1).integers(2**62) != stream(0, "1").integers(2**62)


def test_streams_under_a_prefix_are_the_streams_with_the_longer_key():
    longer = Streams(3, ("null", 2)).under("k")
    assert longer(5).integers(2**62) == stream(3, "null", 2, "k", 5).integers(2**62)


def test_streams_are_the_ones_of_the_first_version():
    # Golden: a change here changes every result of every user.
    draws = [int(stream(0, "sample", i).integers(1000)) for i in range(3)]
    assert draws == [828, 285, 833]


@given(st.integers(0, 2**40), KEYS)
def test_a_stream_is_philox_with_the_digest_as_its_key(seed, key):
    text = repr((seed, *key)).encode()
    digest = hashlib.blake2b(text, digest_size=16, person=b"stablek-stream-1").digest()
    bits = np.random.Philox(key=int.from_bytes(digest, "little"))
    there = np.random.Generator(bits)
    here = stream(seed, *key)
    assert here.bit_generator.state["state"]["key"].dtype == np.uint64
    assert (
        here.integers(2**62, size=9).tolist() == there.integers(2**62, size=9).tolist()
    )
    assert here.normal(size=3).tolist() == there.normal(size=3).tolist()


def test_a_generator_survives_a_pickle_where_it_stands():
    here = stream(7, "sample", 1)
    here.random(5)
    copy = pickle.loads(pickle.dumps(here))
    assert copy.random(4).tolist() == here.random(4).tolist()


def test_a_seed_is_a_number_or_what_draws_one():
    make = np.random.default_rng
    assert (seed_of(None), seed_of(7), seed_of(np.int64(8))) == (0, 7, 8)
    assert seed_of(make(1)) == int(make(1).integers(2**31))
    old = np.random.RandomState
    assert seed_of(old(1)) == int(old(1).randint(2**31 - 1))
