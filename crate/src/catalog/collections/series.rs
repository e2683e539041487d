//! Time series: a name that reads as measurements, and the collection of the buckets that hold them.
//!
//! Manual: core/timeseries-collections; how measurements lie in buckets is `catalog/series`. Invariant: a series and
//! its buckets have the same options, and are created, changed and dropped together.

use super::clustered::Clustered;
use super::kind::{CollectionKind, ExpiryChange, KindChanges, KindRow, KindRules};
use super::view::View;
use crate::bson::{ArrayBuilder, DocumentBuilder};
use crate::catalog::index::specification::ID_INDEX_NAME;
use crate::catalog::series::Series;
use crate::error::{Code, CommandError};

/// The options of a time series, and of its buckets.
pub(super) const ROW: KindRow = KindRow {
    fields: &["timeseries", "of"],
    read: |options| {
        let expiry = options.get("expireAfterSeconds").as_exact_i64();
        let series = Series::read(options.get("timeseries").as_document()?, expiry)?;
        Some(match options.get("clusteredIndex").is_truthy() {
            true => Buckets::new(series).into(),
            false => Measured::new(series, options.get("of").as_str().unwrap_or_default()).into(),
        })
    },
};

/// The name that measurements are written to and read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub series: Series,
    pub(super) view: View,
}

impl Measured {
    /// A series over a collection of buckets of its database.
    pub fn new(series: Series, buckets: &str) -> Self {
        let mut stages = ArrayBuilder::new();
        stages.push(series.unpacking().as_document());
        let view = View::new(buckets, stages.finish().as_array());
        Self { series, view }
    }
}

/// A collection of buckets.
#[derive(Debug, Clone, PartialEq)]
pub struct Buckets {
    pub series: Series,
    pub(super) clustered: Clustered,
}

impl Buckets {
    pub fn new(series: Series) -> Self {
        let clustered = Clustered {
            name: ID_INDEX_NAME.into(),
            expire_after_seconds: series.expire_after_seconds,
        };
        Self { series, clustered }
    }
}

impl From<Measured> for CollectionKind {
    fn from(measured: Measured) -> Self {
        Self::Measured(measured)
    }
}

impl From<Buckets> for CollectionKind {
    fn from(buckets: Buckets) -> Self {
        Self::Buckets(buckets)
    }
}

fn append_series(
    series: &Series,
    options: &mut DocumentBuilder,
    common: &dyn Fn(&mut DocumentBuilder),
) {
    options.begin_document("timeseries");
    series.append_to(options);
    options.end();
    if let Some(seconds) = series.expire_after_seconds {
        options.append_integer("expireAfterSeconds", seconds);
    }
    common(options);
}

impl KindRules for Measured {
    fn type_name(&self) -> &'static str {
        "timeseries"
    }

    fn counted_as(&self) -> Option<&'static str> {
        Some("timeseries")
    }

    fn append_options(&self, options: &mut DocumentBuilder, common: &dyn Fn(&mut DocumentBuilder)) {
        append_series(&self.series, options, common);
    }

    fn append_stored(&self, options: &mut DocumentBuilder) {
        options.append("of", self.view.on());
    }

    fn is_read_only(&self) -> bool {
        false
    }

    fn check_stored(&self, namespace: &str) -> Result<(), CommandError> {
        Err(CommandError::new(
            Code::CommandNotSupportedOnView,
            format!("Namespace {namespace} is a timeseries collection"),
        ))
    }
}

impl KindRules for Buckets {
    fn append_options(&self, options: &mut DocumentBuilder, common: &dyn Fn(&mut DocumentBuilder)) {
        options.append("clusteredIndex", true);
        append_series(&self.series, options, common);
    }

    fn append_statistics(&self, statistics: &mut DocumentBuilder, _scale: i64) {
        statistics.append("capped", false);
    }

    fn changed(&self, changes: &KindChanges) -> Result<Option<CollectionKind>, CommandError> {
        changes.refuse_limits()?;
        let mut series = self.series.clone();
        match changes.expiry {
            ExpiryChange::Keep => {}
            ExpiryChange::Off => series.expire_after_seconds = None,
            ExpiryChange::Seconds(seconds) => {
                Clustered::check_expiry(Some(seconds))?;
                series.expire_after_seconds = Some(seconds);
            }
        }
        if let Some(asked) = &changes.series {
            series = series.changed(asked)?;
        }
        Ok((series != self.series).then(|| Self::new(series).into()))
    }
}
