//! Pages, B+trees, free list, commits.
