//! Update operators.
