//! Candidate indexes, bounds, ranking, explain.
