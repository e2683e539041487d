//! A row's metadata (sort key, index key, record id, random value), and how `$meta` gets at it.
//!
//! Follows the manual's "$meta" page. All that compiles together (a pipeline, a `find`) shares one `Metadata`, made by
//! the first `$meta` that is met: without one there is nothing to carry. Invariant: while a stage looks at a row, it
//! holds the metadata of that row; a stage that keeps rows back keeps it with them and puts it back, and a stage that
//! makes documents clears it.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::error::CommandError;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The kind of metadata that a `$meta` asks for: a place in `KINDS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetaKind(u8);

/// Every kind, with the words of its refusal where no query of this engine has it; one without words is missing then.
const KINDS: &[(&str, &str)] = &[
    ("indexKey", ""),
    ("recordId", ""),
    ("sortKey", ""),
    ("randVal", ""),
    ("textScore", "text score"),
    ("geoNearDistance", "$geoNear distance"),
    ("geoNearPoint", "$geoNear point"),
    ("searchHighlights", ""),
    ("searchScore", ""),
    ("searchScoreDetails", ""),
    ("searchSequenceToken", ""),
    ("timeseriesBucketMaxTime", ""),
    ("timeseriesBucketMinTime", ""),
    ("vectorSearchScore", ""),
    ("score", "score"),
    ("scoreDetails", "scoreDetails"),
];

impl MetaKind {
    /// The index key by which the document was found, as a document; none where no index, or `_id`'s for one value,
    /// found it.
    pub const INDEX_KEY: Self = Self(0);
    pub const RECORD_ID: Self = Self(1);
    /// The values that the document was sorted by, as an array.
    pub const SORT_KEY: Self = Self(2);
    /// The number by which `$sample` chose the document.
    pub const RANDOM: Self = Self(3);
    /// The score of the document for the search in its texts.
    pub const TEXT_SCORE: Self = Self(4);

    /// How far from the point of a `$near` the document is.
    pub const DISTANCE: Self = Self(5);
    /// The value of the document that the distance was measured to.
    pub const PLACE: Self = Self(6);

    /// What the document is worth in a hybrid search.
    pub const SCORE: Self = Self(14);

    /// Reads the argument of a `$meta`.
    ///
    /// # Errors
    /// 17307 and 17308 for an argument that names no kind of metadata.
    pub fn parse(kind: ValueRef<'_>) -> Result<Self, CommandError> {
        let ValueRef::String(name) = kind else {
            return Err(CommandError::location(
                17307,
                "$meta only supports string arguments",
            ));
        };
        match KINDS.iter().position(|(known, _)| name == *known) {
            Some(position) => Ok(Self(position as u8)),
            None => Err(CommandError::location(
                17308,
                format!("Unsupported argument to $meta: {name}"),
            )),
        }
    }

    /// The kind's name in a `$meta`.
    pub fn name(self) -> &'static str {
        KINDS.get(usize::from(self.0)).map_or("", |(name, _)| name)
    }

    /// Refuses metadata that only some queries have.
    ///
    /// # Errors
    /// 40218 for distances and for a text's score.
    pub fn check_available(self) -> Result<(), CommandError> {
        match KINDS.get(usize::from(self.0)) {
            None | Some((_, "")) => Ok(()),
            Some((_, words)) => Err(CommandError::location(
                40218,
                format!("query requires {words} metadata, but it is not available"),
            )),
        }
    }

    fn bit(self) -> u16 {
        1 << self.0
    }
}

/// The metadata of the current row, and which kinds of it are asked for.
#[derive(Debug, Default)]
pub struct Metadata {
    wanted: Cell<u16>,
    /// The kinds that a predicate of the query makes.
    offered: Cell<u16>,
    /// A field for each kind that is known, by its name.
    row: RefCell<DocumentBuf>,
}

/// The metadata that all expressions compiled together share.
pub type SharedMetadata = RefCell<Option<Rc<Metadata>>>;

