//! Timestamps that the engine gives: seconds since the epoch and a counter.
//!
//! Follows the manual's "BSON Types: Timestamps". Invariant: each is greater than all before it of one clock,
//! also when the time stands still or goes back.

use super::value::ValueRef;
use std::cell::Cell;

/// Gives timestamps; one per engine.
#[derive(Debug, Default)]
pub struct TimestampClock {
    /// The last one given: seconds in the upper half, the counter in the lower.
    last: Cell<u64>,
}

impl TimestampClock {
    /// The next timestamp at a time in milliseconds since the epoch: the counter begins at 1 each second.
    pub fn next(&self, now_millis: i64) -> ValueRef<'static> {
        let first = (now_millis.div_euclid(1000).clamp(0, i64::from(u32::MAX)) as u64) << 32 | 1;
        let next = first.max(self.last.get().saturating_add(1));
        self.last.set(next);
        ValueRef::Timestamp {
            time: (next >> 32) as u32,
            increment: next as u32,
        }
    }
}

/// Whether a value is the timestamp of zero, which the server fills in when it stores it at the top level.
pub fn is_unset(value: ValueRef<'_>) -> bool {
    matches!(
        value,
        ValueRef::Timestamp {
            time: 0,
            increment: 0
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_within_a_second_and_never_goes_back() {
        let clock = TimestampClock::default();
        let at = |millis, time, increment| {
            let ValueRef::Timestamp {
                time: seconds,
                increment: count,
            } = clock.next(millis)
            else {
                panic!("a clock gives timestamps");
            };
            assert_eq!((seconds, count), (time, increment));
        };
        at(5_000, 5, 1);
        at(5_999, 5, 2);
        at(6_000, 6, 1);
        at(1_000, 6, 2);
    }
}
