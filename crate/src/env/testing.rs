//! What unit tests are given: seeds and lengths by variables, and a host that counts how often it is asked whether to
//! go on, and says no at last.

use super::{Env, NoEnv};
use crate::error::{Code, CommandError};
use std::cell::Cell;

/// The number in a variable of the test's environment, or another; it is printed, so that a failure can be seen again.
pub fn given(variable: &str, otherwise: u64) -> u64 {
    let value = std::env::var(variable).ok();
    let value = value
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise);
    println!("{variable}={value}");
    value
}

/// Answers so many questions with yes, and every later one with `Interrupted`.
pub struct Patience {
    host: NoEnv,
    left: Cell<u64>,
    asked: Cell<u64>,
}

impl Patience {
    pub fn of(questions: u64) -> Self {
        Self {
            host: NoEnv,
            left: Cell::new(questions),
            asked: Cell::new(0),
        }
    }

    /// How often it was asked.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }
}

impl Env for Patience {
    crate::env::hand_on!(host: now_millis, monotonic_millis, fill_random, zone_offset_seconds, call_function);

    fn checkpoint(&self) -> Result<(), CommandError> {
        self.asked.set(self.asked.get() + 1);
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(CommandError::new(Code::Interrupted, "no more patience")),
        }
    }
}
