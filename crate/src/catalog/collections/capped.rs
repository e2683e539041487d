//! Capped collections: the oldest documents give way to the newest.
//!
//! Manual: core/capped-collections. How documents give way is `catalog/capped.rs`. Invariant: sizes are rounded as the
//! server rounds them.

use super::kind::{CollectionKind, KindChanges, KindRow, KindRules};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};

/// The largest `size` of a capped collection: one pebibyte.
const MAX_CAPPED_BYTES: i64 = 1 << 50;
/// The limit that `max: 0` and negative ones stand for: none that is ever met.
const NO_CAPPED_MAXIMUM: i64 = 0x7fff_ffff;

/// The options of a capped collection.
pub(super) const ROW: KindRow = KindRow {
    fields: &["capped", "size", "max"],
    read: |options| {
        let number = |name| options.get(name).as_exact_i64().unwrap_or(0);
        matches!(options.get("capped"), ValueRef::Boolean(true)).then(|| {
            CollectionKind::Capped(CappedLimits {
                size: number("size"),
                max: number("max"),
            })
        })
    },
};

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
        let size = check_size("size", size)?;
        let max = match max {
            None => 0,
            Some(max) => check_max("max", max)?,
        };
        Ok(Self { size, max })
    }

    /// The limits that `create` asks for; `None` where it asks for no capped collection.
    ///
    /// # Errors
    /// 72 `InvalidOptions` for a combination of `capped`, `size` and `max` that means nothing; 2 `BadValue`.
    pub fn parse(
        capped: bool,
        size: Option<i64>,
        max: Option<i64>,
    ) -> Result<Option<Self>, CommandError> {
        let size = size.map(|size| check_size("size", size)).transpose()?;
        let max = max.map(|max| check_max("max", max)).transpose()?;
        match (capped, size) {
            (true, None) => Err(CommandError::new(
                Code::InvalidOptions,
                "the 'size' field is required when 'capped' is true",
            )),
            (true, Some(size)) => Ok(Some(Self {
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

    /// The limits with those that `collMod` gives in their place.
    ///
    /// # Errors
    /// 2 `BadValue` when a number is out of range.
    pub(super) fn changed_by(
        self,
        size: Option<i64>,
        max: Option<i64>,
    ) -> Result<Self, CommandError> {
        Ok(Self {
            size: match size {
                Some(size) => check_size("cappedSize", size)?,
                None => self.size,
            },
            max: match max {
                Some(max) => check_max("cappedMax", max)?,
                None => self.max,
            },
        })
    }
}

/// Rounds a size up to a multiple of 256. 2 `BadValue` when it is below 1 or above one pebibyte.
fn check_size(field: &str, size: i64) -> Result<i64, CommandError> {
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

/// Checks a maximum number of documents; nothing and less mean no limit. 2 `BadValue` when it is 2^31 or more.
fn check_max(field: &str, max: i64) -> Result<i64, CommandError> {
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

impl From<CappedLimits> for CollectionKind {
    fn from(limits: CappedLimits) -> Self {
        Self::Capped(limits)
    }
}

impl KindRules for CappedLimits {
    fn counted_as(&self) -> Option<&'static str> {
        Some("capped")
    }

    fn append_options(&self, options: &mut DocumentBuilder, common: &dyn Fn(&mut DocumentBuilder)) {
        options.append("capped", true);
        options.append_integer("size", self.size);
        if self.max > 0 {
            options.append_integer("max", self.max);
        }
        common(options);
    }

    fn append_statistics(&self, statistics: &mut DocumentBuilder, scale: i64) {
        statistics.append("capped", true);
        statistics.append_integer("max", self.max);
        statistics.append_integer("maxSize", self.size / scale.max(1));
    }

    fn changed(&self, changes: &KindChanges) -> Result<Option<CollectionKind>, CommandError> {
        let limits = self.changed_by(changes.size, changes.max)?;
        changes.refuse_expiry()?;
        Ok(Some(limits.into()))
    }

    fn takes_many(&self) -> bool {
        false
    }

    fn check_replaced(&self, namespace: &str) -> Result<(), CommandError> {
        Err(CommandError::location(
            17152,
            format!("namespace '{namespace}' is capped so it can't be used for $out"),
        ))
    }

    fn check_inside(&self, namespace: &str) -> Result<(), CommandError> {
        Err(CommandError::new(
            Code::OperationNotSupportedInTransaction,
            format!(
                "Collection '{namespace}' is a capped collection. Writes in transactions are not allowed on capped \
                 collections."
            ),
        ))
    }

    fn check_tailable(&self, _namespace: &str) -> Result<(), CommandError> {
        Ok(())
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
    fn refuses_limits_that_mean_nothing() {
        assert!(CappedLimits::parse(true, None, None).is_err());
        assert!(CappedLimits::parse(false, Some(5), None).is_err());
        assert_eq!(CappedLimits::parse(false, None, None), Ok(None));
    }
}
