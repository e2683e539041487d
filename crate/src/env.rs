//! The services of the host: the time, randomness, Unicode's properties, script functions.
//!
//! Invariant: this is the engine's only window. The core reads no clock, no randomness and does no
//! I/O; the caller of `Engine::run` passes an `Env` in.

#[cfg(not(target_arch = "wasm32"))]
pub mod native;

pub mod heap;
#[cfg(test)]
pub mod testing;

use crate::bson::Timestamp;
use crate::error::{Code, CommandError};
use std::cmp::Ordering;
use std::rc::Rc;

/// The host's services, passed into every command.
pub trait Env {
    /// Milliseconds since the Unix epoch by the host's clock. The engine adds its virtual-clock
    /// offset to this; nothing else reads the time.
    fn now_millis(&self) -> i64;

    /// A finer clock for durations only (milliseconds, any origin).
    fn monotonic_millis(&self) -> f64;

    /// Asked once for each turn of a loop that can be long, and after each growth that can be large: whether the
    /// command may go on. It is cheap enough for a turn of some dozens of instructions.
    ///
    /// # Errors
    /// `MaxTimeMSExpired`, `Interrupted` or `ExceededMemoryLimit`: the loop gives the error on at once.
    fn checkpoint(&self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Whether the host wants the command that runs to end (a person pressed Stop). Asked by the engine's own
    /// checkpoint and by hosts' functions that run for long, at most some dozens of times a second.
    fn stop_requested(&self) -> bool {
        false
    }

    /// Fills `bytes` with random bytes.
    fn fill_random(&self, bytes: &mut [u8]);

    /// The characters of a Unicode property, as ranges of code points: a general category (`Lu`), a script with its
    /// extensions (`Greek`) or a binary property (`Alphabetic`). `None` when the host knows none of that name.
    fn unicode_class(&self, _name: &str) -> Option<Vec<(u32, u32)>> {
        None
    }

    /// The offset of a time zone from UTC, in seconds, at an instant: `zone` is an IANA name.
    /// `None` when the zone is unknown.
    fn zone_offset_seconds(&self, zone: &str, utc_millis: i64) -> Option<i32>;

    /// A comparison of strings by the rules of a language; `None` when the host has none that is exactly this.
    fn collator(&self, _options: &CollatorOptions<'_>) -> Option<Rc<dyn StringComparer>> {
        None
    }

    /// The stems and stop words of languages, for text indexes.
    fn words(&self) -> Rc<dyn Words> {
        Rc::new(NoWords)
    }

    /// The host and port under which the server names itself: those where it listens, or a name for an engine that
    /// nobody connects to.
    fn server_name(&self) -> String {
        "quire:27017".to_owned()
    }

    /// The newest time of the deployment's clock, where it is a replica set: `$$CLUSTER_TIME`. The engine answers this
    /// for its host.
    fn cluster_time(&self) -> Option<Timestamp> {
        None
    }

    /// The proof of a user's password that a sign-in by a mechanism needs, as `SCRAM-SHA-256` has it: the count of
    /// iterations, the salt, the stored key and the server key in base64, with commas between. Without a user's name
    /// the password is the hash with that name already. `None` where nobody signs in.
    fn credentials(&self, _mechanism: &str, _user: &str, _password: &str) -> Option<String> {
        None
    }

    /// Calls a script function. The reply is canonical Extended JSON of the function's value. The error is the message
    /// of the exception that it threw, or of its being stopped, or of its limit.
    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String>;
}

/// Methods of an `Env` that hands them on to the host in one of its fields:
/// `hand_on!(native: now_millis, fill_random);`.
#[macro_export]
macro_rules! hand_on {
    ($host:ident: $($method:ident),+ $(,)?) => { $($crate::env::hand_on!(@$method $host);)+ };
    (@now_millis $host:ident) => {
        fn now_millis(&self) -> i64 { self.$host.now_millis() }
    };
    (@monotonic_millis $host:ident) => {
        fn monotonic_millis(&self) -> f64 { self.$host.monotonic_millis() }
    };
    (@stop_requested $host:ident) => {
        fn stop_requested(&self) -> bool { self.$host.stop_requested() }
    };
    (@fill_random $host:ident) => {
        fn fill_random(&self, bytes: &mut [u8]) { self.$host.fill_random(bytes); }
    };
    (@unicode_class $host:ident) => {
        fn unicode_class(&self, name: &str) -> Option<Vec<(u32, u32)>> { self.$host.unicode_class(name) }
    };
    (@zone_offset_seconds $host:ident) => {
        fn zone_offset_seconds(&self, zone: &str, utc_millis: i64) -> Option<i32> {
            self.$host.zone_offset_seconds(zone, utc_millis)
        }
    };
    (@collator $host:ident) => {
        fn collator(
            &self,
            options: &$crate::env::CollatorOptions<'_>,
        ) -> Option<std::rc::Rc<dyn $crate::env::StringComparer>> {
            self.$host.collator(options)
        }
    };
    (@words $host:ident) => {
        fn words(&self) -> std::rc::Rc<dyn $crate::env::Words> { self.$host.words() }
    };
    (@server_name $host:ident) => {
        fn server_name(&self) -> String { self.$host.server_name() }
    };
    (@credentials $host:ident) => {
        fn credentials(&self, mechanism: &str, user: &str, password: &str) -> Option<String> {
            self.$host.credentials(mechanism, user, password)
        }
    };
    (@call_function $host:ident) => {
        fn call_function(&self, call: &$crate::env::FunctionCall<'_>) -> Result<String, String> {
            self.$host.call_function(call)
        }
    };
}
pub use crate::hand_on;

/// A call of a script function.
#[derive(Debug, Clone, Copy)]
pub struct FunctionCall<'c> {
    /// The function's text, or statements whose last value is the function's.
    pub source: &'c str,
    /// The value of `this` in it, as canonical Extended JSON.
    pub this: Option<&'c str>,
    /// Each argument as canonical Extended JSON.
    pub arguments: &'c [String],
    /// How long it may run, in milliseconds, where the command has a limit.
    pub limit_millis: Option<f64>,
}

