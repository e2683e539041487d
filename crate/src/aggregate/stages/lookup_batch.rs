//! `$lookup` by equality of many documents at once, where a unique index answers.
//!
//! Invariant: documents come out in their order, and as they would one after the other. How far is read ahead grows
//! with the number of documents asked for, and the room for them is bounded: joined documents beyond `MOST_JOINED`
//! bytes are looked up again by themselves.

use super::super::kept::Kept;
use crate::bson::{Array, BsonType, Document, Keep, PathReader, ReadValue, extend, write_length};
use crate::error::CommandError;
use crate::exec::namespaces::EqualityJoin;
use crate::exec::{ExecContext, Stage};
use crate::expr::{EndPlace, FieldPath};
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// The most documents that are read ahead.
const MOST_DOCUMENTS: usize = 16384;
/// The most bytes of them, but for the last one.
const MOST_BYTES: usize = 1 << 20;
/// The most bytes of joined documents that are held.
const MOST_JOINED: usize = 4 << 20;

/// Documents that were read ahead.
pub struct Batch {
    /// The path whose value is looked for.
    local: PathReader,
    /// How many names that has.
    depth: usize,
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
    joined: Vec<Joined>,
    /// The arrays of joined documents, or the values at the paths that are read of them.
    arrays: Vec<u8>,
    /// Where those values lie.
    ends: Vec<EndPlace>,
    next: usize,
    /// How many documents the last batch was for.
    size: usize,
    /// The error that stopped the input behind the batch.
    failure: Option<CommandError>,
}

/// The state of one document's join.
#[derive(Clone)]
enum Joined {
    /// Not looked for, or not held.
    Unknown,
    Nothing,
    /// One document, in an array that lies there.
    One(Range<usize>),
    /// One document; there is where its paths lead to.
    Ends(Range<usize>),
}

/// The joined documents, of which there is at most one.
#[derive(Clone, Copy)]
pub enum Known<'b> {
    Array(Array<'b>),
    /// Where the fields read of it lie in the bytes.
    Ends(&'b [EndPlace], &'b [u8]),
}

impl<'b> Known<'b> {
    /// The joined documents, where they are held whole.
    pub fn array(self) -> Array<'b> {
        match self {
            Self::Array(array) => array,
            Self::Ends(..) => Array::EMPTY,
        }
    }
}

/// The fields copied of joined documents.
pub struct Copied<'k> {
    /// `None` for all.
    pub kept: &'k mut Option<Kept>,
    /// Whether only the values at its paths are kept.
    pub by_ends: bool,
}

/// The bytes before the only document of an array: the array's length, the item's type and name.
const BEFORE_ITEM: [u8; 7] = [0, 0, 0, 0, BsonType::Document as u8, b'0', 0];

/// The next document of a batch.
pub struct Next<'b> {
    pub document: Document<'b>,
    /// `None` when they are not known.
    pub joined: Option<Known<'b>>,
}

