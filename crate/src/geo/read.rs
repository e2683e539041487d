//! Reading pairs and GeoJSON from BSON.

use super::geometry::{Crs, Geometry, Parts, Shape};
use super::point::Point;
use super::polygon::Polygon;
use super::refusal::Refusal;
use super::ring::{Relation, Ring};
use super::validity::{self, Fault};
use super::vector::{Vector, from_degrees};
use crate::bson::document::RawElements;
use crate::bson::{Document, ValueRef};
use crate::env::Env;

type Read<'a, T> = Result<T, Refusal<'a>>;

/// The names of GeoJSON types; a kind is a position in here.
const KINDS: [&str; 7] = [
    "Point",
    "LineString",
    "Polygon",
    "MultiPoint",
    "MultiLineString",
    "MultiPolygon",
    "GeometryCollection",
];

const NAMES_OF_SPHERE: [&str; 2] = ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326"];
const NAME_OF_STRICT: &str = "urn:x-mongodb:crs:strictwinding:EPSG:4326";

/// The fields of a document or an array, which is laid out as one.
pub(super) fn fields(value: ValueRef<'_>) -> Option<Document<'_>> {
    match value {
        ValueRef::Document(document) => Some(document),
        ValueRef::Array(array) => Some(Document::from_valid_bytes(array.as_bytes())),
        _ => None,
    }
}

/// The values of a document or an array.
pub(super) struct Values<'a>(RawElements<'a>);

impl<'a> Iterator for Values<'a> {
    type Item = ValueRef<'a>;

    // Decoding a value is much code, and this layer asks for one in many places.
    #[inline(never)]
    fn next(&mut self) -> Option<ValueRef<'a>> {
        self.0.next().map(|element| element.value())
    }
}

pub(super) fn values(document: Document<'_>) -> Values<'_> {
    Values(document.raw_elements())
}

/// A value as a double.
pub(super) fn number(value: ValueRef<'_>) -> Option<f64> {
    value.as_number().map(|number| number.to_f64())
}

/// Whether a value is a pair rather than GeoJSON: an array, or a document whose first field is a number.
pub(super) fn is_pair(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Array(_) => true,
        ValueRef::Document(document) => values(document).next().and_then(number).is_some(),
        _ => false,
    }
}

/// Two finite numbers; `more` says whether further fields may follow.
pub(super) fn pair(value: ValueRef<'_>, more: bool) -> Read<'_, [f64; 2]> {
    let Some(document) = fields(value) else {
        let words = "Point must be an array or object, instead got type %t";
        return Err(Refusal::new(words, value));
    };
    let mut values = values(document);
    let mut pair = [0.0; 2];
    for place in &mut pair {
        let next = values.next().unwrap_or(ValueRef::Missing);
        *place = number(next).ok_or_else(|| {
            let words = "Point must only contain numeric elements, instead got type %t";
            Refusal::new(words, next)
        })?;
    }
    if !more && values.next().is_some() {
        let words = "Point must only contain two numeric elements";
        return Err(Refusal::new(words, value));
    }
    if !pair.iter().all(|number| number.is_finite()) {
        let words = "Point coordinates must be finite numbers";
        return Err(Refusal::new(words, value));
    }
    Ok(pair)
}

/// Whether a pair is a longitude and a latitude.
pub(super) fn is_on_sphere([x, y]: [f64; 2]) -> bool {
    x.abs() <= 180.0 && y.abs() <= 90.0
}

pub(super) fn out_of_bounds<'a>([x, y]: [f64; 2]) -> Refusal<'a> {
    let words = "Longitude/latitude is out of bounds, lng: %a lat: %b";
    Refusal::new(words, ValueRef::Missing).numbers(x, y)
}

fn array<'a>(value: ValueRef<'a>, words: &'static str) -> Read<'a, Document<'a>> {
    match value {
        ValueRef::Array(_) => fields(value).ok_or_else(|| Refusal::new(words, value)),
        _ => Err(Refusal::new(words, value)),
    }
}

/// A place on the sphere of GeoJSON coordinates.
fn place(value: ValueRef<'_>) -> Read<'_, Vector> {
    array(
        value,
        "GeoJSON coordinates must be an array, instead got type %t",
    )?;
    let pair = pair(value, true)?;
    if !is_on_sphere(pair) {
        return Err(out_of_bounds(pair));
    }
    Ok(from_degrees(pair[0], pair[1]))
}

fn places<'a>(value: ValueRef<'a>, env: &dyn Env) -> Read<'a, Vec<Vector>> {
    let words = "GeoJSON coordinates must be an array of coordinates, instead got type %t";
    let mut read = Vec::new();
    for item in values(array(value, words)?) {
        if read.len() % 256 == 255 {
            env.checkpoint()?;
        }
        read.push(place(item)?);
    }
    Ok(read)
}

