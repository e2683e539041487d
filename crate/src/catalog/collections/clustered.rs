//! Clustered collections: documents lie in the order of their `_id`, as far as anybody can see.
//!
//! Manual: core/clustered-collections. The order is that of the `_id` index, which is a kind of index of its own
//! (`catalog/index/clustered.rs`). Invariant: the expiry of the options is the expiry of that index.

use super::kind::{CollectionKind, ExpiryChange, KindChanges, KindRow, KindRules};
use crate::bson::DocumentBuilder;
use crate::error::{Code, CommandError};

/// The options of a clustered collection.
pub(super) const ROW: KindRow = KindRow {
    fields: &["clusteredIndex", "expireAfterSeconds"],
    read: |options| {
        let index = options.get("clusteredIndex").as_document()?;
        Some(CollectionKind::Clustered(Clustered {
            name: index.get("name").as_str().unwrap_or_default().into(),
            expire_after_seconds: options.get("expireAfterSeconds").as_exact_i64(),
        }))
    },
};

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

impl From<Clustered> for CollectionKind {
    fn from(clustered: Clustered) -> Self {
        Self::Clustered(clustered)
    }
}

impl KindRules for Clustered {
    fn append_options(&self, options: &mut DocumentBuilder, common: &dyn Fn(&mut DocumentBuilder)) {
        common(options);
        options.begin_document("clusteredIndex").append("v", 2);
        options.begin_document("key").append("_id", 1).end();
        options.append("name", &*self.name);
        options.append("unique", true).end();
        if let Some(seconds) = self.expire_after_seconds {
            options.append_integer("expireAfterSeconds", seconds);
        }
    }

    fn changed(&self, changes: &KindChanges) -> Result<Option<CollectionKind>, CommandError> {
        changes.refuse_limits()?;
        let seconds = match changes.expiry {
            ExpiryChange::Keep => return Ok(None),
            ExpiryChange::Off => None,
            ExpiryChange::Seconds(seconds) => Some(seconds),
        };
        Self::check_expiry(seconds)?;
        Ok(Some(CollectionKind::Clustered(Self {
            name: self.name.clone(),
            expire_after_seconds: seconds,
        })))
    }
}
