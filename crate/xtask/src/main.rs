//! `cargo xtask`: builds, serves, tests and measures Quire.

fn main() {}
