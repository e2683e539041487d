//! `$_internalComputeGeoNearDistance`: writes into each document how far it is from a point.
//!
//! `$geoNear` stands for this stage behind the unpacking of a time series; a pipeline cannot name it. Invariant:
//! measurements with no place, or beyond the bounds, are left out; documents that a read found are all given.

use super::super::stage::{Flow, StagePlan, paths_touch};
use super::unwind;
use crate::bson::{DocumentBuf, DocumentBuilder, Value};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{Dependencies, FieldPath};
use crate::query::SortPattern;
use crate::query::predicate::near::Near;
use std::rc::Rc;

/// The name that explain shows.
const NAME: &str = "$_internalComputeGeoNearDistance";

/// The fields that are added to each document.
#[derive(Default)]
pub struct Writes {
    pub distance: Option<FieldPath>,
    pub place: Option<FieldPath>,
    pub multiplier: Option<f64>,
}

impl Writes {
    fn paths(&self) -> impl Iterator<Item = &FieldPath> {
        self.distance.iter().chain(&self.place)
    }
}

/// The distances of a time series' measurements.
pub struct DistancePlan {
    pub near: Rc<Near>,
    /// The point as the pipeline has it.
    pub given: Value<'static>,
    pub writes: Writes,
}

impl DistancePlan {
    /// The order of the nearest first, by the field that the distance is written to.
    ///
    /// # Errors
    /// A field that nothing can be sorted by.
    pub fn order(&self) -> Result<SortPattern, CommandError> {
        let mut pattern = DocumentBuilder::new();
        if let Some(path) = &self.writes.distance {
            pattern.append(&path.dotted(), 1);
        }
        SortPattern::compile(pattern.finish().as_document())
    }
}

impl StagePlan for DistancePlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(DistanceStage {
            chooses: true,
            ..DistanceStage::new(Some(self.near), self.writes, input)
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document(NAME);
        builder.append("near", self.given.as_ref());
        builder.append("key", self.near.path.dotted());
        for (name, path) in [
            ("distanceField", &self.writes.distance),
            ("includeLocs", &self.writes.place),
        ] {
            if let Some(path) = path {
                builder.append(name, path.dotted().as_str());
            }
        }
        if let Some(multiplier) = self.writes.multiplier {
            builder.append("distanceMultiplier", multiplier);
        }
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.add(self.near.path.dotted());
        Flow::Passes
    }

    fn path_before(&self, path: &str) -> Option<String> {
        let is_written = { self.writes.paths() }.any(|own| paths_touch(&own.dotted(), path));
        (!is_written).then(|| path.to_owned())
    }
}

/// Writes distances into the documents of its input.
pub struct DistanceStage {
    near: Option<Rc<Near>>,
    writes: Writes,
    /// Documents without a distance within the bounds are left out.
    chooses: bool,
    input: Box<dyn Stage>,
    /// The document with the fields written into it; `None`: it is the input's.
    document: Option<DocumentBuf>,
}

impl DistanceStage {
    /// Starts the stage on documents that a read found by their distance.
    pub fn new(near: Option<Rc<Near>>, writes: Writes, input: Box<dyn Stage>) -> Self {
        Self {
            near,
            writes,
            chooses: false,
            input,
            document: None,
        }
    }
}

impl Stage for DistanceStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool, CommandError> {
        self.document = None;
        loop {
            if !self.input.advance(cx)? {
                return Ok(false);
            }
            let record = self.input.current();
            let near = self.near.as_ref();
            let Some(near) = near.filter(|_| self.chooses || self.writes.paths().next().is_some())
            else {
                return Ok(true);
            };
            let found = near.distance(record.document(), cx.env)?;
            let Some((distance, place)) =
                found.filter(|(far, _)| !self.chooses || (near.min..=near.max).contains(far))
            else {
                if self.chooses {
                    continue;
                }
                return Ok(true);
            };
            let distance = distance * self.writes.multiplier.unwrap_or(1.0);
            let fields = [
                (&self.writes.distance, distance.into()),
                (&self.writes.place, place),
            ];
            let mut written: Option<DocumentBuf> = None;
            for (path, value) in fields {
                let Some(path) = path else { continue };
                path.check_written()?;
                let before =
                    { written.as_ref() }.map_or(record.document(), DocumentBuf::as_document);
                let mut builder = DocumentBuilder::new();
                unwind::set(before, path.parts(), value, &mut builder);
                written = Some(builder.finish());
            }
            self.document = written;
            return Ok(true);
        }
    }

    fn current(&self) -> Record<'_> {
        match &self.document {
            None => self.input.current(),
            Some(document) => Record {
                document: Some(document.as_document()),
                ..self.input.current()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{explain, fails};

    const UNPACK: &str = "{$_internalUnpackBucket: \
        {exclude: [], timeField: 't', metaField: 'm', bucketMaxSpanSeconds: 3600}}";

    fn stages(rest: &str) -> String {
        explain(&format!("[{UNPACK}, {rest}]"))
    }

    #[test]
    fn distances_of_measurements_are_sorted_behind_the_unpacking() {
        let near = "{$geoNear: {near: [0, 0], key: 'at', distanceField: 'd', maxDistance: 5}}";
        let shown = stages(&format!("{near}, {{$match: {{k: 'x', d: 3}}}}"));
        let places = ["eventFilter: {k:", super::NAME, "$match: {d:", "$sort"];
        let found: Vec<_> = places.iter().map(|part| shown.find(part)).collect();
        assert!(
            found.is_sorted() && found.iter().all(Option::is_some),
            "{shown}"
        );
        assert!(!shown.contains("$geoNear:"), "{shown}");
    }

    #[test]
    fn a_key_in_the_meta_field_finds_buckets() {
        let shown = stages("{$geoNear: {near: [0, 0], key: 'm.at', includeLocs: 'l'}}");
        assert!(shown.starts_with("[{$geoNear: "), "{shown}");
        assert!(shown.contains("key: 'meta.at'"), "{shown}");
        assert!(shown.contains("key: 'm.at', includeLocs: 'l'"), "{shown}");
        assert!(!shown.contains("$sort"), "{shown}");
    }

    #[test]
    fn options_that_a_time_series_lacks_are_refused() {
        for (options, code) in [
            ("distanceField: 'd'", 5_892_921),
            ("key: 'at', distanceField: 'd', query: {a: 1}", 1_938_439),
            ("key: 'm', query: {a: 1}", 1_938_439),
            ("key: 'at'", 5_860_206),
            ("key: 'at', distanceField: 'd', includeLocs: 'l'", 5_860_208),
            ("key: 'at', distanceField: 'd', maxDistance: '$a'", 40603),
            ("key: 'm', distanceField: 'd', maxDistance: '$a'", 7_555_702),
        ] {
            fails(
                &format!("[{UNPACK}, {{$geoNear: {{near: [0, 0], {options}}}}}]"),
                code,
            );
        }
    }
}
