//! `2dsphere` indexes: keys of the S2 cells that cover a geometry.

mod keys;
mod rules;

pub(super) use rules::ROW;