impl Metadata {
    /// The shared one, from which a kind is wanted from now on.
    #[inline(never)]
    pub fn wanting(shared: &SharedMetadata, kind: MetaKind) -> Rc<Self> {
        let mut shared = shared.borrow_mut();
        let metadata = shared.get_or_insert_with(Rc::default);
        metadata.wanted.set(metadata.wanted.get() | kind.bit());
        Rc::clone(metadata)
    }

    /// Notes that the query makes metadata of a kind.
    #[inline(never)]
    pub fn offer(shared: &SharedMetadata, kind: MetaKind) {
        let mut shared = shared.borrow_mut();
        let metadata = shared.get_or_insert_with(Rc::default);
        metadata.offered.set(metadata.offered.get() | kind.bit());
    }

    /// The shared one, where anything is wanted of it.
    pub fn take_wanted(shared: &SharedMetadata) -> Option<Rc<Self>> {
        shared.take().filter(|held| held.wanted.get() != 0)
    }

    /// Whether a kind is wanted.
    pub fn wants(&self, kind: MetaKind) -> bool {
        self.wanted.get() & kind.bit() != 0
    }

    /// The kinds asked for, to be set back to.
    pub fn wanted(shared: &SharedMetadata) -> u16 {
        let shared = shared.borrow();
        shared.as_ref().map_or(0, |held| held.wanted.get())
    }

    /// Forgets the kinds asked for since of the rows that a collection gave, where these rows are gone.
    pub fn forget_since(shared: &SharedMetadata, wanted: u16) {
        let of_reads =
            MetaKind::INDEX_KEY.bit() | MetaKind::RECORD_ID.bit() | MetaKind::SORT_KEY.bit();
        if let Some(held) = &*shared.borrow() {
            held.wanted.set(wanted | held.wanted.get() & !of_reads);
        }
    }

    /// No longer wants a kind.
    pub fn ignore(&self, kind: MetaKind) {
        self.wanted.set(self.wanted.get() & !kind.bit());
    }

    /// Refuses kinds that the query has not, such as a text score without a search.
    ///
    /// # Errors
    /// 40218.
    pub fn check_available(&self) -> Result<(), CommandError> {
        for kind in 0..KINDS.len() as u8 {
            let kind = MetaKind(kind);
            if self.wants(kind) && self.offered.get() & kind.bit() == 0 {
                kind.check_available()?;
            }
        }
        Ok(())
    }

    /// The current row's metadata of one kind, missing where it has none.
    #[inline(never)]
    pub fn get(&self, name: &str) -> Value<'static> {
        self.row.borrow().get(name).to_value()
    }

    /// Goes to a row of which that is known.
    #[inline(never)]
    pub fn set(&self, row: Document<'_>) {
        *self.row.borrow_mut() = row.to_buf();
    }

    #[inline(never)]
    fn go_back<'k>(&self, kept: &'k [u8]) -> Document<'k> {
        let length = kept
            .first_chunk()
            .map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let Some((document, row)) = kept.split_at_checked(length as usize) else {
            return Document::EMPTY;
        };
        self.set(Document::from_valid_bytes(row));
        Document::from_valid_bytes(document)
    }

    /// Adds one fact to the current row's metadata.
    #[inline(never)]
    pub fn add(&self, kind: MetaKind, value: ValueRef<'_>) {
        let mut row = self.row.borrow_mut();
        let mut builder = DocumentBuilder::new();
        // The first of a name counts.
        builder
            .append(kind.name(), value)
            .append_all(row.as_document());
        *row = builder.finish();
    }
}

impl From<Option<Rc<Metadata>>> for Carried {
    fn from(held: Option<Rc<Metadata>>) -> Self {
        Self(held)
    }
}

/// The metadata as a stage of a pipeline sees them: nothing, at no cost, where no expression asks for any.
#[derive(Debug, Default, Clone)]
pub struct Carried(Option<Rc<Metadata>>);

impl Carried {
    /// The kinds asked for of a pipeline's rows.
    pub fn of(shared: &SharedMetadata) -> Self {
        Self(
            shared
                .borrow()
                .clone()
                .filter(|held| held.wanted.get() != 0),
        )
    }

