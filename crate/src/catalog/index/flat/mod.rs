//! `2d` indexes: keys of the hashes of points on a plane.

mod keys;
mod rules;

pub(super) use rules::ROW;
