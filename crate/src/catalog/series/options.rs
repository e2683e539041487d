//! The `timeseries` options of a collection.
//!
//! Example: `{timeField: "t", metaField: "sensor", granularity: "minutes"}`. Invariant: the span of a bucket is never
//! made less, so that a bucket holds no measurement that is a span or more after its beginning.

use crate::bson::{Document, DocumentBuf, DocumentBuilder};

/// What the names of collections of buckets begin with.
pub const BUCKETS: &str = "system.buckets.";

/// How far apart the measurements of a series are, about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Granularity {
    Seconds,
    Minutes,
    Hours,
}

/// Name, span of a bucket and what its beginning is rounded to, in seconds.
const GRANULARITIES: [(Granularity, &str, i64, i64); 3] = [
    (Granularity::Seconds, "seconds", 3600, 60),
    (Granularity::Minutes, "minutes", 86_400, 3600),
    (Granularity::Hours, "hours", 2_592_000, 86_400),
];

impl Granularity {
    /// The granularity of a name.
    pub fn of(name: &str) -> Option<Self> {
        GRANULARITIES
            .iter()
            .find(|row| row.1 == name)
            .map(|row| row.0)
    }

    /// The most seconds of a bucket, and what its beginning is rounded to.
    pub fn seconds(self) -> (i64, i64) {
        let row = &GRANULARITIES[self as usize];
        (row.2, row.3)
    }
}

/// The options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    pub time_field: Box<str>,
    pub meta_field: Option<Box<str>>,
    /// `None`: span and rounding were given.
    pub granularity: Option<Granularity>,
    /// The most seconds of a bucket.
    pub span: i64,
    /// What the beginning of a bucket is rounded down to, in seconds.
    pub rounding: i64,
    /// Seconds after which measurements expire.
    pub expire_after_seconds: Option<i64>,
}

impl Series {
    /// The name of the collection of buckets behind a time series.
    pub fn buckets_name(name: &str) -> String {
        format!("{BUCKETS}{name}")
    }

    /// The field of a measurement that its bucket has instead of it.
    pub fn meta(&self) -> Option<&str> {
        self.meta_field.as_deref()
    }

    /// Appends the options as `listCollections` shows them.
    pub fn append_to(&self, builder: &mut DocumentBuilder) {
        builder.append("timeField", &*self.time_field);
        if let Some(meta) = self.meta() {
            builder.append("metaField", meta);
        }
        if let Some(granularity) = self.granularity {
            builder.append("granularity", GRANULARITIES[granularity as usize].1);
        } else {
            builder.append_integer("bucketRoundingSeconds", self.rounding);
        }
        builder.append_integer("bucketMaxSpanSeconds", self.span);
    }

    /// Reads options that `append_to` wrote.
    pub fn read(options: Document<'_>, expire_after_seconds: Option<i64>) -> Option<Self> {
        let granularity = options
            .get("granularity")
            .as_str()
            .and_then(Granularity::of);
        let number = |name| options.get(name).as_exact_i64();
        Some(Self {
            time_field: options.get("timeField").as_str()?.into(),
            meta_field: options.get("metaField").as_str().map(Box::from),
            granularity,
            span: number("bucketMaxSpanSeconds")?,
            rounding: match granularity {
                Some(granularity) => granularity.seconds().1,
                None => number("bucketRoundingSeconds")?,
            },
            expire_after_seconds,
        })
    }

    /// The stage that makes measurements of buckets.
    pub fn unpacking(&self) -> DocumentBuf {
        let mut stage = DocumentBuilder::new();
        stage.begin_document("$_internalUnpackBucket");
        stage.append("timeField", &*self.time_field);
        if let Some(meta) = self.meta() {
            stage.append("metaField", meta);
        }
        stage
            .append_integer("bucketMaxSpanSeconds", self.span)
            .end();
        stage.finish()
    }

    /// When the bucket of a measurement begins.
    pub fn beginning(&self, millis: i64) -> i64 {
        let rounding = self.rounding.saturating_mul(1000).max(1);
        millis.div_euclid(rounding).saturating_mul(rounding)
    }

    /// The most milliseconds of a bucket.
    pub fn span_millis(&self) -> i64 {
        self.span.saturating_mul(1000)
    }
}

/// The seconds of an ObjectId at a time: those outside of its range are the nearest in it.
pub fn id_seconds(millis: i64) -> u32 {
    millis.div_euclid(1000).clamp(0, i64::from(u32::MAX)) as u32
}

/// The least ObjectId of a time, or the greatest.
pub fn id_at(millis: i64, is_greatest: bool) -> [u8; 12] {
    let mut id = [if is_greatest { 0xFF } else { 0 }; 12];
    id[..4].copy_from_slice(&id_seconds(millis).to_be_bytes());
    id
}
