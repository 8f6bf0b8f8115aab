"""The inner loops of ``nmf_brunet``: sums over components, four of them at once.

They are written in the compiler's own language. A sum over the numbers of a vector is
one in another order than a plain loop says, so the compiler never makes it by itself.
Products are rounded together with the sum that they are added to. There is code for
each number of vectors in a row, in which what is the row's own stays in registers.

Compiled code only: with ``NUMBA_DISABLE_JIT=1`` it cannot be called. numba keeps the
code of ``nmf_brunet`` as long as that file is unchanged: after a change here, touch it.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

#: Numbers in a vector. Twice as many were slower on a processor with AVX-512 (Zen 4):
#: the sum over a vector costs more there, and more components are padding.
WIDTH = 4
#: So many ratios are made before they are used: none waits for its division, and the
#: rows of the fixed factor that both need are still near. A multiple of ``WIDTH``.
AHEAD = 64

_INDEX, _NUMBER = ir.IntType(64), ir.DoubleType()
_VECTOR = ir.VectorType(_NUMBER, WIDTH)


def _address(builder: Any, row: Any, at: int) -> Any:
    place = builder.gep(row, [_INDEX(at)])
    return builder.bitcast(place, _VECTOR.as_pointer())


def _loaded(builder: Any, row: Any, vectors: int) -> list[Any]:
    """Return the first numbers of a row as vectors."""
    places = range(0, vectors * WIDTH, WIDTH)
    return [builder.load(_address(builder, row, at), align=8) for at in places]


def _stored(builder: Any, row: Any, vectors: list[Any]) -> None:
    """Write vectors into a row of numbers."""
    for number, one in enumerate(vectors):
        builder.store(one, _address(builder, row, number * WIDTH), align=8)


def _zeros(builder: Any, vectors: int) -> list[Any]:
    """Return variables for vectors, which are zero."""
    made = [cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)]
    for one in made:
        builder.store(ir.Constant(_VECTOR, None), one)
    return made


def _shuffled(builder: Any, a: Any, b: Any, places: Sequence[int]) -> Any:
    """Return the numbers of a, then b, at these places."""
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), list(places))
    return builder.shuffle_vector(a, b, mask)


def _spread(builder: Any, number: Any) -> Any:
    """Return a vector of one number."""
    empty = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(empty, number, ir.IntType(32)(0))
    return _shuffled(builder, first, empty, [0] * WIDTH)


def _fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a * b + c, rounded once."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    name = f"llvm.fma.v{WIDTH}f64"
    fused = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(fused, (a, b, c))


def _product(builder: Any, one: list[Any], other: list[Any]) -> Any:
    """Return a vector whose sum is that of the products of two rows."""
    total = builder.fmul(one[0], other[0])
    for a, b in zip(one[1:], other[1:], strict=True):
        total = _fused(builder, a, b, total)
    return total


def _sums(builder: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the sums over the numbers of a, b, c and d: (x0 + x1) + (x2 + x3)."""

    def folded(one: Any, other: Any, even: list[int], odd: list[int]) -> Any:
        return builder.fadd(
            _shuffled(builder, one, other, even), _shuffled(builder, one, other, odd)
        )

    ab = folded(a, b, [0, 4, 2, 6], [1, 5, 3, 7])
    cd = folded(c, d, [0, 4, 2, 6], [1, 5, 3, 7])
    return folded(ab, cd, [0, 1, 4, 5], [2, 3, 6, 7])


def _row(context: Any, builder: Any, kind: Any, value: Any, i: Any) -> Any:
    """Return where row i of a matrix begins."""
    array = context.make_array(kind)(context, builder, value)
    width = cgutils.unpack_tuple(builder, array.shape)[1]
    return builder.gep(array.data, [builder.mul(i, width)])