fn line<'a>(value: ValueRef<'a>, checked: bool, env: &dyn Env) -> Read<'a, Vec<Vector>> {
    let mut read = places(value, env)?;
    read.dedup();
    if checked {
        if read.len() < 2 {
            let words =
                "GeoJSON LineString must have at least 2 vertices, instead got %a vertices: %v";
            return Err(Refusal::new(words, value).numbers(read.len() as f64, 0.0));
        }
        if let Some(fault) = validity::line_fault(&read) {
            let words = "GeoJSON LineString is not valid: %d %v";
            return Err(Refusal::new(words, value).detail(fault));
        }
    }
    Ok(read)
}

/// A ring of a polygon: its corners without the last. `shown` stands for the ring in messages about all of it.
fn ring<'a>(
    value: ValueRef<'a>,
    shown: ValueRef<'a>,
    checked: bool,
    env: &dyn Env,
) -> Read<'a, Vec<Vector>> {
    let mut read = places(value, env)?;
    if read.is_empty() {
        return Err(Refusal::new("Loop has no vertices: %v", value));
    }
    if read.first() != read.last() {
        let words = "Loop is not closed, first vertex does not equal last vertex: %v";
        return Err(Refusal::new(words, value));
    }
    read.dedup();
    read.pop();
    if read.len() < 3 {
        let words =
            "Loop must have at least 3 different vertices, %a unique vertices were provided: %v";
        return Err(Refusal::new(words, shown).numbers(read.len() as f64, 0.0));
    }
    if checked && let Some(fault) = validity::ring_fault(&read, env)? {
        return Err(Refusal::new("Loop is not valid: %v %d", shown).detail(fault));
    }
    Ok(read)
}

fn polygon<'a>(value: ValueRef<'a>, checked: bool, env: &dyn Env) -> Read<'a, Polygon> {
    let words = "Polygon coordinates must be an array, instead got type %t";
    let rings = array(value, words)?;
    let mut whole: Option<Polygon> = None;
    let mut first = ValueRef::Missing;
    for item in values(rings) {
        let (read, _) = Ring::new(ring(item, item, checked, env)?);
        let Some(polygon) = &mut whole else {
            whole = Some(Polygon::of(read));
            first = item;
            continue;
        };
        let is_hole = !checked
            || matches!(
                polygon.shell().relation(&read, env)?,
                Relation::Holds | Relation::Equal
            );
        if !is_hole {
            let words = "Secondary loops not contained by first exterior loop - \
                secondary loops must be holes: %v first loop: %w";
            return Err(Refusal::new(words, item).other(first));
        }
        polygon.rings.push(read);
    }
    let Some(polygon) = whole else {
        return Err(Refusal::new("Polygon has no loops.", value));
    };
    if !checked || polygon.rings.len() < 2 {
        return Ok(polygon);
    }
    let (words, detail) = match validity::polygon_fault(&polygon.rings, env)? {
        None => return Ok(polygon),
        Some(Fault::Invalid(detail)) => ("Polygon isn't valid: %d %v", detail),
        Some(Fault::Shared(detail)) => ("%d: %v", detail),
        Some(Fault::Nested) => ("Polygon interior loops cannot be nested: %v", String::new()),
    };
    Err(Refusal::new(words, value).detail(detail))
}

/// A polygon whose inside is at the left of its edges, however large.
fn strict_polygon<'a>(value: ValueRef<'a>, env: &dyn Env) -> Read<'a, Polygon> {
    let words = "Coordinates of polygon must be an array, instead got type %t";
    let rings = array(value, words)?;
    let mut all = values(rings);
    let (Some(first), None) = (all.next(), all.next()) else {
        let words =
            "Only one simple loop is allowed in a big polygon, instead provided %a loops: %v";
        return Err(Refusal::new(words, value).numbers(rings.len() as f64, 0.0));
    };
    let (shell, outside) = Ring::new(ring(first, value, true, env)?);
    Ok(Polygon {
        strict: true,
        outside,
        ..Polygon::of(shell)
    })
}

