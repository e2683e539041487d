//! The way to the values of some paths through documents of one shape, as a list of steps.
//!
//! Documents of one collection mostly have the same fields in the same order, so the way through one of them leads
//! through the next ones too, with one word's comparison a field. Invariants: a step is taken only where the bytes
//! confirm it, name by name from a document's start, so that the values found never depend on the document it was
//! learnt from; where the bytes differ, the way is lost and says which paths it gave values for; malformed bytes are
//! never read out of bounds.

use super::document::{first_nul, skip_length, skip_parts};
use super::path_reader::{Level, ReadValue};
use super::types::BsonType;

/// Longer ways are not learnt.
const MOST_STEPS: usize = 128;

/// Documents within documents are entered so far.
const MOST_DEPTH: usize = 8;

/// The longest header (type byte, name, NUL) that is compared: three words.
const LONGEST_HEADER: usize = 24;

/// The kinds of steps, in the order in which they are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    /// Passes over a field of fixed length.
    PassFixed,
    /// Passes over a field whose value begins with a count of its bytes.
    PassCounted,
    /// Goes into a document.
    Enter,
    /// Gives out a value and passes over it.
    Take,
    /// Gives out a document that the next step enters.
    Peek,
    /// Goes on behind the document that was entered last.
    Leave,
    /// Nothing follows in this document, so paths are missing.
    End,
}

/// A remembered header: type byte, name, NUL.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    /// The header's first eight bytes under the mask. The mask leaves out the bytes behind a shorter header, and the
    /// type where any will do.
    pub(super) first: u64,
    pub(super) mask: u64,
    /// The header's second and last eight bytes, where it is that long.
    middle: u64,
    last: u64,
    /// How many bytes it is.
    pub(super) length: u32,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    header: Header,
    /// How far the next field is, without the bytes of a counted length.
    skip: u32,
    /// The paths that lead here.
    paths: u32,
    action: Action,
}

/// A way that was learnt from a document.
#[derive(Debug, Clone)]
pub struct Program {
    steps: Vec<Step>,
}

/// How a way ended.
pub enum Reading {
    /// All values were given out; paths that were not are missing.
    Read,
    /// The receiver of the values wanted no more.
    Stopped,
    /// The document is of another shape; these paths' values were given out.
    Lost(u32),
}

impl Program {
    /// The way through this document, if it can be described.
    pub fn learn(root: &Level, document: &[u8]) -> Option<Self> {
        let mut program = Self { steps: Vec::new() };
        program.follow(root, document.get(4..)?, 1, 0)?;
        Some(program)
    }

    fn follow(&mut self, level: &Level, rest: &[u8], tail: usize, depth: usize) -> Option<()> {
        let mut rest = rest;
        let mut open = level.all;
        while open != 0 {
            if rest.len() <= tail {
                self.push(Step::plain(Action::End))?;
                return Some(());
            }
            let kind = *rest.first()?;
            let name = rest.get(1..)?.get(..first_nul(rest.get(1..)?)?)?;
            let header = name.len() + 2;
            let values = rest.get(header..)?;
            let next = values.get(skip_length(kind, values)?..)?;
            let branch = level
                .branches
                .iter()
                .find(|branch| branch.all & open != 0 && *branch.name == *name);
            match branch {
                None => self.push(Step::pass(rest, header)?)?,
                Some(branch) => {
                    open &= !branch.all;
                    let is_end = branch.below.all == 0;
                    if kind == BsonType::Document as u8 && !is_end {
                        if branch.here != 0 {
                            self.push(Step::at(Action::Peek, rest, header, true, branch.here)?)?;
                        }
                        self.push(Step::at(Action::Enter, rest, header, true, 0)?)?;
                        if depth + 1 >= MOST_DEPTH {
                            return None;
                        }
                        self.follow(&branch.below, values.get(4..)?, next.len() + 1, depth + 1)?;
                        self.push(Step::plain(Action::Leave))?;
                    } else {
                        let reached = match kind {
                            kind if kind == BsonType::Array as u8 => branch.all,
                            _ => branch.here,
                        };
                        // Whether paths go on below the value depends on its type, document, array or other: the step
                        // compares the type too.
                        self.push(match reached {
                            0 => Step::pass(rest, header)?,
                            _ => Step::at(Action::Take, rest, header, !is_end, reached)?,
                        })?;
                    }
                }
            }
            rest = next;
        }
        Some(())
    }

    fn push(&mut self, step: Step) -> Option<()> {
        if self.steps.len() >= MOST_STEPS {
            return None;
        }
        self.steps.push(step);
        Some(())
    }

