//! Facts about values that their key loses: which numeric type, string or symbol, a decimal's scale.
//!
//! Invariant: only values that differ from what their key suggests leave a mark, so most keys need
//! no type bits at all. Marks are `(how many plain values came before, mark, its data)` in order.

/// The marks of one key, written by `encode` in the order of its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeBits {
    bytes: Vec<u8>,
    plain: usize,
}

/// The type or scale of a value that its key does not suggest: the key of 5 suggests an int.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Int64,
    Double,
    NegativeZero,
    Symbol,
    Undefined,
    /// A decimal whose coefficient follows from the key and this exponent (its negation).
    Scaled(u8),
    /// A decimal, as it was.
    Whole([u8; 16]),
}

impl TypeBits {
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all marks and keeps the allocation.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.plain = 0;
    }

    /// The bytes to store beside the key; usually empty.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn plain(&mut self) {
        self.plain += 1;
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        let mut gap = std::mem::take(&mut self.plain);
        while gap >= 0x80 {
            self.bytes.push(gap as u8 | 0x80);
            gap >>= 7;
        }
        self.bytes.push(gap as u8);
        match mark {
            Mark::Int64 => self.bytes.push(0),
            Mark::Double => self.bytes.push(1),
            Mark::NegativeZero => self.bytes.push(2),
            Mark::Symbol => self.bytes.push(3),
            Mark::Undefined => self.bytes.push(4),
            Mark::Scaled(scale) => self.bytes.extend_from_slice(&[5, scale]),
            Mark::Whole(bits) => {
                self.bytes.push(6);
                self.bytes.extend_from_slice(&bits);
            }
        }
    }
}

/// Reads marks back in step with the key's values.
#[derive(Debug, Clone)]
pub(super) struct Marks<'a> {
    rest: &'a [u8],
    /// Plain values before the next mark; `None` once there are no more marks.
    gap: Option<usize>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut marks = Self {
            rest: bytes,
            gap: None,
        };
        marks.gap = marks.read_gap();
        marks
    }

    fn read_gap(&mut self) -> Option<usize> {
        let mut gap = 0;
        for shift in (0..usize::BITS).step_by(7) {
            let byte = self.take(1)?[0];
            gap |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(gap)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// The mark of the next value that can have one; `None` when it is plain.
    pub(super) fn next(&mut self) -> Option<Mark> {
        match self.gap? {
            0 => {
                let mark = match self.take(1)?[0] {
                    0 => Mark::Int64,
                    1 => Mark::Double,
                    2 => Mark::NegativeZero,
                    3 => Mark::Symbol,
                    4 => Mark::Undefined,
                    5 => Mark::Scaled(self.take(1)?[0]),
                    _ => Mark::Whole(self.take(16)?.try_into().ok()?),
                };
                self.gap = self.read_gap();
                Some(mark)
            }
            gap => {
                self.gap = Some(gap - 1);
                None
            }
        }
    }
}