fn crs(document: Document<'_>, strict: bool) -> Read<'_, Crs> {
    let crs = document.get("crs");
    if crs.is_missing() {
        return Ok(Crs::Sphere);
    }
    let Some(inside) = fields(crs) else {
        let words = "GeoJSON CRS must be an object, instead got type %t";
        return Err(Refusal::new(words, crs));
    };
    if inside.get("type").as_str() != Some("name") {
        let words = "GeoJSON CRS must have field \"type\": \"name\"";
        return Err(Refusal::new(words, crs));
    }
    let properties = inside.get("properties");
    let Some(named) = fields(properties) else {
        let words = "CRS must have field \"properties\" which is an object, instead got type %t";
        return Err(Refusal::new(words, properties));
    };
    let name = named.get("name");
    let Some(text) = name.as_text() else {
        let words = "In CRS, \"properties.name\" must be a string, instead got type %t";
        return Err(Refusal::new(words, name));
    };
    let text = text.lossy();
    if NAMES_OF_SPHERE.contains(&&*text) {
        return Ok(Crs::Sphere);
    }
    if text != NAME_OF_STRICT {
        return Err(Refusal::new("Unknown CRS name: %d", name).detail(text.into_owned()));
    }
    if !strict {
        let words = "Strict winding order CRS is only supported by polygon";
        return Err(Refusal::new(words, name));
    }
    Ok(Crs::StrictSphere)
}

fn kind(document: Document<'_>) -> Option<usize> {
    let name = document.get("type").as_str()?;
    KINDS.iter().position(|kind| *kind == name)
}

/// A GeoJSON point. Queries for the nearest take one without a type too.
pub(super) fn point(document: Document<'_>) -> Read<'_, Point> {
    if !document.get("type").is_missing()
        && let found = kind(document)
        && found != Some(0)
    {
        let words = "Expected geojson geometry with type Point, but got type %d";
        let name = found.map_or("unknown", |kind| KINDS[kind]);
        return Err(Refusal::new(words, ValueRef::Missing).detail(name.to_owned()));
    }
    crs(document, false)?;
    let [x, y] = pair(document.get("coordinates"), true)?;
    let mut point = Point::flat(x, y);
    if !point.project(Crs::Sphere) {
        return Err(out_of_bounds([x, y]));
    }
    Ok(point)
}

/// What a GeoJSON document says, but for points, added to `parts`.
fn add<'a>(
    document: Document<'a>,
    kind: usize,
    checked: bool,
    parts: &mut Parts,
    env: &dyn Env,
) -> Read<'a, Crs> {
    // A collection holds no polygon of strict winding.
    let crs = crs(document, kind == 2 && parts.is_simple)?;
    let coordinates = document.get("coordinates");
    match kind {
        0 => parts.points.push(point(document)?.place),
        1 => parts.lines.push(line(coordinates, checked, env)?),
        2 if crs == Crs::StrictSphere => parts.polygons.push(strict_polygon(coordinates, env)?),
        2 => parts.polygons.push(polygon(coordinates, checked, env)?),
        3 => {
            let read = places(coordinates, env)?;
            if read.is_empty() {
                let words = "MultiPoint coordinates must have at least 1 element";
                return Err(Refusal::new(words, coordinates));
            }
            parts.points.extend(read);
        }
        4 => {
            let words = "MultiLineString coordinates must be an array, instead got type %t";
            let all = array(coordinates, words)?;
            if all.is_empty() {
                let words = "MultiLineString coordinates must have at least 1 element";
                return Err(Refusal::new(words, coordinates));
            }
            for item in values(all) {
                parts.lines.push(line(item, checked, env)?);
            }
        }
        _ => {
            let words = "MultiPolygon coordinates must be an array, instead got type %t";
            let all = array(coordinates, words)?;
            if all.is_empty() {
                let words = "MultiPolygon coordinates must have at least 1 element";
                return Err(Refusal::new(words, coordinates));
            }
            for item in values(all) {
                parts.polygons.push(polygon(item, checked, env)?);
            }
        }
    }
    Ok(crs)
}

/// Any GeoJSON geometry.
pub(super) fn geojson<'a>(
    document: Document<'a>,
    checked: bool,
    env: &dyn Env,
) -> Read<'a, Geometry> {
    let Some(found) = kind(document) else {
        let words = "unknown GeoJSON type: %v";
        return Err(Refusal::new(words, ValueRef::Document(document)));
    };
    if found == 0 {
        return point(document).map(Geometry::from);
    }
    let mut parts = Parts {
        is_simple: found < 3,
        ..Parts::default()
    };
    if found < 6 {
        let crs = add(document, found, checked, &mut parts, env)?;
        return Ok(Geometry {
            crs,
            shape: Shape::Parts(Box::new(parts)),
        });
    }
    let geometries = document.get("geometries");
    let words = "GeometryCollection geometries must be an array, instead got type %t";
    let all = array(geometries, words)?;
    if all.is_empty() {
        let words = "GeometryCollection geometries must have at least 1 element";
        return Err(Refusal::new(words, geometries));
    }
    for (number, item) in values(all).enumerate() {
        let Some(inside) = item.as_document() else {
            let words = "Element %a of \"geometries\" must be an object, instead got type %t: %v";
            return Err(Refusal::new(words, item).numbers(number as f64, 0.0));
        };
        match kind(inside) {
            None => return Err(Refusal::new("Unknown GeoJSON type: %v", item)),
            Some(6) => {
                let words = "GeometryCollections cannot be nested: %v";
                return Err(Refusal::new(words, item));
            }
            Some(found) => add(inside, found, checked, &mut parts, env)?,
        };
    }
    Ok(Geometry {
        crs: Crs::Sphere,
        shape: Shape::Parts(Box::new(parts)),
    })
}