    /// Where rows are told of, if they are.
    pub fn metadata(&self) -> Option<&Rc<Metadata>> {
        self.0.as_ref()
    }

    /// A row to be kept back: its document, and its metadata behind that.
    pub fn keep(&self, document: Document<'_>) -> Vec<u8> {
        let mut kept = document.as_bytes().to_vec();
        self.keep_behind(&mut kept);
        kept
    }

    /// Appends the current row's metadata to the bytes of its document.
    #[inline]
    pub fn keep_behind(&self, kept: &mut Vec<u8>) {
        if let Some(held) = &self.0 {
            kept.extend_from_slice(held.row.borrow().as_bytes());
        }
    }

    /// Goes back to a row that was kept, and gives its document.
    #[inline]
    pub fn go_back<'k>(&self, kept: &'k [u8]) -> Document<'k> {
        match &self.0 {
            None => Document::from_valid_bytes(kept),
            Some(held) => held.go_back(kept),
        }
    }

    /// Goes to a row of which nothing is known.
    pub fn forget(&self) {
        if let Some(held) = &self.0 {
            held.set(Document::EMPTY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Text;
    use crate::expr::testing::document;

    #[test]
    fn what_is_no_kind_is_refused() {
        let code = |kind| MetaKind::parse(kind).map_err(|error| error.code);
        assert_eq!(
            code(ValueRef::String(Text(b"sortKey"))),
            Ok(MetaKind::SORT_KEY)
        );
        assert_eq!(
            code(ValueRef::String(Text(b"recordId"))),
            Ok(MetaKind::RECORD_ID)
        );
        assert_eq!(code(ValueRef::String(Text(b"nonsense"))), Err(17308));
        assert_eq!(code(ValueRef::Int32(1)), Err(17307));
        let available = |name: &str| MetaKind::parse(ValueRef::from(name))?.check_available();
        assert!(available("searchScore").is_ok());
        let refusal = available("geoNearPoint").map_err(|error| error.code);
        assert_eq!(refusal, Err(40218));
    }

    #[test]
    fn is_made_when_something_is_wanted() {
        let shared = SharedMetadata::default();
        assert_eq!(Metadata::wanted(&shared), 0);
        let metadata = Metadata::wanting(&shared, MetaKind::RECORD_ID);
        assert!(metadata.wants(MetaKind::RECORD_ID) && !metadata.wants(MetaKind::SORT_KEY));
        let before = Metadata::wanted(&shared);
        let text = MetaKind::parse(ValueRef::String(Text(b"textScore"))).expect("a kind");
        Metadata::wanting(&shared, MetaKind::SORT_KEY);
        Metadata::wanting(&shared, text);
        Metadata::forget_since(&shared, before);
        assert!(!metadata.wants(MetaKind::SORT_KEY) && metadata.wants(text));
        assert!(metadata.check_available().is_err());
    }

    #[test]
    fn knows_the_row_it_went_to() {
        let metadata = Metadata::default();
        assert!(metadata.get("randVal").as_ref().is_missing());
        metadata.set(document("{recordId: 7, randVal: 1}").as_document());
        let carried = Carried(Some(Rc::new(metadata)));
        let kept = carried.keep(document("{a: 1}").as_document());
        let random = || {
            let held = carried.0.as_ref()?;
            held.get("randVal").as_ref().as_exact_i64()
        };
        carried.forget();
        assert_eq!(random(), None);
        assert_eq!(carried.go_back(&kept).to_buf(), document("{a: 1}"));
        assert_eq!(random(), Some(1));
        carried
            .0
            .iter()
            .for_each(|held| held.add(MetaKind::RANDOM, ValueRef::Int32(2)));
        assert_eq!(random(), Some(2));
        let alone = Carried::default().keep(document("{a: 1}").as_document());
        assert_eq!(alone, document("{a: 1}").as_bytes());
    }
}