    /// Goes this way through a document and calls `found` with each value and the paths that lead to it; it answers
    /// whether to go on.
    #[inline(always)]
    pub fn run<'d>(
        &self,
        document: &'d [u8],
        found: &mut (impl FnMut(u32, ReadValue<'d>) -> bool + ?Sized),
    ) -> Reading {
        let mut at = 4_usize;
        let mut taken = 0;
        let mut depth = 0;
        // Where to go on behind each document that was entered.
        let mut behind = [document.len(); MOST_DEPTH];
        for step in &self.steps {
            let Some(rest) = document.get(at..) else {
                return Reading::Lost(taken);
            };
            if step.action >= Action::Leave {
                if step.action == Action::Leave {
                    at = behind[depth % MOST_DEPTH];
                    depth = depth.wrapping_sub(1);
                } else if at + 1 != behind[depth % MOST_DEPTH] {
                    return Reading::Lost(taken);
                }
                continue;
            }
            let word = rest.first_chunk().map(|word| u64::from_le_bytes(*word));
            if !word.is_some_and(|word| step.header.is_front_of(word, rest)) {
                return Reading::Lost(taken);
            }
            if step.action == Action::PassFixed {
                at += step.skip as usize;
                continue;
            }
            let Some(values) = rest.get(step.header.length as usize..) else {
                return Reading::Lost(taken);
            };
            if step.action <= Action::Enter {
                let Some(counted) = values.first_chunk() else {
                    return Reading::Lost(taken);
                };
                // Malformed bytes lead anywhere, where each step looks first.
                let next = at
                    .wrapping_add(step.skip as usize)
                    .wrapping_add(u32::from_le_bytes(*counted) as usize);
                if step.action == Action::PassCounted {
                    at = next;
                } else {
                    depth += 1;
                    behind[depth % MOST_DEPTH] = next;
                    at += step.header.length as usize + 4;
                }
                continue;
            }
            let value = { rest.first() }.and_then(|kind| {
                let value_bytes = values.get(..skip_length(*kind, values)?)?;
                Some((BsonType::from_byte(*kind)?, value_bytes))
            });
            let Some((kind, value_bytes)) = value else {
                return Reading::Lost(taken);
            };
            let read = ReadValue {
                kind,
                value_bytes,
                walked: depth + 1,
            };
            taken |= step.paths;
            if !found(step.paths, read) {
                return Reading::Stopped;
            }
            if step.action == Action::Take {
                at += step.header.length as usize + value_bytes.len();
            }
        }
        Reading::Read
    }
}

impl Header {
    /// A header that no bytes match.
    pub(super) const NONE: Header = Header {
        first: 1,
        mask: 0,
        middle: 0,
        last: 0,
        length: 0,
    };

    /// The header at the front of the bytes, of any type or of this one; `None` where it is too long, or too near their
    /// end.
    pub(super) fn of(rest: &[u8], length: usize, is_typed: bool) -> Option<Self> {
        if length > LONGEST_HEADER {
            return None;
        }
        let of_type = if is_typed { u64::MAX } else { !0xFF };
        let mask = (u64::MAX >> (64 - 8 * length.min(8))) & of_type;
        let is_long = length > 8;
        Some(Self {
            first: u64_at(rest, 0)? & mask,
            mask,
            middle: if is_long {
                u64_at(rest, 8).unwrap_or(0)
            } else {
                0
            },
            last: if is_long {
                u64_at(rest, length - 8)?
            } else {
                0
            },
            length: length as u32,
        })
    }

    /// Whether it stands at the front of the bytes, whose first word is given.
    #[inline(always)]
    pub(super) fn is_front_of(&self, word: u64, rest: &[u8]) -> bool {
        word & self.mask == self.first && self.ends(rest)
    }

    /// Whether `rest` begins with the header's bytes beyond the first word.
    #[inline(always)]
    pub(super) fn ends(&self, rest: &[u8]) -> bool {
        let length = self.length as usize;
        length <= 8
            || (u64_at(rest, length - 8) == Some(self.last)
                && (length <= 16 || u64_at(rest, 8) == Some(self.middle)))
    }
}

impl Step {
    fn plain(action: Action) -> Self {
        Self {
            header: Header::NONE,
            skip: 0,
            paths: 0,
            action,
        }
    }

    /// A step that the header at the front of the bytes allows.
    fn at(action: Action, rest: &[u8], header: usize, is_typed: bool, paths: u32) -> Option<Self> {
        Some(Self {
            header: Header::of(rest, header, is_typed)?,
            skip: header as u32,
            paths,
            action,
        })
    }

    fn pass(rest: &[u8], header: usize) -> Option<Self> {
        let (fixed, is_counted) = skip_parts(*rest.first()?)?;
        let action = match is_counted {
            true => Action::PassCounted,
            false => Action::PassFixed,
        };
        let mut step = Self::at(action, rest, header, true, 0)?;
        step.skip += fixed as u32;
        Some(step)
    }
}

#[inline(always)]
fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*eight))
}
