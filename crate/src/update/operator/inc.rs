//! `$inc`: adds to a number.

use super::arithmetic::{self, Operation};
use super::{Argument, Compiled};

static INC: Operation = Operation {
    name: "$inc",
    verb: "increment",
    integers: i64::checked_add,
    doubles: |a, b| a + b,
    decimals: |a, b| a + b,
};

/// Compiles `{$inc: {path: number}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    arithmetic::compile(&INC, argument)
}
