//! `$near` and `$nearSphere`: documents by their distance from a point.
//!
//! Follows the manual's "$near" and "$nearSphere" pages. Invariant: as a predicate it is true of every document; the
//! planner makes the stage of it that finds, orders and limits them. Distances are kept in the query's own units: those
//! of the plane, or metres, or radians where a pair was given to `$nearSphere`.

use crate::bson::{BsonType, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::env::Env;
use crate::error::CommandError;
use crate::geo::{Crs, EARTH_RADIUS_METERS, Geometry, Point};
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::node::MatchNode;
use crate::query::path::{LeafArrays, QueryPath};
use std::rc::Rc;

/// The names of the operator.
const NAMES: &[&str] = &["$geoNear", "$near", "$nearSphere"];

/// What is asked of distances, and from where.
#[derive(Debug, Clone)]
pub struct Near {
    pub path: QueryPath,
    pub center: Point,
    /// The least and the greatest distance, in the query's units.
    pub min: f64,
    pub max: f64,
    /// Whether distances on the sphere are in radians rather than metres.
    pub is_in_radians: bool,
    /// Whether the search goes on beyond the date line: of GeoJSON points.
    pub wraps: bool,
}

/// `path $near …`.
#[derive(Clone)]
pub struct NearTest {
    pub near: Rc<Near>,
    given: Rc<DocumentBuf>,
}

impl NearTest {
    /// Writes the operator as it was given into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder.append_all(self.given.as_document());
    }
}

impl Near {
    /// Whether distances are those on the sphere.
    pub fn is_on_sphere(&self) -> bool {
        self.center.crs() == Crs::Sphere
    }

    /// How many units of the query a radian has; 1 on the plane.
    pub fn unit(&self) -> f64 {
        match self.is_on_sphere() && !self.is_in_radians {
            true => EARTH_RADIUS_METERS,
            false => 1.0,
        }
    }

    /// The distance of the nearest geometry of a document, in the query's units, and the value that it is.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn distance<'d>(
        &self,
        document: Document<'d>,
        env: &dyn Env,
    ) -> Result<Option<(f64, ValueRef<'d>)>, CommandError> {
        let mut candidates = Vec::new();
        self.path
            .visit(document, LeafArrays::Whole, &mut |element, _| {
                if element.kind != BsonType::Missing {
                    candidates.push(element.value());
                }
                false
            });
        let mut nearest: Option<(f64, ValueRef<'d>)> = None;
        let mut look_at = |value| -> Result<bool, CommandError> {
            let mut geometry = match Geometry::stored(value, false, env) {
                Ok(geometry) => geometry,
                Err(refusal) => return refusal.pass_over().map(|()| false),
            };
            if geometry.project(self.center.crs()) {
                let distance = geometry.distance(&self.center, env)? * self.unit();
                if nearest.is_none_or(|(least, _)| distance < least) {
                    nearest = Some((distance, value));
                }
            }
            Ok(true)
        };
        for value in candidates {
            // What is no geometry may hold some: a list of pairs.
            let items = match value {
                ValueRef::Document(fields) => fields,
                ValueRef::Array(items) => Document::from_valid_bytes(items.as_bytes()),
                _ => continue,
            };
            if !look_at(value)? {
                for item in items.iter() {
                    look_at(item.value)?;
                }
            }
        }
        Ok(nearest)
    }
}

/// Whether a document of operators is one of this operator, which takes the others beside it as its options.
pub(in crate::query) fn takes_all(operators: Document<'_>) -> bool {
    { operators.iter().next() }.is_some_and(|first| {
        NAMES.contains(&first.name)
            && matches!(first.value, ValueRef::Document(_) | ValueRef::Array(_))
    })
}

