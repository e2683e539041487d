//! A compiled regular expression.

use super::compile::compile;
use super::machine::{Machine, Scratch, Stopped};
use super::parse::parse;
use super::program::{FIRST_SLOT, NONE, Program};
use super::search::find;
use crate::env::Env;
use std::cell::Cell;

/// The most bytes of a pattern.
const MOST_BYTES: usize = 16 * 1024;

/// A compiled regular expression.
pub struct Pattern {
    program: Program,
    /// Memory that a match leaves to the next.
    scratch: Cell<Option<Box<Scratch>>>,
}

/// One match: byte ranges of the whole and of each group (`None` for a group that took no part).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub start: usize,
    pub end: usize,
    pub groups: Vec<Option<(usize, usize)>>,
}

impl Pattern {
    /// Compiles a pattern with the server's options (`i`, `m`, `s`, `x`, `u`); the environment knows Unicode's
    /// properties.
    ///
    /// # Errors
    /// Why the pattern is none, in PCRE2's words.
    pub fn compile(pattern: &str, options: &str, env: &dyn Env) -> Result<Self, &'static str> {
        if pattern.len() > MOST_BYTES {
            return Err("pattern string is longer than the limit set by the application");
        }
        Ok(Self {
            program: compile(&parse(pattern, options, env)?)?,
            scratch: Cell::new(None),
        })
    }

    /// Whether the text contains a match.
    ///
    /// # Errors
    /// A limit, or the command was told to end.
    pub fn is_match(&self, text: &str, env: &dyn Env) -> Result<bool, Stopped> {
        let start = &self.program.start;
        if start.is_whole {
            return Ok(find(text.as_bytes(), 0, &start.prefix).is_some());
        }
        self.with_machine(text, env, false, |machine| machine.search(0))
    }

    /// The first match at or after byte `from`, with its groups.
    ///
    /// # Errors
    /// A limit, or the command was told to end.
    pub fn find_at(
        &self,
        text: &str,
        from: usize,
        env: &dyn Env,
    ) -> Result<Option<Match>, Stopped> {
        self.with_machine(text, env, true, |machine| {
            if !machine.search(from)? {
                return Ok(None);
            }
            let slots = &machine.scratch.slots;
            let range = |group: u32| {
                let slot = (FIRST_SLOT + 2 * group) as usize;
                let (start, end) = (slots[slot], slots[slot + 1]);
                (start != NONE && end != NONE).then_some((start as usize, end as usize))
            };
            Ok(range(0).map(|(start, end)| Match {
                start,
                end,
                groups: (1..=self.program.groups).map(range).collect(),
            }))
        })
    }

    /// Tests only: whether matches remember failed positions from their first step on, and not only once they take
    /// long.
    #[cfg(test)]
    pub fn be_impatient(&self, impatient: bool) {
        let mut scratch = self.scratch.take().unwrap_or_default();
        scratch.is_impatient = impatient;
        self.scratch.set(Some(scratch));
    }

    fn with_machine<T>(
        &self,
        text: &str,
        env: &dyn Env,
        captures: bool,
        work: impl FnOnce(&mut Machine<'_>) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let mut scratch = self.scratch.take().unwrap_or_default();
        let text = text.as_bytes();
        let done = work(&mut Machine::new(
            &self.program,
            text,
            env,
            &mut scratch,
            captures,
        ));
        self.scratch.set(Some(scratch));
        done
    }
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pattern").finish_non_exhaustive()
    }
}
