//! Runs: units of many commands, whose beginning is a moment.
//!
//! A script is a run. Its commands stay done as they end, so that a run is undone by going back to the moment of its
//! beginning. That moment is made for the first command that writes: a run that only reads leaves nothing.

use super::base::Base;
use super::keep::{Wish, keep};
use crate::env::Env;
use crate::error::CommandError;

/// A run that is under way.
pub struct Run {
    /// The note for the moment of its beginning, where that is not kept already.
    what: Box<str>,
    state: State,
}

enum State {
    /// No command wrote yet.
    Untouched,
    /// The moment that the changes are made on, or why it could not be kept.
    Begun(Result<u64, String>),
}

impl Run {
    /// A run that nothing was done in.
    pub fn new(what: &str) -> Self {
        Self {
            what: what.into(),
            state: State::Untouched,
        }
    }

    /// Whether some command of it may have written.
    pub fn is_begun(&self) -> bool {
        matches!(self.state, State::Begun(_))
    }

    /// The moment of the beginning.
    pub fn from(&self) -> Option<u64> {
        match &self.state {
            State::Begun(Ok(number)) => Some(*number),
            _ => None,
        }
    }

    /// Why the beginning is not kept: it could not be, or its moment was dropped since. `from` is that moment where it
    /// is there.
    pub fn unkept(&self, from: Option<u64>) -> Option<&str> {
        match &self.state {
            State::Begun(Err(reason)) => Some(reason),
            State::Begun(Ok(_)) if from.is_none() => Some("the moment before it was dropped"),
            _ => None,
        }
    }

    /// Keeps the state before the first command that writes. Where it cannot be kept the command is run all the same.
    ///
    /// # Errors
    /// A page that is missing: the command is to be run again.
    // Apart: once a run.
    #[inline(never)]
    pub fn begin(
        &mut self,
        base: &mut Base,
        env: &dyn Env,
        now_millis: i64,
    ) -> Result<(), CommandError> {
        match self.keep(base, env, now_millis) {
            Err(error) if error.missing_page.is_some() => Err(error),
            Err(error) => {
                self.begin_unkept(&error.message);
                Ok(())
            }
            Ok(number) => {
                self.state = State::Begun(Ok(number));
                Ok(())
            }
        }
    }

    /// Notes that the first command writes now, and why the state before it is not kept.
    pub fn begin_unkept(&mut self, reason: &str) {
        self.state = State::Begun(Err(reason.to_owned()));
    }

    fn keep(&self, base: &mut Base, env: &dyn Env, now_millis: i64) -> Result<u64, CommandError> {
        base.settle()?;
        let wish = Wish {
            name: None,
            what: Some(&self.what),
            from: None,
            // Older moments are dropped by the moment behind the run, when their limit is known.
            limit_pages: u64::MAX,
        };
        let mut unit = base.begin(true);
        let made = keep(&mut unit, env, now_millis, &wish);
        unit.end(made.is_ok())?;
        Ok(made?.number)
    }
}