/// Refuses the operator where it is not the first beside its field, or has no operand to be read.
pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    if !takes_all(operand.siblings) {
        return Err(bad_value(format!(
            "near must be first in: {}",
            operand.siblings
        )));
    }
    if !compiler.near {
        return Err(CommandError::location(
            5_626_500,
            "$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting \
             geospatial data. If you do not need sort, consider using $geoWithin instead. Check out \
             https://dochub.mongodb.org/core/near-sort-operation and \
             https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.",
        ));
    }
    let given = operand.siblings;
    let near = match pair_form(operand.path, given)? {
        Some(near) => near,
        None => point_form(operand.path, given)?,
    };
    Ok(Some(MatchNode::Near(NearTest {
        near: Rc::new(near),
        given: Rc::new(given.to_buf()),
    })))
}

/// `{$near: [x, y], $maxDistance: d}`, where the point may also be GeoJSON; `None` where there is no point.
fn pair_form(path: &QueryPath, given: Document<'_>) -> Result<Option<Near>, CommandError> {
    let mut center = None;
    let (mut min, mut max) = (0.0, f64::MAX);
    let mut is_sphere = false;
    let number = |value: ValueRef<'_>, name: &str, codes: [i32; 2]| {
        let Some(number) = value.as_number() else {
            let message = format!("{name} must be a number");
            return Err(CommandError::location(codes[0], message));
        };
        match number.to_f64() {
            number if number >= 0.0 => Ok(number),
            _ => Err(CommandError::location(
                codes[1],
                format!("{name} must be non-negative"),
            )),
        }
    };
    for element in given.iter() {
        match element.name {
            name if NAMES.contains(&name) => {
                if !matches!(element.value, ValueRef::Document(_) | ValueRef::Array(_)) {
                    return Ok(None);
                }
                let found = match Point::query(element.value) {
                    Ok(point) => Some((point, None)),
                    Err(_) => Point::with_distance(element.value)
                        .ok()
                        .map(|(point, distance)| (point, Some(distance))),
                };
                if let Some((point, distance)) = found {
                    max = distance.unwrap_or(max);
                    if max < 0.0 || max.is_nan() {
                        let message = "max distance must be non-negative";
                        return Err(CommandError::location(18522, message));
                    }
                    center = Some(point);
                    is_sphere = name == "$nearSphere";
                }
            }
            "$minDistance" => min = number(element.value, "$minDistance", [16893, 16894])?,
            "$maxDistance" => max = number(element.value, "$maxDistance", [16895, 16896])?,
            "$uniqueDocs" => {}
            name => {
                return Err(CommandError::location(
                    34413,
                    format!("invalid argument in geo near query: {name}"),
                ));
            }
        }
    }
    let Some(mut center) = center else {
        return Ok(None);
    };
    let is_json = center.crs() == Crs::Sphere;
    if is_sphere && !center.project(Crs::Sphere) {
        return Err(bad_value(
            "Legacy point is out of bounds for spherical query",
        ));
    }
    Ok(Some(Near {
        path: path.clone(),
        center,
        min,
        max,
        is_in_radians: is_sphere && !is_json,
        wraps: is_json,
    }))
}

