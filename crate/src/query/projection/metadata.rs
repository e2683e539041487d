//! `$meta` in the projection of a `find`: what is known of a result besides its document.
//!
//! Follows the manual's "$meta" page. Invariant: where something is not known of a result, its field is left out; what no
//! query of this engine can know at all (a text's score, a distance) is refused.

use crate::bson::{ArrayBuf, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::CommandError;

/// What a `$meta` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetaKind {
    /// The index key by which the document was found, as a document; none where no index, or `_id`'s for one value, found it.
    IndexKey,
    RecordId,
    /// The values that the document was sorted by, as an array.
    SortKey,
    /// What only searches and time series have: never known.
    Unknown,
}

/// What is known of one result.
#[derive(Debug, Default)]
pub struct Metadata {
    pub record_id: Option<i64>,
    pub index_key: Option<DocumentBuf>,
    pub sort_key: Option<ArrayBuf>,
}

impl MetaKind {
    /// Reads the argument of a `$meta`.
    ///
    /// # Errors
    /// 17307 and 17308 for what is no kind of metadata, 40218 for what no query here has.
    pub fn parse(kind: ValueRef<'_>) -> Result<Self, CommandError> {
        let unavailable = |what: &str| {
            CommandError::location(
                40218,
                format!("query requires {what} metadata, but it is not available"),
            )
        };
        match kind {
            ValueRef::String("indexKey") => Ok(Self::IndexKey),
            ValueRef::String("recordId") => Ok(Self::RecordId),
            ValueRef::String("sortKey") => Ok(Self::SortKey),
            ValueRef::String(
                "randVal"
                | "searchHighlights"
                | "searchScore"
                | "searchScoreDetails"
                | "searchSequenceToken"
                | "timeseriesBucketMaxTime"
                | "timeseriesBucketMinTime"
                | "vectorSearchScore",
            ) => Ok(Self::Unknown),
            ValueRef::String("textScore") => Err(unavailable("text score")),
            ValueRef::String("geoNearDistance") => Err(unavailable("$geoNear distance")),
            ValueRef::String("geoNearPoint") => Err(unavailable("$geoNear point")),
            ValueRef::String(name) => Err(CommandError::location(
                17308,
                format!("Unsupported argument to $meta: {name}"),
            )),
            _ => Err(CommandError::location(
                17307,
                "$meta only supports string arguments",
            )),
        }
    }

    /// Appends what is known under a name; nothing where nothing is.
    pub fn append_to(self, name: &str, metadata: &Metadata, builder: &mut DocumentBuilder) {
        match self {
            Self::IndexKey => {
                if let Some(key) = &metadata.index_key {
                    builder.append(name, key);
                }
            }
            Self::RecordId => {
                if let Some(record_id) = metadata.record_id {
                    builder.append(name, record_id);
                }
            }
            Self::SortKey => {
                if let Some(key) = &metadata.sort_key {
                    builder.append(name, ValueRef::Array(key.as_array()));
                }
            }
            Self::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        let metadata = Metadata {
            record_id: Some(7),
            ..Metadata::default()
        };
        let mut builder = DocumentBuilder::new();
        for kind in [
            MetaKind::IndexKey,
            MetaKind::RecordId,
            MetaKind::SortKey,
            MetaKind::Unknown,
        ] {
            kind.append_to("m", &metadata, &mut builder);
        }
        assert_eq!(builder.finish().as_document().len(), 1);
    }

    #[test]
    fn what_no_query_has_is_refused() {
        let code = |kind| MetaKind::parse(kind).map_err(|error| error.code);
        assert_eq!(code(ValueRef::String("sortKey")), Ok(MetaKind::SortKey));
        assert_eq!(code(ValueRef::String("searchScore")), Ok(MetaKind::Unknown));
        assert_eq!(code(ValueRef::String("textScore")), Err(40218));
        assert_eq!(code(ValueRef::String("geoNearDistance")), Err(40218));
        assert_eq!(code(ValueRef::String("nonsense")), Err(17308));
        assert_eq!(code(ValueRef::Int32(1)), Err(17307));
    }
}
