//! The options that a collection was created with.
//!
//! Manual: reference/command/create. Invariant: capped sizes are already rounded as the server
//! rounds them; `to_bson` gives the `options` document of `listCollections`.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};

/// The largest `size` of a capped collection: one pebibyte.
pub const MAX_CAPPED_BYTES: i64 = 1 << 50;
/// The limit that `max: 0` and negative ones stand for: none that is ever met.
const NO_CAPPED_MAXIMUM: i64 = 0x7fff_ffff;

/// The limits of a capped collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CappedLimits {
    /// Bytes of documents, a multiple of 256.
    pub size: i64,
    /// Number of documents; 0 when none was given.
    pub max: i64,
}

impl CappedLimits {
    /// Rounds and checks the limits as `create` does.
    ///
    /// # Errors
    /// 2 `BadValue` when a number is out of range.
    pub fn new(size: i64, max: Option<i64>) -> Result<Self, CommandError> {
        let size = Self::check_size("size", size)?;
        let max = match max {
            None => 0,
            Some(max) => Self::check_max("max", max)?,
        };
        Ok(Self { size, max })
    }

    /// Rounds a size up to a multiple of 256.
    ///
    /// # Errors
    /// 2 `BadValue` when it is below 1 or above one pebibyte.
    pub fn check_size(field: &str, size: i64) -> Result<i64, CommandError> {
        if size < 1 {
            return Err(CommandError::new(
                Code::BadValue,
                format!("BSON field '{field}' value must be >= 1, actual value '{size}'"),
            ));
        }
        if size > MAX_CAPPED_BYTES {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "BSON field '{field}' value must be <= {MAX_CAPPED_BYTES}, actual value '{size}'"
                ),
            ));
        }
        Ok((size + 0xff) & !0xff)
    }

    /// Checks a maximum number of documents; nothing and less mean no limit.
    ///
    /// # Errors
    /// 2 `BadValue` when it is 2^31 or more.
    pub fn check_max(field: &str, max: i64) -> Result<i64, CommandError> {
        if max >= 1 << 31 {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "BSON field '{field}' value must be < {}, actual value '{max}'",
                    1_i64 << 31
                ),
            ));
        }
        Ok(if max <= 0 { NO_CAPPED_MAXIMUM } else { max })
    }
}

/// The `clusteredIndex` option of a clustered collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustered {
    /// The name of its clustered index.
    pub name: Box<str>,
    /// Seconds after which documents expire whose `_id` is a date.
    pub expire_after_seconds: Option<i64>,
}

