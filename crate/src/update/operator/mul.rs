//! `$mul`: multiplies a number.

use super::arithmetic::{self, Operation};
use super::{Argument, Compiled};

static MUL: Operation = Operation {
    name: "$mul",
    verb: "multiply",
    integers: i64::checked_mul,
    doubles: |a, b| a * b,
    decimals: |a, b| a * b,
};

/// Compiles `{$mul: {path: number}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    arithmetic::compile(&MUL, argument)
}
