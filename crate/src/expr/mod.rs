//! Aggregation expressions.
