//! Trigonometry expressions.

pub mod acos;
pub mod acosh;
pub mod asin;
pub mod asinh;
pub mod atan;
pub mod atan2;
pub mod atanh;
pub mod bounded;
pub mod cos;
pub mod cosh;
pub mod degrees_to_radians;
pub mod radians_to_degrees;
pub mod sin;
pub mod sinh;
pub mod tan;
pub mod tanh;
