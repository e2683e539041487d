//! Regular expressions as the server has them: PCRE2's syntax and meaning in UTF mode, over UTF-8 text.
//!
//! `parse` reads a pattern into a tree (`syntax`), `compile` turns the tree into a `program`, `machine` runs it. A match can be
//! stopped at any time through `Env::checkpoint`, and takes linear time wherever the pattern allows it.

mod analysis;
mod class;
mod compile;
mod fold;
mod machine;
mod memo;
mod parse;
mod parse_class;
mod parse_escape;
mod parse_group;
mod program;
mod regex;
mod search;
mod set;
mod syntax;

#[cfg(test)]
mod facts_tests;
#[cfg(test)]
mod limits_tests;

pub use regex::{Match, Pattern, Stopped};
