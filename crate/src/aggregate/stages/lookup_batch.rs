//! `$lookup` by equality of many documents at once, where a unique index answers.
//!
//! Invariant: documents come out in their order and as one after the other would give them. How far is read ahead grows with
//! what was asked for, and what is held is bounded: joined documents beyond `MOST_JOINED` bytes are looked up again by
//! themselves.

use super::super::kept::Kept;
use super::super::source::{EqualityJoin, PipelineContext};
use super::super::stage::Stage;
use crate::bson::{Array, BsonType, Document, ValueRef, extend, write_length};
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
    /// The arrays of joined documents.
    arrays: Vec<u8>,
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
    /// One document, in an array that lies there.
    One(Range<usize>),
}

/// What comes before the only document of an array: the array's length, the item's type and name.
const BEFORE_ITEM: [u8; 7] = [0, 0, 0, 0, BsonType::Document as u8, b'0', 0];

/// The next document of a batch.
pub struct Next<'b> {
    pub document: Document<'b>,
    /// The joined documents, of which there is at most one; `None` when they are not known.
    pub joined: Option<Array<'b>>,
}

/// The only document of an array that a batch made, if there is one.
pub fn only_item(array: Array<'_>) -> Option<Document<'_>> {
    let bytes = array.as_bytes();
    let item = bytes.get(BEFORE_ITEM.len()..bytes.len().saturating_sub(1))?;
    Some(Document::from_valid_bytes(item))
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

    /// Goes to the next document if it is known what is joined to that.
    pub fn advance_known(&mut self) -> Option<(Document<'_>, Array<'_>)> {
        self.joined_at(self.next)?;
        self.next += 1;
        let Next { document, joined } = self.current()?;
        Some((document, joined?))
    }

    /// What is known to be joined to a document.
    fn joined_at(&self, at: usize) -> Option<Array<'_>> {
        match self.joined.get(at)? {
            Joined::Unknown => None,
            Joined::Nothing => Some(Array::EMPTY),
            Joined::One(array) => self.arrays.get(array.clone()).map(Array::from_valid_bytes),
        }
    }

    /// The document it went to.
    pub fn current(&self) -> Option<Next<'_>> {
        let at = self.next.checked_sub(1)?;
        let place = self.places.get(at)?.clone();
        Some(Next {
            document: Document::from_valid_bytes(self.bytes.get(place)?),
            joined: self.joined_at(at),
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
        self.arrays.clear();
        self.next = 0;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.size = (self.size * 4).clamp(1, MOST_DOCUMENTS);
        let (bytes, places, size) = (&mut self.bytes, &mut self.places, self.size);
        let read = input.visit_some(cx, &mut |document| {
            let start = bytes.len();
            extend(bytes, document.as_bytes());
            places.push(start..bytes.len());
            Ok(places.len() < size && bytes.len() < MOST_BYTES)
        });
        match read {
            // What came before it is given first.
            Err(error) if !self.places.is_empty() => self.failure = Some(error),
            read => read?,
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
        let (arrays, joined) = (&mut self.arrays, &mut self.joined);
        for asker in &askers {
            joined[*asker] = Joined::Nothing;
        }
        cx.namespaces
            .find_each(join, &values, &mut |position, document| {
                let Some(asker) = askers.get(position) else {
                    return Ok(());
                };
                let start = arrays.len();
                if start >= MOST_JOINED {
                    joined[*asker] = Joined::Unknown;
                    return Ok(());
                }
                extend(arrays, &BEFORE_ITEM);
                let item = arrays.len();
                match foreign {
                    Some(kept) => {
                        arrays.extend_from_slice(&[0; 4]);
                        kept.append(document, arrays);
                        arrays.push(0);
                        write_length(arrays, item);
                    }
                    None => arrays.extend_from_slice(document.as_bytes()),
                }
                arrays.push(0);
                write_length(arrays, start);
                joined[*asker] = Joined::One(start..arrays.len());
                Ok(())
            })
    }
}