/// Calls a script function of a command.
///
/// # Errors
/// `JSInterpreterFailure` with the message of the exception that the function threw; the checkpoint's own where the
/// command's time is over, or it was stopped, also where the function came to an end.
pub fn call_function(
    env: &dyn Env,
    source: &str,
    this: Option<&str>,
    arguments: &[String],
) -> Result<String, CommandError> {
    let called = env.call_function(&FunctionCall {
        source,
        this,
        arguments,
        limit_millis: None,
    });
    env.checkpoint()?;
    called.map_err(|reason| CommandError::new(Code::JSInterpreterFailure, reason))
}

/// Which differences between strings count, as `Intl.Collator` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sensitivity {
    /// Base letters.
    Base,
    /// Base letters and accents.
    Accent,
    /// Base letters and case.
    Case,
    /// Base letters, accents, case and other variants.
    Variant,
}

/// Which case goes first, of strings that differ in nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseFirst {
    /// The order that the locale has without being asked.
    Off,
    Upper,
    Lower,
}

/// The rules for comparing strings, in the terms of `Intl.Collator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollatorOptions<'a> {
    /// A BCP 47 tag.
    pub locale: &'a str,
    pub sensitivity: Sensitivity,
    pub case_first: CaseFirst,
    /// Whether runs of digits compare as numbers.
    pub numeric: bool,
    /// Whether white space and punctuation do not count.
    pub ignore_punctuation: bool,
}

/// Compares strings by the rules of a language.
pub trait StringComparer {
    /// A total order, in which different strings may be equal.
    fn compare(&self, left: &str, right: &str) -> Ordering;
}

/// The page that a command stops at where the languages are still to be fetched.
pub const LANGUAGES: u64 = u64::MAX - 1;

/// Stems and stop words of languages.
pub trait Words {
    /// The stem of each line of `words`, with a line break behind it; behind a carriage return where the line is a stop
    /// word. Words are in lower case; the languages' numbers are places in the table of text indexes.
    ///
    /// # Errors
    /// The missing page `LANGUAGES` where they are still to be fetched; the host's reason where it has none.
    fn stems(&self, language: usize, words: &str) -> Result<String, CommandError>;
}

/// Knows no language.
struct NoWords;

impl Words for NoWords {
    fn stems(&self, _: usize, _: &str) -> Result<String, CommandError> {
        Err(CommandError::new(
            Code::NotImplemented,
            "there are no languages here: a text index needs default_language \"none\"",
        ))
    }
}

/// A host that offers nothing: for evaluations that are known to ask for nothing.
pub struct NoEnv;

impl Env for NoEnv {
    fn now_millis(&self) -> i64 {
        0
    }

    fn monotonic_millis(&self) -> f64 {
        0.0
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        bytes.fill(0);
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }

    fn call_function(&self, _: &FunctionCall<'_>) -> Result<String, String> {
        Err("functions are not available here".to_owned())
    }
}