impl Clustered {
    /// Refuses an expiry before a document's own date.
    ///
    /// # Errors
    /// 72 `InvalidOptions`.
    pub fn check_expiry(seconds: Option<i64>) -> Result<(), CommandError> {
        match seconds {
            Some(seconds @ ..0) => Err(CommandError::new(
                Code::InvalidOptions,
                format!(
                    "TTL index 'expireAfterSeconds' option cannot be less than 0. Given: {seconds}"
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// The options of one collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollectionOptions {
    pub capped: Option<CappedLimits>,
    /// Further options, kept as `create` was given them.
    pub others: DocumentBuf,
    /// How operations that name no collation compare strings.
    pub collation: Collation,
    pub clustered: Option<Clustered>,
}

impl CollectionOptions {
    /// Options of a capped collection without others.
    pub fn capped(limits: CappedLimits) -> Self {
        Self {
            capped: Some(limits),
            ..Self::default()
        }
    }

    /// The options as `listCollections` prints them.
    pub fn to_bson(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        self.append_to(&mut builder);
        builder.finish()
    }

    /// Appends the options' fields.
    pub fn append_to(&self, builder: &mut DocumentBuilder) {
        if let Some(limits) = self.capped {
            builder.append("capped", true);
            builder.append_integer("size", limits.size);
            if limits.max > 0 {
                builder.append_integer("max", limits.max);
            }
        }
        builder.append_all(self.others.as_document());
        if let Some(collation) = self.collation.spec() {
            builder.append("collation", &collation);
        }
        if let Some(clustered) = &self.clustered {
            builder.begin_document("clusteredIndex").append("v", 2);
            builder.begin_document("key").append("_id", 1).end();
            builder.append("name", &*clustered.name);
            builder.append("unique", true).end();
            if let Some(seconds) = clustered.expire_after_seconds {
                builder.append_integer("expireAfterSeconds", seconds);
            }
        }
    }

    /// Reads options that `to_bson` wrote; `collation` is the collation of their document.
    pub fn from_bson(document: Document<'_>, collation: Collation) -> Self {
        let mut others = DocumentBuilder::new();
        for element in document.iter() {
            if !matches!(
                element.name,
                "capped" | "clusteredIndex" | "collation" | "expireAfterSeconds" | "max" | "size"
            ) {
                others.append_raw(element.raw);
            }
        }
        let number = |name| document.get(name).as_exact_i64().unwrap_or(0);
        let capped =
            matches!(document.get("capped"), ValueRef::Boolean(true)).then(|| CappedLimits {
                size: number("size"),
                max: number("max"),
            });
        Self {
            capped,
            others: others.finish(),
            collation,
            clustered: document
                .get("clusteredIndex")
                .as_document()
                .map(|index| Clustered {
                    name: index.get("name").as_str().unwrap_or_default().into(),
                    expire_after_seconds: document.get("expireAfterSeconds").as_exact_i64(),
                }),
        }
    }

    /// Refuses a combination of `capped`, `size` and `max` that means nothing.
    ///
    /// # Errors
    /// 72 `InvalidOptions`.
    pub fn parse_capped(
        capped: bool,
        size: Option<i64>,
        max: Option<i64>,
    ) -> Result<Option<CappedLimits>, CommandError> {
        let size = size
            .map(|size| CappedLimits::check_size("size", size))
            .transpose()?;
        let max = max
            .map(|max| CappedLimits::check_max("max", max))
            .transpose()?;
        match (capped, size) {
            (true, None) => Err(CommandError::new(
                Code::InvalidOptions,
                "the 'size' field is required when 'capped' is true",
            )),
            (true, Some(size)) => Ok(Some(CappedLimits {
                size,
                max: max.unwrap_or(0),
            })),
            (false, None) if max.is_none() => Ok(None),
            (false, _) => Err(CommandError::new(
                Code::InvalidOptions,
                "the 'capped' field needs to be true when either the 'size' or 'max' fields are present",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_capped_limits_as_the_server_does() {
        assert_eq!(
            CappedLimits::new(1, None),
            Ok(CappedLimits { size: 256, max: 0 })
        );
        assert_eq!(
            CappedLimits::new(4097, Some(3)),
            Ok(CappedLimits { size: 4352, max: 3 })
        );
        assert_eq!(
            CappedLimits::new(16384, Some(0)),
            Ok(CappedLimits {
                size: 16384,
                max: 0x7fff_ffff
            })
        );
        assert!(CappedLimits::new(0, None).is_err());
        assert!(CappedLimits::new(MAX_CAPPED_BYTES + 1, None).is_err());
        assert!(CappedLimits::new(1, Some(1 << 31)).is_err());
    }

    #[test]
    fn round_trips_through_bson() {
        let mut others = DocumentBuilder::new();
        others.append("note", "kept");
        let options = CollectionOptions {
            capped: Some(CappedLimits { size: 512, max: 9 }),
            others: others.finish(),
            collation: Collation::SIMPLE,
            clustered: Some(Clustered {
                name: "by id".into(),
                expire_after_seconds: Some(60),
            }),
        };
        assert_eq!(
            CollectionOptions::from_bson(options.to_bson().as_document(), Collation::SIMPLE),
            options
        );
        assert!(CollectionOptions::parse_capped(true, None, None).is_err());
        assert!(CollectionOptions::parse_capped(false, Some(5), None).is_err());
        assert_eq!(CollectionOptions::parse_capped(false, None, None), Ok(None));
    }
}
