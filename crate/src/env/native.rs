//! The host of native builds: tests, the benchmark and tools.
//!
//! Invariant: with a fixed clock and a seed, everything the engine does is reproducible. Native
//! builds know no named time zones and run no script functions; both are refused, not guessed.

use super::{CaseFirst, CollatorOptions, Env, FunctionCall, Sensitivity, StringComparer, Words};
use crate::error::CommandError;
use icu_collator::options::{self, AlternateHandling, CaseLevel, Strength};
use icu_collator::preferences::{CollationCaseFirst, CollationNumericOrdering};
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale;
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// An `Env` over the operating system's clock, or over a clock that only moves when told to.
#[derive(Debug)]
pub struct NativeEnv {
    /// Milliseconds since the epoch, when the clock is fixed.
    fixed: Cell<Option<i64>>,
    random: Cell<u64>,
    started: Instant,
}

impl Default for NativeEnv {
    fn default() -> Self {
        Self::new()
    }
}

impl NativeEnv {
    /// The system's clock, and a seed from it.
    pub fn new() -> Self {
        let seed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |elapsed| elapsed.as_nanos() as u64);
        Self {
            fixed: Cell::new(None),
            random: Cell::new(seed ^ u64::from(std::process::id()).rotate_left(32)),
            started: Instant::now(),
        }
    }

    /// A clock that stands at `now_millis`, and a seed: the same run every time.
    pub fn fixed(now_millis: i64, seed: u64) -> Self {
        Self {
            fixed: Cell::new(Some(now_millis)),
            random: Cell::new(seed),
            started: Instant::now(),
        }
    }

    /// Sets the fixed clock (and fixes the clock, if it was not).
    pub fn set_now(&self, now_millis: i64) {
        self.fixed.set(Some(now_millis));
    }

    /// Moves a fixed clock forward; a running clock is fixed first.
    pub fn advance(&self, millis: i64) {
        self.set_now(self.now_millis().saturating_add(millis));
    }

    /// SplitMix64: small, and good enough for identifiers and samples.
    fn next_random(&self) -> u64 {
        let state = self.random.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.random.set(state);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Env for NativeEnv {
    fn now_millis(&self) -> i64 {
        self.fixed.get().unwrap_or_else(|| {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |elapsed| elapsed.as_millis() as i64)
        })
    }

    fn monotonic_millis(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1000.0
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let random = self.next_random().to_le_bytes();
            chunk.copy_from_slice(&random[..chunk.len()]);
        }
    }

    fn unicode_class(&self, name: &str) -> Option<Vec<(u32, u32)>> {
        let parse = |key: &str| regex_syntax::parse(&format!("\\p{{{key}{name}}}")).ok();
        let found = ["gc=", "scx=", ""].into_iter().find_map(parse)?;
        let regex_syntax::hir::HirKind::Class(class) = found.into_kind() else {
            return None;
        };
        let regex_syntax::hir::Class::Unicode(class) = class else {
            return None;
        };
        let range = |range: &regex_syntax::hir::ClassUnicodeRange| {
            (u32::from(range.start()), u32::from(range.end()))
        };
        Some(class.ranges().iter().map(range).collect())
    }

    fn zone_offset_seconds(&self, _zone: &str, _utc_millis: i64) -> Option<i32> {
        None
    }

    fn collator(&self, wanted: &CollatorOptions<'_>) -> Option<Rc<dyn StringComparer>> {
        let locale: Locale = wanted.locale.parse().ok()?;
        let mut preferences = CollatorPreferences::from(&locale);
        preferences.numeric_ordering = Some(match wanted.numeric {
            true => CollationNumericOrdering::True,
            false => CollationNumericOrdering::False,
        });
        preferences.case_first = Some(match wanted.case_first {
            CaseFirst::Off => CollationCaseFirst::False,
            CaseFirst::Upper => CollationCaseFirst::Upper,
            CaseFirst::Lower => CollationCaseFirst::Lower,
        });
        let mut options = options::CollatorOptions::default();
        options.strength = Some(match wanted.sensitivity {
            Sensitivity::Base | Sensitivity::Case => Strength::Primary,
            Sensitivity::Accent => Strength::Secondary,
            Sensitivity::Variant => Strength::Tertiary,
        });
        options.case_level = Some(match wanted.sensitivity {
            Sensitivity::Case => CaseLevel::On,
            _ => CaseLevel::Off,
        });
        options.alternate_handling = Some(match wanted.ignore_punctuation {
            true => AlternateHandling::Shifted,
            false => AlternateHandling::NonIgnorable,
        });
        let collator = icu_collator::Collator::try_new(preferences, options).ok()?;
        Some(Rc::new(Rules(collator)))
    }

    fn words(&self) -> Rc<dyn Words> {
        Rc::new(Stemmers)
    }

    fn call_function(&self, _: &FunctionCall<'_>) -> Result<String, String> {
        Err("script functions need the browser's sandbox".to_owned())
    }
}

struct Stemmers;

impl Words for Stemmers {
    fn stems(&self, language: usize, words: &str) -> Result<String, CommandError> {
        Ok(quire_stemmers::stems(language, words))
    }
}

struct Rules(CollatorBorrowed<'static>);

impl StringComparer for Rules {
    fn compare(&self, left: &str, right: &str) -> Ordering {
        self.0.compare(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_and_seed_repeat() {
        let (first, second) = (NativeEnv::fixed(1000, 7), NativeEnv::fixed(1000, 7));
        first.advance(500);
        assert_eq!((first.now_millis(), second.now_millis()), (1500, 1000));
        let (mut a, mut b) = ([0; 13], [0; 13]);
        first.fill_random(&mut a);
        second.fill_random(&mut b);
        assert_eq!(a, b);
        assert_ne!(a, [0; 13]);
    }

    #[test]
    fn properties_are_known_by_their_names() {
        let env = NativeEnv::fixed(0, 0);
        let holds = |name, character: char| {
            let ranges = env.unicode_class(name)?;
            let point = u32::from(character);
            Some(
                ranges
                    .iter()
                    .any(|(first, last)| (*first..=*last).contains(&point)),
            )
        };
        assert_eq!(holds("Lu", 'É'), Some(true));
        assert_eq!(holds("Lu", 'é'), Some(false));
        assert_eq!(holds("Greek", 'γ'), Some(true));
        assert_eq!(holds("Alphabetic", 'a'), Some(true));
        assert_eq!(holds("Nonsense", 'a'), None);
    }
}
