"""Sets of small integers as bits of one int: the operations both modes share.

Bits 0..62 may be used; every set is a non-negative int64.
"""

from __future__ import annotations

from typing import Any

from reefsim.core.kernel import primitive


def _unary_instruction(instruction: str) -> Any:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def operation(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            x64 = context.cast(builder, args[0], signature.args[0], types.int64)
            if instruction == "ctpop":
                return builder.ctpop(x64)
            return builder.cttz(x64, context.get_constant(types.boolean, False))

        return types.int64(x), codegen

    return operation


@primitive(lambda: _unary_instruction("ctpop"))
def popcount(x: int) -> int:
    """Size of the set."""
    return x.bit_count()


@primitive(lambda: _unary_instruction("cttz"))
def lowest(x: int) -> int:
    """Smallest member of a non-empty set."""
    return (x & -x).bit_length() - 1


def _nth_instruction() -> Any:
    """`pdep` puts a lone bit on the n-th member in one instruction, where the processor has it."""
    from llvmlite import binding, ir
    from numba import njit, types
    from numba.core import cgutils
    from numba.extending import intrinsic

    if not binding.get_host_cpu_features().get("bmi2"):
        first = _unary_instruction("cttz")

        @njit(_nrt=False)  # type: ignore[untyped-decorator]
        def walk(x: Any, n: Any) -> Any:
            for _ in range(n):
                x &= x - 1
            return first(x)

        return walk

    @intrinsic
    def operation(typingctx: Any, x: Any, n: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            x64, n64 = (
                context.cast(builder, value, kind, types.int64)
                for value, kind in zip(args, signature.args, strict=True)
            )
            word = ir.IntType(64)
            deposit = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
            )
            bit = builder.call(deposit, [builder.shl(word(1), n64), x64])
            return builder.cttz(bit, context.get_constant(types.boolean, False))

        return types.int64(x, n), codegen

    return operation


@primitive(_nth_instruction)
def nth(x: int, n: int) -> int:
    """The n-th smallest member, n counted from 0 and below the size of the set."""
    for _ in range(n):
        x &= x - 1
    return (x & -x).bit_length() - 1
