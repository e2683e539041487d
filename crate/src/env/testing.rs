//! A host that counts how often it is asked whether to go on, and says no at last.

use super::{Env, FunctionCall, NoEnv};
use crate::error::{Code, CommandError};
use std::cell::Cell;

/// Answers so many questions with yes, and every later one with `Interrupted`.
pub struct Patience {
    left: Cell<u64>,
    asked: Cell<u64>,
}

impl Patience {
    pub fn of(questions: u64) -> Self {
        Self {
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

    fn now_millis(&self) -> i64 {
        NoEnv.now_millis()
    }

    fn monotonic_millis(&self) -> f64 {
        NoEnv.monotonic_millis()
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        NoEnv.fill_random(bytes);
    }

    fn zone_offset_seconds(&self, zone: &str, utc_millis: i64) -> Option<i32> {
        NoEnv.zone_offset_seconds(zone, utc_millis)
    }

    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
        NoEnv.call_function(call)
    }
}