def _column_sums(typing: Any, factor: Any, out: Any, vectors: Any) -> Any:
    """Sum the rows of a factor into the first row of ``out``.

    vectors: a tuple of as many numbers as a row has vectors; only its length counts.
    """

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kinds = signature.args
        shape = context.make_array(kinds[0])(context, builder, given[0]).shape
        total = _zeros(builder, len(vectors))
        with cgutils.for_range(builder, cgutils.unpack_tuple(builder, shape)[0]) as at:
            row = _row(context, builder, kinds[0], given[0], at.index)
            for one, more in zip(total, _loaded(builder, row, len(total)), strict=True):
                builder.store(builder.fadd(builder.load(one), more), one)
        first = _row(context, builder, kinds[1], given[1], _INDEX(0))
        _stored(builder, first, [builder.load(one) for one in total])
        return context.get_dummy_value()

    return types.void(factor, out, vectors), code


def _improve(
    typing: Any,
    places: Any,
    entries: Any,
    span: Any,
    fixed: Any,
    moving: Any,
    i: Any,
    scale: Any,
    tiny: Any,
    vectors: Any,
) -> Any:
    """Multiply row i of ``moving`` by the means of data / model, weighted by ``fixed``.

    places, entries: where in ``fixed`` the rows of the non-zero entries begin, and what
    the entries are; span: the first entry of row i and the one after its last, a
    multiple of WIDTH further; scale: by what sums are multiplied, and what is then
    added; tiny: is added to the model; vectors: as for the sums.
    """

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        def data(number: int) -> Any:
            kind = signature.args[number]
            return context.make_array(kind)(context, builder, given[number]).data

        def row(number: int, i: Any) -> Any:
            return _row(context, builder, signature.args[number], given[number], i)

        def fixed_row(at: Any) -> list[Any]:
            place = builder.load(builder.gep(data(0), [at]))
            begin = builder.gep(data(3), [builder.sext(place, _INDEX)])
            return _loaded(builder, begin, len(vectors))

        def each(begin: Any, end: Any, step: int) -> Any:
            return cgutils.for_range_slice(builder, begin, end, _INDEX(step), _INDEX)

        mine = row(4, given[5])
        own = _loaded(builder, mine, len(vectors))
        # A sum waits for the one before: short rows leave registers for four of each.
        several = 4 if len(vectors) <= 2 else 2 if len(vectors) <= 4 else 1
        kept = [_zeros(builder, len(vectors)) for _ in range(several)]
        small = _spread(builder, given[7])
        ratios = cgutils.alloca_once(builder, _NUMBER, size=AHEAD)
        begin, end = cgutils.unpack_tuple(builder, given[2])
        with each(begin, end, AHEAD) as (first, _):
            last = builder.add(first, _INDEX(AHEAD))
            last = builder.select(builder.icmp_signed("<", last, end), last, end)
            with each(first, last, WIDTH) as (at, _):
                four = [fixed_row(builder.add(at, _INDEX(t))) for t in range(WIDTH)]
                model = _sums(builder, *(_product(builder, own, one) for one in four))
                entry = _loaded(builder, builder.gep(data(1), [at]), 1)[0]
                ratio = builder.fdiv(entry, builder.fadd(model, small))
                place = builder.gep(ratios, [builder.sub(at, first)])
                _stored(builder, place, [ratio])
            with each(first, last, WIDTH) as (at, _):
                for t in range(WIDTH):
                    here = builder.add(at, _INDEX(t))
                    place = builder.gep(ratios, [builder.sub(here, first)])
                    ratio = _spread(builder, builder.load(place))
                    sums = kept[t % several]
                    for total, one in zip(sums, fixed_row(here), strict=True):
                        more = _fused(builder, ratio, one, builder.load(total))
                        builder.store(more, total)
        factors = _loaded(builder, row(6, _INDEX(0)), len(vectors))
        better = _loaded(builder, row(6, _INDEX(1)), len(vectors))
        for number, one in enumerate(own):
            total = builder.load(kept[0][number])
            for more in kept[1:]:
                total = builder.fadd(total, builder.load(more[number]))
            mean = _fused(builder, total, factors[number], better[number])
            better[number] = builder.fmul(one, mean)
        _stored(builder, mine, better)
        return context.get_dummy_value()

    given = (places, entries, span, fixed, moving, i, scale, tiny, vectors)
    return types.void(*given), code


column_sums: Any = intrinsic(_column_sums)
improve: Any = intrinsic(_improve)