/// The only document of an array that a batch made, if there is one.
pub fn only_item(array: Array<'_>) -> Option<Document<'_>> {
    let bytes = array.as_bytes();
    let item = bytes.get(BEFORE_ITEM.len()..bytes.len().saturating_sub(1))?;
    Some(Document::from_valid_bytes(item))
}

impl Batch {
    /// None yet, of documents that are joined by the value at a path.
    pub fn new(local: &FieldPath) -> Self {
        let mut reader = PathReader::default();
        reader.add(local.parts().iter().map(|name| name.as_bytes()));
        Self {
            local: reader,
            depth: local.parts().len(),
            bytes: Vec::new(),
            places: Vec::new(),
            joined: Vec::new(),
            arrays: Vec::new(),
            ends: Vec::new(),
            next: 0,
            size: 0,
            failure: None,
        }
    }

    /// Whether documents are left.
    pub fn has_more(&self) -> bool {
        self.next < self.places.len()
    }

    /// Goes to the next document.
    pub fn advance(&mut self) {
        self.next += 1;
    }

    /// Goes to the next document if its joined documents are known.
    pub fn advance_known(&mut self) -> Option<(Document<'_>, Known<'_>)> {
        let at = self.next;
        if matches!(self.joined.get(at)?, Joined::Unknown) {
            return None;
        }
        self.next += 1;
        let document = Document::from_valid_bytes(self.bytes.get(self.places.get(at)?.clone())?);
        Some((document, self.joined_at(at)?))
    }

    /// The documents that are known to be joined to one.
    #[inline]
    fn joined_at(&self, at: usize) -> Option<Known<'_>> {
        Some(match self.joined.get(at)? {
            Joined::Unknown => return None,
            Joined::Nothing => Known::Array(Array::EMPTY),
            Joined::One(array) => {
                Known::Array(Array::from_valid_bytes(self.arrays.get(array.clone())?))
            }
            Joined::Ends(places) => Known::Ends(self.ends.get(places.clone())?, &self.arrays),
        })
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

    /// Reads the next documents and looks up those they join; false at the end.
    ///
    /// # Errors
    /// Those of the input and of the look-up.
    pub fn fill(
        &mut self,
        input: &mut dyn Stage,
        join: &mut EqualityJoin,
        copied: &mut Copied<'_>,
        cx: &ExecContext<'_>,
    ) -> Result<bool> {
        self.bytes.clear();
        self.places.clear();
        self.joined.clear();
        self.arrays.clear();
        self.ends.clear();
        self.next = 0;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.size = (self.size * 4).clamp(1, MOST_DOCUMENTS);
        let (bytes, places, size) = (&mut self.bytes, &mut self.places, self.size);
        let read = input.visit(cx, &mut |record| {
            let start = bytes.len();
            extend(bytes, record.document().as_bytes());
            places.push(start..bytes.len());
            Ok(places.len() < size && bytes.len() < MOST_BYTES)
        });
        match read {
            // The documents before the error are given first.
            Err(error) if !self.places.is_empty() => self.failure = Some(error),
            read => {
                read?;
            }
        }
        self.joined.resize(self.places.len(), Joined::Unknown);
        if self.places.len() > 1 {
            self.look_up(join, copied, cx)?;
        }
        Ok(!self.places.is_empty())
    }

    fn look_up(
        &mut self,
        join: &mut EqualityJoin,
        copied: &mut Copied<'_>,
        cx: &ExecContext<'_>,
    ) -> Result<()> {
        let mut values = Vec::with_capacity(self.places.len());
        let mut askers = Vec::with_capacity(self.places.len());
        let (arrays, ends, joined) = (&mut self.arrays, &mut self.ends, &mut self.joined);
        for (asker, place) in self.places.iter().enumerate() {
            let mut value = ReadValue::MISSING;
            let document = self.bytes.get(place.clone()).unwrap_or_default();
            let keep: &mut Keep<'_, '_> = &mut |_, read| {
                value = read;
                false
            };
            self.local.read(document, keep);
            if is_looked_for(&value, self.depth) {
                values.push(value);
                askers.push(asker);
                joined[asker] = Joined::Nothing;
            }
        }
        let env = cx.env;
        cx.namespaces
            .find_each(join, &values, &mut |position, document| {
                env.checkpoint()?;
                let Some(asker) = askers.get(position) else {
                    return Ok(());
                };
                let start = arrays.len();
                if start >= MOST_JOINED {
                    joined[*asker] = Joined::Unknown;
                    return Ok(());
                }
                if let Some(kept) = copied.kept.as_mut().filter(|_| copied.by_ends) {
                    let first = ends.len();
                    if kept.ends(document, arrays, ends) {
                        joined[*asker] = Joined::Ends(first..ends.len());
                        return Ok(());
                    }
                }
                extend(arrays, &BEFORE_ITEM);
                let item = arrays.len();
                match copied.kept {
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

/// Whether looking for equal ones is all there is to do for a value of a type: arrays join by each of their items, the
/// others left out are matched by more than equality, or by nothing.
pub fn joins_as_it_is(kind: BsonType) -> bool {
    !matches!(
        kind,
        BsonType::Array | BsonType::Regex | BsonType::Undefined
    )
}

/// Whether a value is looked for in the index. Documents without it are joined too, and not by an index.
fn is_looked_for(value: &ReadValue<'_>, depth: usize) -> bool {
    value.walked == depth
        && !matches!(value.kind, BsonType::Missing | BsonType::Null)
        && joins_as_it_is(value.kind)
}
