//! The update operators, one a file.

pub(super) mod add_to_set;
mod arithmetic;
pub(super) mod bit;
pub(super) mod current_date;
mod definition;
pub(super) mod inc;
pub(super) mod max;
pub(super) mod min;
pub(super) mod mul;
pub(super) mod pop;
pub(super) mod pull;
pub(super) mod pull_all;
pub(super) mod push;
mod push_sort;
pub(super) mod rename;
pub(super) mod set;
pub(super) mod set_on_insert;
pub(super) mod unset;

pub(super) use definition::{Argument, Change, Compiled, DeadEnd, Operator, Place};
pub(super) use rename::{RenameSource, depth};
