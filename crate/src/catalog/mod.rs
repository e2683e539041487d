//! Databases, collections, indexes, capped and TTL state.
