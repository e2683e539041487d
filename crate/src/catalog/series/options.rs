//! The `timeseries` options of a collection.
//!
//! Example: `{timeField: "t", metaField: "sensor", granularity: "minutes"}`. Invariant: the span of a bucket is never
//! made less, so that a bucket holds no measurement that is a span or more after its beginning.

use crate::bson::{Document, DocumentBuf, DocumentBuilder};
use crate::catalog::names;
use crate::error::{Code, CommandError};

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
        format!("{}{name}", names::BUCKETS)
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

/// What a request says of the sizes of buckets.
#[derive(Debug, Clone, Default)]
pub struct SeriesChange {
    pub granularity: Option<Granularity>,
    pub span: Option<i64>,
    pub rounding: Option<i64>,
}

fn invalid(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

impl SeriesChange {
    /// Granularity, span and rounding that are asked for.
    ///
    /// # Errors
    /// 72 `InvalidOptions` for seconds that do not go with one another, or with the granularity.
    pub fn sizes(&self) -> Result<(Option<Granularity>, i64, i64), CommandError> {
        if let Some(granularity) = self.granularity {
            let (span, rounding) = granularity.seconds();
            for (name, given, default) in [
                ("bucketMaxSpanSeconds", self.span, span),
                ("bucketRoundingSeconds", self.rounding, rounding),
            ] {
                if given.is_some_and(|given| given != default) {
                    return Err(invalid(format!(
                        "Timeseries '{name}' is not configurable to a value other than the default of {default} for \
                         the provided granularity"
                    )));
                }
            }
            return Ok((Some(granularity), span, rounding));
        }
        match (self.span, self.rounding) {
            (None, None) => {
                let (span, rounding) = Granularity::Seconds.seconds();
                Ok((Some(Granularity::Seconds), span, rounding))
            }
            (Some(span), Some(rounding)) if span == rounding => Ok((None, span, rounding)),
            (Some(_), Some(_)) => Err(invalid(
                "Timeseries 'bucketRoundingSeconds' needs to be equal to 'bucketMaxSpanSeconds'",
            )),
            _ => Err(invalid(
                "Timeseries 'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' need to be set alongside each other",
            )),
        }
    }
}

impl Series {
    /// The options after a `collMod`.
    ///
    /// # Errors
    /// 72 `InvalidOptions` for buckets of less time than before.
    pub(in crate::catalog) fn changed(&self, change: &SeriesChange) -> Result<Self, CommandError> {
        if change.granularity.is_none() && change.span.is_none() && change.rounding.is_none() {
            return Ok(self.clone());
        }
        let (granularity, span, rounding) = change.sizes()?;
        if let (Some(before), Some(after)) = (self.granularity, granularity)
            && after < before
        {
            return Err(invalid(
                "Invalid transition for timeseries.granularity. Can only transition from 'seconds' to 'minutes' or \
                 'minutes' to 'hours'.",
            ));
        }
        for (name, before, after) in [
            ("bucketMaxSpanSeconds", self.span, span),
            ("bucketRoundingSeconds", self.rounding, rounding),
        ] {
            if after < before {
                return Err(invalid(format!(
                    "Timeseries '{name}' needs to be equal or greater to transition"
                )));
            }
        }
        Ok(Self {
            granularity,
            span,
            rounding,
            ..self.clone()
        })
    }
}

/// The seconds of an ObjectId at a time: those outside of its range are the nearest in it.
pub fn id_seconds(millis: i64) -> u32 {
    millis.div_euclid(1000).clamp(0, i64::from(u32::MAX)) as u32
}

/// Whether ObjectIds have the time.
pub fn is_id_time(millis: i64) -> bool {
    (0..=i64::from(u32::MAX)).contains(&millis.div_euclid(1000))
}

/// The least ObjectId of a time, or the greatest.
pub fn id_at(millis: i64, is_greatest: bool) -> [u8; 12] {
    let mut id = [if is_greatest { 0xFF } else { 0 }; 12];
    id[..4].copy_from_slice(&id_seconds(millis).to_be_bytes());
    id
}
