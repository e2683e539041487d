//! `$geoNear`: documents by their distance from a point, with the distance written into them.
//!
//! Follows the manual's "$geoNear" page. Invariant: the collection read finds and orders the documents, by a `$near`
//! with the stage's own query; the running stage only writes fields into them. Over a time series the read finds the
//! buckets whose meta value is near; no read finds measurements by their own place, so all of them are sorted.

use super::super::stage::{Flow, Part, StagePlan};
use super::geo_distance::{DistancePlan, DistanceStage, Writes};
use super::unpack_filter::BucketPaths;
use super::unwind::set;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Text, Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::Stage;
use crate::expr::{
    CompileContext, Dependencies, Expression, FieldPath, compile as compile_expression,
};
use crate::query::Matcher;
use crate::query::predicate::near::Near;
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// The name of the stage.
pub const NAME: &str = "$geoNear";

/// A compiled `$geoNear`.
pub struct GeoNearPlan {
    specification: DocumentBuf,
    near: Expression,
    /// The bounds of distances, the least first.
    bounds: [Option<Expression>; 2],
    key: Option<FieldPath>,
    query: DocumentBuf,
    is_spherical: bool,
    writes: Writes,
    /// From where distances are measured, once the read is prepared.
    measured: Option<Rc<Near>>,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let options = match specification {
        ValueRef::Document(options) => options,
        // As on a server an array is a document whose names are positions.
        ValueRef::Array(items) => Document::from_valid_bytes(items.as_bytes()),
        other => {
            return Err(CommandError::location(
                10065,
                format!(
                    "invalid parameter: expected an object ({NAME}) but got {}",
                    other.type_name()
                ),
            ));
        }
    };
    for (name, code, message) in [
        (
            "collation",
            40227,
            "$geoNear does not accept the 'collation' parameter. Instead, specify a collation for the entire \
             aggregation command.",
        ),
        (
            "limit",
            50858,
            "$geoNear no longer supports the 'limit' parameter. Use a $limit stage instead.",
        ),
        (
            "num",
            50857,
            "$geoNear no longer supports the 'num' parameter. Use a $limit stage instead.",
        ),
        (
            "start",
            50856,
            "$geoNear no longer supports the 'start' argument.",
        ),
    ] {
        if !options.get(name).is_missing() {
            return Err(CommandError::location(code, message));
        }
    }
    let near = match options.get("near") {
        ValueRef::Missing => {
            let message = "$geoNear requires a 'near' argument";
            return Err(CommandError::location(5_860_400, message));
        }
        near => compile_expression(near, context)?,
    };
    let mut plan = GeoNearPlan {
        specification: options.to_buf(),
        near,
        bounds: [None, None],
        key: None,
        query: DocumentBuf::default(),
        is_spherical: false,
        writes: Writes::default(),
        measured: None,
    };
    for option in options.iter() {
        plan.option(option.name, option.value, context)?;
    }
    Ok(vec![Box::new(plan)])
}

fn wrong_type(message: String) -> CommandError {
    CommandError::new(Code::TypeMismatch, message)
}

fn bad_value(message: String) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

/// The value of an option that is an expression.
fn constant<'e>(expression: &'e Expression, code: i32, words: &str) -> Result<&'e Value<'static>> {
    { expression.as_constant() }
        .ok_or_else(|| CommandError::location(code, format!("$geoNear requires {words}")))
}

/// The path that an option names, or the refusal of one that is no string.
fn path(value: ValueRef<'_>, refusal: impl FnOnce() -> CommandError) -> Result<FieldPath> {
    FieldPath::parse(value.as_text().ok_or_else(refusal)?.checked()?)
}

impl GeoNearPlan {
    fn option(
        &mut self,
        name: &str,
        value: ValueRef<'_>,
        context: &CompileContext<'_>,
    ) -> Result<()> {
        let is_string = |code: i32| {
            move || {
                let message = format!("$geoNear requires that the '{name}' option is a String");
                CommandError::location(code, message)
            }
        };
        match name {
            "near" | "uniqueDocs" => {}
            "distanceField" => self.writes.distance = Some(path(value, is_string(16606))?),
            "includeLocs" => self.writes.place = Some(path(value, is_string(16607))?),
            "minDistance" => self.bounds[0] = Some(compile_expression(value, context)?),
            "maxDistance" => self.bounds[1] = Some(compile_expression(value, context)?),
            "distanceMultiplier" => {
                let number = { value.as_number() }
                    .ok_or_else(|| wrong_type(format!("{name} must be a number")))?
                    .to_f64();
                if number.is_nan() || number < 0.0 {
                    return Err(bad_value(format!("{name} must be nonnegative")));
                }
                self.writes.multiplier = Some(number);
            }
            "query" => {
                let query = { value.as_document() }
                    .ok_or_else(|| wrong_type(format!("{name} must be an object")))?;
                // Refused here as where it stands alone: it has no place for `$near`.
                Matcher::compile_without_scripts(query, context)?;
                self.query = query.to_buf();
            }
            "spherical" => self.is_spherical = value.is_truthy(),
            "key" => {
                if let ValueRef::String(Text(b"")) = value {
                    return Err(bad_value(format!(
                        "$geoNear parameter '{name}' cannot be the empty string"
                    )));
                }
                self.key = Some(path(value, || {
                    wrong_type(format!(
                        "$geoNear parameter '{name}' must be of type string but found type: {}",
                        value.type_name()
                    ))
                })?);
            }
            _ => return Err(bad_value(format!("Unknown argument to $geoNear: {name}"))),
        }
        Ok(())
    }