/// `{$near: {$geometry: point, $minDistance: d, $maxDistance: d}}`.
fn point_form(path: &QueryPath, given: Document<'_>) -> Result<Near, CommandError> {
    let mut elements = given.iter();
    let Some(options) = elements.next() else {
        return Err(bad_value("empty geo near query object"));
    };
    if let Some(extra) = elements.next() {
        return Err(bad_value(format!(
            "geo near accepts just one argument when querying for a GeoJSON point. Extra field found: {}: {}",
            extra.name, extra.value
        )));
    }
    let options = match options.value {
        ValueRef::Document(options) => options,
        ValueRef::Array(items) => Document::from_valid_bytes(items.as_bytes()),
        _ => return Err(bad_value("geo near query argument is not an object")),
    };
    let mut center = None;
    let (mut min, mut max) = (0.0, f64::MAX);
    for element in options.iter() {
        let value = element.value;
        match element.name {
            "$geometry" => {
                if !matches!(value, ValueRef::Document(_) | ValueRef::Array(_)) {
                    continue;
                }
                let point = Point::query(value).map_err(|refusal| {
                    bad_value(format!(
                        "invalid point in geo near query $geometry argument: {value}  {}",
                        refusal.message()
                    ))
                })?;
                if point.crs() != Crs::Sphere {
                    return Err(bad_value(format!(
                        "$near requires geojson point, given {value}"
                    )));
                }
                center = Some(point);
            }
            name @ ("$minDistance" | "$maxDistance") => {
                let Some(number) = value.as_number() else {
                    return Err(bad_value(format!("{name} must be a number")));
                };
                let number = number.to_f64();
                if !(number >= 0.0 && number.is_finite()) {
                    return Err(bad_value(format!("{name} must be non-negative")));
                }
                match name {
                    "$minDistance" => min = number,
                    _ => max = number,
                }
            }
            name => {
                return Err(bad_value(format!(
                    "invalid argument in geo near query: {name}"
                )));
            }
        }
    }
    let center = center.ok_or_else(|| bad_value("$geometry is required for geo near query"))?;
    Ok(Near {
        path: path.clone(),
        center,
        min,
        max,
        is_in_radians: false,
        wraps: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::NoEnv;
    use crate::expr::CompileContext;
    use crate::query::Matcher;
    use crate::query::testing::{document, refusal};

    fn near(filter: &str) -> Result<Rc<Near>, String> {
        let filter = document(filter);
        let matcher = Matcher::compile_query(filter.as_document(), &CompileContext::new(&NoEnv, 0))
            .map_err(|error| format!("{}: {}", error.code, error.message))?;
        matcher.near().cloned().ok_or_else(|| "none".to_owned())
    }

    #[test]
    fn reads_both_forms() {
        let json = near(
            "{a: {$near: {$geometry: {type: \"Point\", coordinates: [1, 2]}, $maxDistance: 5}}}",
        )
        .expect("a point");
        assert!(json.is_on_sphere() && json.wraps && !json.is_in_radians);
        assert_eq!(
            (json.min, json.max, json.unit()),
            (0.0, 5.0, EARTH_RADIUS_METERS)
        );
        let pair = near("{a: {$nearSphere: [1, 2], $minDistance: 0.1}, b: 1}").expect("a point");
        assert!(pair.is_on_sphere() && !pair.wraps && pair.is_in_radians);
        assert_eq!((pair.min, pair.unit()), (0.1, 1.0));
        let flat = near("{a: {$near: [1, 2, 3]}}").expect("a point");
        assert!(!flat.is_on_sphere() && flat.max == 3.0);
    }

    #[test]
    fn stands_alone_in_a_query() {
        let code = |filter| near(filter).map(drop).expect_err("a refusal");
        assert_eq!(
            code("{$or: [{a: {$near: [1, 2]}}, {b: 1}]}"),
            "2: geoNear must be top-level expr"
        );
        assert_eq!(
            code("{a: {$near: [1, 2]}, b: {$near: [1, 2]}}"),
            "2: Too many geoNear expressions"
        );
        assert!(code("{a: {$near: [1, 2], b: 1}}").starts_with("34413: "));
        assert!(code("{a: {$gt: 1, $near: [1, 2]}}").starts_with("2: near must be first"));
        assert!(refusal("{a: {$near: [1, 2]}}").starts_with("5626500: "));
    }

    #[test]
    fn measures_to_the_nearest_place() {
        let near = near("{a: {$near: [0, 0]}}").expect("a point");
        for (subject, expected) in [
            ("{a: [3, 4]}", Some(5.0)),
            ("{a: [[30, 40], [3, 4]]}", Some(5.0)),
            ("{a: {home: [3, 4], work: [6, 8]}}", Some(5.0)),
            ("{a: \"here\"}", None),
            ("{}", None),
        ] {
            let subject = document(subject);
            let found = near
                .distance(subject.as_document(), &NoEnv)
                .expect("no stop");
            assert_eq!(found.map(|(distance, _)| distance), expected);
        }
    }
}
