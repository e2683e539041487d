//! The keys of indexes of measurements as keys of buckets, and back.
//!
//! `{sensor: 1, t: -1, v: 1}` over a series with the meta field `sensor` and the time field `t` is `{meta: 1,
//! "control.max.t": -1, "control.min.t": -1, "control.min.v": 1, "control.max.v": 1}` over its buckets.

use super::options::Series;
use crate::bson::{Document, DocumentBuf, DocumentBuilder};

/// The least and the greatest values of a field.
const MIN: &str = "control.min.";
const MAX: &str = "control.max.";

impl Series {
    /// The path in a bucket of a path in the meta field; `None` for another path.
    pub fn meta_path(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.meta()?)?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("meta{rest}"))
    }

    /// The key pattern over buckets; the reason where there is none.
    ///
    /// # Errors
    /// The fault of the pattern, in words for the message.
    pub fn bucket_key(&self, key: Document<'_>) -> Result<DocumentBuf, String> {
        let mut builder = DocumentBuilder::new();
        for field in key.iter() {
            if let Some(path) = self.meta_path(field.name) {
                builder.append(&path, field.value);
                continue;
            }
            let Some(number) = field.value.as_number() else {
                let kinds = match *field.name == *self.time_field {
                    true => "the time field must be ascending or descending (numbers only)",
                    false => {
                        "measurement fields must be ascending or descending (numbers only), or '2dsphere'"
                    }
                };
                return Err(format!(
                    "Invalid index spec for time-series collection: {key}. Indexes on {kinds}: {}: {}",
                    field.name, field.value
                ));
            };
            let sides = match number.to_f64() < 0.0 {
                true => [MAX, MIN],
                false => [MIN, MAX],
            };
            for side in sides {
                builder.append(&format!("{side}{}", field.name), field.value);
            }
        }
        Ok(builder.finish())
    }

    /// The key pattern over measurements of one over buckets; `None` for one that measurements cannot have.
    pub fn measurement_key(&self, key: Document<'_>) -> Option<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        let mut fields = key.iter();
        while let Some(field) = fields.next() {
            if let (Some(rest), Some(meta)) = (field.name.strip_prefix("meta"), self.meta())
                && (rest.is_empty() || rest.starts_with('.'))
            {
                builder.append(&format!("{meta}{rest}"), field.value);
                continue;
            }
            let is_descending = field.value.as_number()?.to_f64() < 0.0;
            let (first, second) = if is_descending {
                (MAX, MIN)
            } else {
                (MIN, MAX)
            };
            let name = field.name.strip_prefix(first)?;
            builder.append(name, field.value);
            // An index that lets measurements expire has the beginning alone.
            let is_alone = *name == *self.time_field && key.len() == 1;
            if !is_alone && fields.next()?.name.strip_prefix(second) != Some(name) {
                return None;
            }
        }
        Some(builder.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;

    fn document(text: &str) -> crate::bson::DocumentBuf {
        parse_document(text).expect("a document")
    }

    #[test]
    fn keys_of_measurements_are_keys_of_buckets() {
        let options = document(
            r#"{"timeField": "t", "metaField": "m", "granularity": "hours", "bucketMaxSpanSeconds": 2592000}"#,
        );
        let series = Series::read(options.as_document(), None).expect("options");
        for (own, bucket) in [
            (r#"{"m": 1}"#, r#"{"meta": 1}"#),
            (
                r#"{"m.a": -1, "t": 1}"#,
                r#"{"meta.a": -1, "control.min.t": 1, "control.max.t": 1}"#,
            ),
            (
                r#"{"t": -1}"#,
                r#"{"control.max.t": -1, "control.min.t": -1}"#,
            ),
            (
                r#"{"v.x": 1}"#,
                r#"{"control.min.v.x": 1, "control.max.v.x": 1}"#,
            ),
            (r#"{"m": "hashed"}"#, r#"{"meta": "hashed"}"#),
        ] {
            let made = series
                .bucket_key(document(own).as_document())
                .expect("a key");
            assert_eq!(made, document(bucket));
            let back = series.measurement_key(made.as_document()).expect("a key");
            assert_eq!(back, document(own));
        }
        for none in [r#"{"v": "hashed"}"#, r#"{"t": "2d"}"#] {
            assert!(series.bucket_key(document(none).as_document()).is_err());
        }
        for none in [
            r#"{"control.min.v": 1}"#,
            r#"{"v": 1}"#,
            r#"{"control.max.v": 1, "control.min.v": 1}"#,
        ] {
            let key = document(none);
            assert!(
                series.measurement_key(key.as_document()).is_none(),
                "{none}"
            );
        }
    }
}