    /// The field that distances are measured to, where the stage names one.
    pub fn key(&self) -> Option<String> {
        self.key.as_ref().map(FieldPath::dotted)
    }

    /// The filter of the read that finds the documents, which asks for the distance of a field.
    ///
    /// # Errors
    /// A point or a bound that is no constant, or none.
    pub fn filter(&self, field: &str) -> Result<DocumentBuf> {
        let near = constant(&self.near, 5_860_402, "a constant near argument")?;
        if !matches!(near.as_ref(), ValueRef::Document(_) | ValueRef::Array(_)) {
            return Err(CommandError::location(
                5_860_401,
                "$geoNear requires near argument to be a GeoJSON object or a legacy point(array)",
            ));
        }
        let mut filter = DocumentBuilder::new();
        filter.append_all(self.query.as_document());
        filter.begin_document(field);
        let operator = match self.is_spherical {
            true => "$nearSphere",
            false => "$near",
        };
        filter.append(operator, near.as_ref());
        let names = [("$minDistance", 7_555_701), ("$maxDistance", 7_555_702)];
        for (bound, (name, code)) in self.bounds.iter().zip(names) {
            let Some(bound) = bound else { continue };
            let words = format!("{name} to evaluate to a constant number");
            let bound = constant(bound, code, &words)?;
            let number = bound.as_ref().as_number().ok_or_else(|| {
                wrong_type(format!("$geoNear requires {name} to evaluate to a number"))
            })?;
            let number = number.to_f64();
            if number.is_nan() || number < 0.0 {
                return Err(bad_value(format!("{} must be nonnegative", &name[1..])));
            }
            filter.append(name, number);
        }
        filter.end();
        Ok(filter.finish())
    }

    /// Divides the stage where it follows the unpacking of a time series. Gives the stage that writes distances into
    /// measurements, and whether this one stays: before the unpacking, to find buckets by their meta value. `None`
    /// where the point or a bound is not known yet. `is_filtered`: the unpacking leaves measurements out.
    ///
    /// # Errors
    /// 5892921, 1938439, 5860206 and 5860208 for options that are missing or not for a time series; those of `filter`.
    pub fn divide(
        &mut self,
        paths: &BucketPaths,
        is_filtered: bool,
        context: &CompileContext<'_>,
    ) -> Result<Option<(DistancePlan, bool)>> {
        let refused = |code, words| Err(CommandError::location(code, words));
        let Some(key) = self.key() else {
            return refused(
                5_892_921,
                "Must specify 'key' option for $geoNear on a time-series collection",
            );
        };
        if !self.query.as_document().is_empty() {
            return refused(
                1_938_439,
                "Must not specify 'query' for $geoNear on a time-series collection; use $match instead",
            );
        }
        let of_bucket = paths.meta_path(&key).filter(|_| !is_filtered);
        if of_bucket.is_none() {
            let mut all = self.bounds.iter().flatten().chain([&self.near]);
            if !all.all(|each| each.as_constant().is_some()) {
                return Ok(None);
            }
            if self.writes.distance.is_none() {
                return refused(
                    5_860_206,
                    "$geoNear distanceField is required for time-series queries",
                );
            }
            if self.writes.place.is_some() {
                return refused(
                    5_860_208,
                    "$geoNear 'includeLocs' is not supported on time-series metrics",
                );
            }
        }
        let filter = self.filter(&key)?;
        let matcher = Matcher::compile_query_without_scripts(filter.as_document(), context)?;
        let Some(near) = matcher.near() else {
            return Ok(None);
        };
        let given = constant(&self.near, 5_860_402, "a constant near argument")?.clone();
        let plan = DistancePlan {
            near: Rc::clone(near),
            given,
            writes: std::mem::take(&mut self.writes),
        };
        if let Some(path) = &of_bucket {
            let mut shown = DocumentBuilder::new();
            let given = self.specification.as_document();
            set(given, &["key".into()], path.as_str().into(), &mut shown);
            self.specification = shown.finish();
            self.key = Some(FieldPath::parse(path)?);
        }
        Ok(Some((plan, of_bucket.is_some())))
    }

    /// Says from where the read measures distances.
    pub fn measure(&mut self, near: Option<&Rc<Near>>) {
        self.measured = near.cloned();
    }
}

impl StagePlan for GeoNearPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(DistanceStage::new(self.measured, self.writes, input))
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append(NAME, &self.specification);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Exhausts
    }

    fn part(&mut self) -> Part<'_> {
        Part::GeoNear(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$geoNear: 5}]", 10065);
        fails("[{$geoNear: [1, 2]}]", 5_860_400);
        fails("[{$geoNear: {}}]", 5_860_400);
        fails("[{$geoNear: {near: [0, 0], limit: 5}}]", 50858);
        fails("[{$geoNear: {near: [0, 0], distanceField: 5}}]", 16606);
        fails("[{$geoNear: {near: [0, 0], includeLocs: 5}}]", 16607);
        fails("[{$geoNear: {near: [0, 0], key: ''}}]", 2);
        fails("[{$geoNear: {near: [0, 0], query: 5}}]", 14);
        fails("[{$geoNear: {near: [0, 0], distanceMultiplier: -1}}]", 2);
        fails("[{$geoNear: {near: [0, 0], more: 5}}]", 2);
        fails(
            "[{$geoNear: {near: [0, 0], query: {a: {$near: [0, 0]}}}}]",
            5_626_500,
        );
        fails("[{$match: {a: 1}}, {$geoNear: {near: [0, 0]}}]", 40603);
        fails("[{$facet: {a: [{$geoNear: {near: [0, 0]}}]}}]", 40600);
    }
}
