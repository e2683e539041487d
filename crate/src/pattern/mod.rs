//! Regular expressions as the server has them: PCRE2's syntax and meaning in UTF mode, over UTF-8 text.
//!
//! `parse` reads a pattern into a tree (`syntax`), `compile` turns the tree into a `program`, `machine` runs it. A
//! match can be stopped at any time through `Env::checkpoint`, and takes linear time wherever the pattern allows it.
//!
//! - `Pattern::compile(pattern, options, env)` refuses in PCRE2's words; `is_match` and `find_at` answer
//!   `Err(Stopped)`, which is a limit or the error of `Env::checkpoint`. A filter takes a limit for no match
//!   (`MatchContext::stop` carries the rest past predicates that answer plainly), an expression for error 51156.
//! - Backtracking over a stack on the heap. Once a match has taken long, each choice remembers the positions at
//!   which it failed (`memo.rs`), so patterns without references, calls and conditions take linear time; a choice
//!   inside atomic groups and looks around remembers nothing and is limited. **Invariant:** a row's bits say
//!   everything that decides beside the place: the position, and for each loop around whether its turn took nothing
//!   yet.
//! - The bytes that a match begins with or contains are looked for first, eight bytes at a time (`search.rs`). Case is
//!   folded by the standard library's tables, `\p{…}` asks the host once for its ranges.
//!
//! One circle of files is meant: the methods of the parser that read an escape have a file of their own: `parse`,
//! `parse_escape`.

mod analysis;
mod class;
mod compile;
pub mod fold;
mod machine;
mod members;
mod memo;
mod parse;
mod parse_class;
mod parse_escape;
mod parse_group;
mod program;
mod regex;
mod runs;
mod search;
mod set;
mod syntax;
mod utf8;

#[cfg(test)]
mod facts_tests;
#[cfg(test)]
mod limits_tests;

pub use machine::Stopped;
pub use regex::{Match, Pattern};
pub use utf8::utf8_fault;
