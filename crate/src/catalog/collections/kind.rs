//! The kinds of collection: what commands, writers and the planner ask of a collection whose answer depends on how it
//! was created.
//!
//! ```text
//! {capped: true, size: 512}  ─ ROWS: options of a kind's own ─► CollectionKind::Capped(limits)
//! CollectionKind::limits     ─ a fact, asked of each document or each read: one comparison, no call
//! CollectionKind::rules      ─ all else, asked once a command: the kind's `KindRules`
//! ```
//!
//! Callers ask what a kind does, never which kind it is. Facts say it where it is asked often: `view` (a read of the
//! name is a pipeline over another collection), `limits` (the oldest documents give way), `clustering` (documents lie
//! in the order of their `_id`), `measured` and `buckets` (a time series and its buckets). A kind may answer to several
//! of them. `KindRules` has a method for each further question, with the answer of a plain collection as its default,
//! so that a kind's file is the list of its peculiarities. What `create` and `collMod` do for a kind needs a command's
//! context, and is one file of `command/collections/kinds`.
//!
//! **Invariant:** the variants of `CollectionKind` are told apart here and in `command/collections/kinds` alone. A new
//! kind is a file beside this one, a variant, an arm of `rules` and of the facts that it answers to, a row of `ROWS`,
//! and its row of commands.

use super::capped::{self, CappedLimits};
use super::clustered::{self, Clustered};
use super::plain::Plain;
use super::series::{self, Buckets, Measured};
use super::view::{self, View};
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::series::Series;
use crate::catalog::series::options::SeriesChange;
use crate::error::{Code, CommandError};

/// How a collection keeps its documents, or where a name without documents leads.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum CollectionKind {
    #[default]
    Plain,
    View(View),
    Capped(CappedLimits),
    Clustered(Clustered),
    Measured(Measured),
    Buckets(Buckets),
}

/// What a collection of one kind does in its own way.
pub trait KindRules {
    /// The word for it in `listCollections`.
    fn type_name(&self) -> &'static str {
        "collection"
    }

    /// The count of `serverStatus` that it belongs to, beside that of all collections.
    fn counted_as(&self) -> Option<&'static str> {
        None
    }

    /// Appends the options of a collection of this kind; `common` appends those that every kind may have.
    fn append_options(&self, options: &mut DocumentBuilder, common: &dyn Fn(&mut DocumentBuilder)) {
        common(options);
    }

    /// Appends what only the catalog's row has of the kind, behind the options.
    fn append_stored(&self, _options: &mut DocumentBuilder) {}

    /// Whether `listCollections` tells it as one that nothing is written to.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Appends what `collStats` tells of this kind; sizes are divided by the scale.
    fn append_statistics(&self, statistics: &mut DocumentBuilder, _scale: i64) {
        statistics.append("capped", false);
    }

    /// The kind after a `collMod`; `None`: it stays as it is.
    ///
    /// # Errors
    /// 72 `InvalidOptions` for a change that the kind does not have.
    fn changed(&self, changes: &KindChanges) -> Result<Option<CollectionKind>, CommandError> {
        changes.refuse_limits()?;
        changes.refuse_expiry()?;
        Ok(None)
    }

    /// Refuses a command on documents and trees of the name's own.
    ///
    /// # Errors
    /// 166 `CommandNotSupportedOnView`.
    fn check_stored(&self, _namespace: &str) -> Result<(), CommandError> {
        Ok(())
    }

    /// Whether many documents may be inserted at once.
    fn takes_many(&self) -> bool {
        true
    }

    /// Refuses to be replaced by the results of `$out`.
    ///
    /// # Errors
    /// The kind's own code.
    fn check_replaced(&self, _namespace: &str) -> Result<(), CommandError> {
        Ok(())
    }

    /// Refuses writes inside a transaction.
    ///
    /// # Errors
    /// 263 `OperationNotSupportedInTransaction`.
    fn check_inside(&self, _namespace: &str) -> Result<(), CommandError> {
        Ok(())
    }

    /// Refuses a cursor that waits for documents to come.
    ///
    /// # Errors
    /// 2 `BadValue`.
    fn check_tailable(&self, namespace: &str) -> Result<(), CommandError> {
        Err(CommandError::new(
            Code::BadValue,
            format!(
                "error processing query: ns={namespace} :: caused by :: tailable cursor requested on non capped \
                 collection"
            ),
        ))
    }
}

