//! Window functions of `$setWindowFields` and `$fill`.

pub mod bounds;
pub mod function;
pub mod partition;
pub mod running;
