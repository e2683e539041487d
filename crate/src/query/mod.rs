//! Paths, matcher, predicates, projection and sort.
