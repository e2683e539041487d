//! Variables and literals.

pub mod bind;
pub mod literal;