impl CollectionKind {
    /// The rules of the kind.
    pub fn rules(&self) -> &dyn KindRules {
        match self {
            Self::Plain => &Plain,
            Self::View(view) => view,
            Self::Capped(limits) => limits,
            Self::Clustered(clustered) => clustered,
            Self::Measured(measured) => measured,
            Self::Buckets(buckets) => buckets,
        }
    }

    /// The pipeline over another collection that a read of the name is; `None`: the collection has documents of its
    /// own.
    #[inline]
    pub fn view(&self) -> Option<&View> {
        match self {
            Self::View(view) => Some(view),
            Self::Measured(measured) => Some(&measured.view),
            _ => None,
        }
    }

    /// The limits beyond which the oldest documents give way to the newest.
    #[inline]
    pub fn limits(&self) -> Option<CappedLimits> {
        match self {
            Self::Capped(limits) => Some(*limits),
            _ => None,
        }
    }

    /// How documents lie in the order of their `_id`, where they do.
    #[inline]
    pub fn clustering(&self) -> Option<&Clustered> {
        match self {
            Self::Clustered(clustered) => Some(clustered),
            Self::Buckets(buckets) => Some(&buckets.clustered),
            _ => None,
        }
    }

    /// How the measurements of a time series are gathered, of its own name.
    #[inline]
    pub fn measured(&self) -> Option<&Series> {
        match self {
            Self::Measured(measured) => Some(&measured.series),
            _ => None,
        }
    }

    /// The same, of the collection of its buckets.
    #[inline]
    pub fn buckets(&self) -> Option<&Series> {
        match self {
            Self::Buckets(buckets) => Some(&buckets.series),
            _ => None,
        }
    }

    /// The kind that stored options tell of.
    pub(in crate::catalog) fn read(options: Document<'_>) -> Self {
        let mut rows = ROWS.iter();
        rows.find_map(|row| (row.read)(options)).unwrap_or_default()
    }
}

/// The options that make a collection one of a kind.
pub(super) struct KindRow {
    /// The names of the kind's own options.
    pub fields: &'static [&'static str],
    /// Reads the kind of stored options; `None` where they tell of another.
    pub read: fn(Document<'_>) -> Option<CollectionKind>,
}

/// The kinds that options make.
const ROWS: &[KindRow] = &[view::ROW, capped::ROW, series::ROW, clustered::ROW];

/// Whether an option is one that makes a collection one of a kind.
pub(in crate::catalog) fn is_own_option(name: &str) -> bool {
    ROWS.iter().any(|row| row.fields.contains(&name))
}

/// The changes of a kind that `collMod` asks for.
pub struct KindChanges {
    /// The bytes of a capped collection.
    pub size: Option<i64>,
    /// The number of documents of a capped collection.
    pub max: Option<i64>,
    /// When documents are to expire by their `_id`.
    pub expiry: ExpiryChange,
    /// How measurements are to be gathered.
    pub series: Option<SeriesChange>,
}

/// A change of the time after which documents expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiryChange {
    Keep,
    Off,
    Seconds(i64),
}

impl KindChanges {
    /// Refuses limits, of a kind that has none.
    ///
    /// # Errors
    /// 72 `InvalidOptions`, and 2 `BadValue` for limits that no collection can have.
    pub(super) fn refuse_limits(&self) -> Result<(), CommandError> {
        if self.size.is_none() && self.max.is_none() {
            return Ok(());
        }
        CappedLimits { size: 0, max: 0 }.changed_by(self.size, self.max)?;
        Err(CommandError::new(
            Code::InvalidOptions,
            "Collection must be capped.",
        ))
    }

    /// Refuses an expiry, of a kind whose documents have none.
    ///
    /// # Errors
    /// 72 `InvalidOptions`.
    pub(super) fn refuse_expiry(&self) -> Result<(), CommandError> {
        match self.expiry {
            ExpiryChange::Keep => Ok(()),
            _ => Err(CommandError::new(
                Code::InvalidOptions,
                "'expireAfterSeconds' option is only supported on collections clustered by _id",
            )),
        }
    }
}
