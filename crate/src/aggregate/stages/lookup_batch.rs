//! `$lookup` by equality of many documents at once, where a unique index answers.
//!
//! Invariant: documents come out in their order and as one after the other would give them. How far is read ahead grows with
//! what was asked for, and what is held is bounded: joined documents beyond `MOST_JOINED` bytes are looked up again by
//! themselves.

use super::super::kept::Kept;
use super::super::source::{EqualityJoin, PipelineContext};
use super::super::stage::Stage;
use crate::bson::{Document, ValueRef};
use crate::error::CommandError;
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// The most documents that are read ahead.
const MOST_DOCUMENTS: usize = 4096;
/// The most bytes of them, but for the last one.
const MOST_BYTES: usize = 1 << 20;
/// The most bytes of joined documents that are held.
const MOST_JOINED: usize = 4 << 20;

/// Documents that were read ahead.
#[derive(Default)]
pub struct Batch {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
    joined: Vec<Joined>,
    /// The fields of joined documents.
    fields: Vec<u8>,
    next: usize,
    /// How many documents the last batch was for.
    size: usize,
    /// What stopped the input behind the batch.
    failure: Option<CommandError>,
}

/// What is looked up for a document; `None` where that is not all there is to do.
pub type Wanted<'w> = dyn for<'d> Fn(Document<'d>) -> Option<ValueRef<'d>> + 'w;

/// What is known of one document's join.
#[derive(Clone)]
enum Joined {
    /// Not looked for, or not held.
    Unknown,
    Nothing,
    /// One document, whose fields lie there.
    One(Range<usize>),
}

/// The next document of a batch.
pub struct Next<'b> {
    pub document: Document<'b>,
    /// The fields of the joined document, if there is one; `None` when it is not known.
    pub joined: Option<Option<&'b [u8]>>,
}

impl Batch {
    /// Whether documents are left.
    pub fn has_more(&self) -> bool {
        self.next < self.places.len()
    }

    /// Goes to the next document.
    pub fn advance(&mut self) {
        self.next += 1;
    }

    /// The document it went to.
    pub fn current(&self) -> Option<Next<'_>> {
        let at = self.next.checked_sub(1)?;
        let place = self.places.get(at)?.clone();
        let joined = match self.joined.get(at)? {
            Joined::Unknown => None,
            Joined::Nothing => Some(None),
            Joined::One(fields) => Some(self.fields.get(fields.clone())),
        };
        Some(Next {
            document: Document::from_valid_bytes(self.bytes.get(place)?),
            joined,
        })
    }

    /// Reads the next documents and looks up what they join; false at the end. `value` says what is looked up for a
    /// document.
    ///
    /// # Errors
    /// Those of the input and of the look-up.
    pub fn fill(
        &mut self,
        input: &mut dyn Stage,
        join: &mut EqualityJoin,
        foreign: &mut Option<Kept>,
        value: &Wanted<'_>,
        cx: &mut PipelineContext<'_>,
    ) -> Result<bool> {
        self.bytes.clear();
        self.places.clear();
        self.joined.clear();
        self.fields.clear();
        self.next = 0;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.size = (self.size * 4).clamp(1, MOST_DOCUMENTS);
        while self.places.len() < self.size && self.bytes.len() < MOST_BYTES {
            match input.advance(cx) {
                Ok(true) => {}
                Ok(false) => break,
                // What came before it is given first.
                Err(error) if !self.places.is_empty() => {
                    self.failure = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
            let start = self.bytes.len();
            self.bytes.extend_from_slice(input.current().as_bytes());
            self.places.push(start..self.bytes.len());
        }
        self.joined.resize(self.places.len(), Joined::Unknown);
        if self.places.len() > 1 {
            self.look_up(join, foreign, value, cx)?;
        }
        Ok(!self.places.is_empty())
    }

    fn look_up(
        &mut self,
        join: &mut EqualityJoin,
        foreign: &mut Option<Kept>,
        value: &Wanted<'_>,
        cx: &mut PipelineContext<'_>,
    ) -> Result<()> {
        let mut values = Vec::with_capacity(self.places.len());
        let mut askers = Vec::with_capacity(self.places.len());
        for (asker, place) in self.places.iter().enumerate() {
            let document = self.bytes.get(place.clone()).unwrap_or_default();
            // Documents without the value are joined too, and not by an index.
            match value(Document::from_valid_bytes(document)) {
                None | Some(ValueRef::Null) => {}
                Some(value) => {
                    values.push(value);
                    askers.push(asker);
                }
            }
        }
        let (fields, joined) = (&mut self.fields, &mut self.joined);
        for asker in &askers {
            joined[*asker] = Joined::Nothing;
        }
        cx.namespaces
            .find_each(join, &values, &mut |position, document| {
                let Some(asker) = askers.get(position) else {
                    return Ok(());
                };
                let start = fields.len();
                if start >= MOST_JOINED {
                    joined[*asker] = Joined::Unknown;
                    return Ok(());
                }
                match foreign {
                    Some(kept) => {
                        kept.each(document, &mut |element| fields.extend_from_slice(element))
                    }
                    None => {
                        let bytes = document.as_bytes();
                        fields.extend_from_slice(bytes.get(4..bytes.len() - 1).unwrap_or_default());
                    }
                }
                joined[*asker] = Joined::One(start..fields.len());
                Ok(())
            })
    }
}
