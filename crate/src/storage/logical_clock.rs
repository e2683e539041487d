//! The deployment's logical clock: a time for each change, in the order of the changes.
//!
//! A time is a `Timestamp`: seconds by the engine's clock, and a counter within the second. Drivers are told the last
//! one as `operationTime` and `$clusterTime`, entries of the oplog are to carry one each, and timestamps of zero are
//! filled in with one. Invariants: each time is greater than all before it, also when the engine's clock stands still
//! or goes back; nothing that is stored has a later time than the clock, because the header keeps the last one and a
//! tab that opens a deployment, or moves on to what another tab stored, goes on from there. A change that is undone
//! gives no time back.

use crate::bson::Timestamp;
use std::cell::Cell;

/// Gives times; one per deployment, which the pager and what stands above it share.
#[derive(Debug, Default)]
pub struct LogicalClock {
    last: Cell<Timestamp>,
}

impl LogicalClock {
    /// The next time, where the engine's clock is at so many milliseconds since the epoch: the counter begins at 1 each
    /// second.
    pub fn next(&self, now_millis: i64) -> Timestamp {
        let seconds = now_millis.div_euclid(1000).clamp(0, i64::from(u32::MAX));
        let first = Timestamp::new(seconds as u32, 1);
        let next = first.max(self.last.get().successor());
        self.last.set(next);
        next
    }

    /// The last time that was given, or that the clock was told of.
    pub fn last(&self) -> Timestamp {
        self.last.get()
    }

    /// Tells the clock of a time that somebody else has: all that it gives are later.
    pub fn catch_up(&self, other: Timestamp) {
        self.last.set(self.last.get().max(other));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_within_a_second_and_never_goes_back() {
        let clock = LogicalClock::default();
        assert_eq!(clock.next(5_000), Timestamp::new(5, 1));
        assert_eq!(clock.next(5_999), Timestamp::new(5, 2));
        assert_eq!(clock.next(6_000), Timestamp::new(6, 1));
        assert_eq!(clock.next(1_000), Timestamp::new(6, 2));
        assert_eq!(clock.last(), Timestamp::new(6, 2));
    }

    #[test]
    fn goes_on_behind_what_others_have() {
        let clock = LogicalClock::default();
        clock.catch_up(Timestamp::new(9, 4));
        assert_eq!(clock.next(5_000), Timestamp::new(9, 5));
        clock.catch_up(Timestamp::new(7, 1));
        assert_eq!(clock.last(), Timestamp::new(9, 5));
        clock.catch_up(Timestamp::new(9, u32::MAX));
        assert_eq!(clock.next(5_000), Timestamp::new(10, 0));
    }
}
