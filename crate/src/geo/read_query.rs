//! Reading the older shapes of queries: boxes, polygons and circles of pairs, and points with a distance.

use super::cap::Cap;
use super::flat::{FlatBox, FlatShape, Pair};
use super::geometry::{Crs, Geometry, Shape};
use super::point::Point;
use super::read::{self, Values, fields, number, out_of_bounds, pair, values};
use super::refusal::Refusal;
use crate::bson::{Document, ValueRef};
use crate::env::Env;

type Read<'a, T> = Result<T, Refusal<'a>>;

/// The shape of `$geoWithin` or `$geoIntersects`; `None` where the name or the type of the value is none.
pub(super) fn shape<'a>(
    name: &str,
    value: ValueRef<'a>,
    env: &dyn Env,
) -> Option<Read<'a, Geometry>> {
    let document = fields(value)?;
    Some(match name {
        "$box" => rectangle(document).map(Geometry::from),
        "$polygon" => polygon(document, value).map(Geometry::from),
        "$center" => circle(document)
            .map(|(center, radius)| Geometry::from(FlatShape::Circle { center, radius })),
        "$centerSphere" => cap(document),
        "$geometry" if read::is_pair(value) => {
            pair(value, false).map(|[x, y]| Geometry::from(Point::flat(x, y)))
        }
        "$geometry" => read::geojson(document, true, env),
        _ => return None,
    })
}

fn next<'a>(values: &mut Values<'a>) -> ValueRef<'a> {
    values.next().unwrap_or(ValueRef::Missing)
}

fn rectangle(document: Document<'_>) -> Read<'_, FlatShape> {
    let mut corners = values(document);
    let one = pair(next(&mut corners), false)?;
    let other = pair(next(&mut corners), false)?;
    Ok(FlatShape::Box(FlatBox::around(&[one, other])))
}

fn polygon<'a>(document: Document<'a>, value: ValueRef<'a>) -> Read<'a, FlatShape> {
    let mut corners: Vec<Pair> = Vec::new();
    for corner in values(document) {
        corners.push(pair(corner, false)?);
    }
    if corners.len() < 3 {
        let words = "Polygon must have at least 3 points, instead got %a vertices";
        return Err(Refusal::new(words, value).numbers(corners.len() as f64, 0.0));
    }
    Ok(FlatShape::Polygon(corners))
}

/// Centre and radius.
fn circle(document: Document<'_>) -> Read<'_, (Pair, f64)> {
    let mut parts = values(document);
    let center = pair(next(&mut parts), false)?;
    let radius = radius(&mut parts)?;
    Ok((center, radius))
}

fn radius<'a>(parts: &mut Values<'a>) -> Read<'a, f64> {
    let value = next(parts);
    let Some(radius) = number(value).filter(|radius| *radius >= 0.0) else {
        let words = "Radius must be a non-negative number: %v";
        return Err(Refusal::new(words, value));
    };
    if parts.next().is_some() {
        let words = "Only 2 fields allowed for circular region, but more were provided";
        return Err(Refusal::new(words, value));
    }
    Ok(radius)
}

fn cap(document: Document<'_>) -> Read<'_, Geometry> {
    let mut parts = values(document);
    let [x, y] = pair(next(&mut parts), false)?;
    let mut center = Point::flat(x, y);
    if !center.project(Crs::Sphere) {
        return Err(out_of_bounds([x, y]));
    }
    let radius = radius(&mut parts)?;
    Ok(Geometry {
        crs: Crs::Sphere,
        shape: Shape::Cap(Cap { center, radius }),
    })
}

/// `[x, y, maxDistance]`.
pub(super) fn with_distance(value: ValueRef<'_>) -> Read<'_, (Point, f64)> {
    let Some(document) = fields(value) else {
        let words = "Point and distance must be an array or object, instead got type %t";
        return Err(Refusal::new(words, value));
    };
    let count = "Point with max distance must contain exactly three numeric elements";
    let mut parts = values(document);
    let mut read = [0.0; 3];
    for place in &mut read {
        let Some(part) = parts.next() else {
            return Err(Refusal::new(count, value));
        };
        *place = number(part).ok_or_else(|| {
            let words =
                "Point with max distance must only contain numeric elements, instead got type %t";
            Refusal::new(words, part)
        })?;
    }
    if parts.next().is_some() {
        return Err(Refusal::new(count, value));
    }
    let [x, y, distance] = read;
    Ok((Point::flat(x, y), distance))
}
