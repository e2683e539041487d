//! Timestamps: seconds since the epoch and a counter.
//!
//! Follows the manual's "BSON Types: Timestamps". `storage::LogicalClock` gives them.

use super::value::ValueRef;

/// A timestamp, in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(u64);

impl Timestamp {
    /// A timestamp of its two parts.
    pub const fn new(seconds: u32, increment: u32) -> Self {
        Self((seconds as u64) << 32 | increment as u64)
    }

    /// A timestamp of its 64 bits: the seconds are the upper half.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The 64 bits that `from_bits` takes.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The seconds since the epoch.
    pub const fn seconds(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The counter within the second.
    pub const fn increment(self) -> u32 {
        self.0 as u32
    }

    /// The one right after it.
    #[must_use]
    pub const fn successor(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The timestamp that a value is, if it is one.
    pub fn of(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Timestamp { time, increment } => Some(Self::new(time, increment)),
            _ => None,
        }
    }
}

impl From<Timestamp> for ValueRef<'_> {
    fn from(timestamp: Timestamp) -> Self {
        Self::Timestamp {
            time: timestamp.seconds(),
            increment: timestamp.increment(),
        }
    }
}

/// Whether a value is the timestamp of zero, which the server fills in when it stores it at the top level.
pub fn is_unset(value: ValueRef<'_>) -> bool {
    Timestamp::of(value) == Some(Timestamp::default())
}
