//! Any shape, stored or asked for, and what can be asked about two of them.

use super::cap::Cap;
use super::cell::{Cell, CellId};
use super::covering::{Coverer, IndexLevels, Region, cover};
use super::flat::{FlatBox, FlatShape};
use super::point::Point;
use super::polygon::{Polygon, open_path, paths_meet};
use super::read;
use super::read_query;
use super::refusal::Refusal;
use super::ring::{Ring, cap_around, meets_cell, path_distance, touches_leaf};
use super::vector::{Vector, angle};
use crate::bson::ValueRef;
use crate::env::Env;
use crate::error::CommandError;
use std::f64::consts::PI;

/// The radius that turns radians into metres.
pub const EARTH_RADIUS_METERS: f64 = 6_378_100.0;

/// What the numbers of a shape mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crs {
    /// Coordinates on a plane: legacy pairs and the shapes made of them.
    Flat,
    /// Longitude and latitude, edges are geodesics.
    Sphere,
    /// As `Sphere`, and the inside of a polygon is on the left of its edges, however large that is. Queries alone.
    StrictSphere,
}

/// A shape.
#[derive(Debug, Clone)]
pub struct Geometry {
    pub(super) crs: Crs,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone)]
pub(super) enum Shape {
    Point(Point),
    Flat(FlatShape),
    Cap(Cap),
    Parts(Box<Parts>),
}

/// What a shape on the sphere consists of, be it a line or a collection.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub points: Vec<Vector>,
    pub lines: Vec<Vec<Vector>>,
    pub polygons: Vec<Polygon>,
    /// Whether it was given as one line or polygon.
    pub is_simple: bool,
}

/// One of the parts of a shape on the sphere.
#[derive(Clone, Copy)]
enum Part<'p> {
    Point(&'p Vector),
    Line(&'p [Vector]),
    Polygon(&'p Polygon),
}

type Answer<T> = Result<T, CommandError>;

impl From<Point> for Geometry {
    fn from(point: Point) -> Self {
        Self {
            crs: point.crs,
            shape: Shape::Point(point),
        }
    }
}

impl From<FlatShape> for Geometry {
    fn from(shape: FlatShape) -> Self {
        Self {
            crs: Crs::Flat,
            shape: Shape::Flat(shape),
        }
    }
}

impl Geometry {
    /// Reads a value of a document: GeoJSON, or a pair as array or document, with any further fields behind it.
    /// `checked` is false where an index has checked the value before.
    ///
    /// # Errors
    /// Why it is no geometry.
    pub fn stored<'a>(
        value: ValueRef<'a>,
        checked: bool,
        env: &dyn Env,
    ) -> Result<Self, Refusal<'a>> {
        match value {
            _ if read::is_pair(value) => {
                read::pair(value, true).map(|[x, y]| Self::from(Point::flat(x, y)))
            }
            ValueRef::Document(document) => read::geojson(document, checked, env),
            _ => {
                let words = "geo element must be an array or object: %v";
                Err(Refusal::new(words, value))
            }
        }
    }

    /// Reads the shape of `$geoWithin` or `$geoIntersects`: `name` is `$geometry`, `$box`, `$polygon`, `$center` or
    /// `$centerSphere`. `None` where the name is none of these or the value neither document nor array ("unknown geo
    /// specifier").
    ///
    /// # Errors
    /// Why it is no such shape.
    pub fn query<'a>(
        name: &str,
        value: ValueRef<'a>,
        env: &dyn Env,
    ) -> Option<Result<Self, Refusal<'a>>> {
        let mut read = read_query::shape(name, value, env);
        if let Some(Ok(geometry)) = &mut read
            && let Shape::Parts(parts) = &mut geometry.shape
        {
            parts.polygons.iter_mut().for_each(Polygon::prepare);
        }
        read
    }

    /// What its numbers mean now.
    pub fn crs(&self) -> Crs {
        self.crs
    }

    /// Makes it a shape of `crs`. False, and unchanged, where it can't be one: points go both ways if they are a
    /// longitude and a latitude, polygons with strict winding go onto the sphere.
    pub fn project(&mut self, crs: Crs) -> bool {
        let can = match &mut self.shape {
            Shape::Point(point) => point.project(crs),
            _ => self.crs == crs || (self.crs == Crs::StrictSphere && crs == Crs::Sphere),
        };
        if can {
            self.crs = crs;
        }
        can
    }

    /// Whether it can contain something, so that `$geoWithin` takes it.
    pub fn has_inside(&self) -> bool {
        match &self.shape {
            Shape::Point(_) => false,
            Shape::Flat(_) | Shape::Cap(_) => true,
            Shape::Parts(parts) => !parts.polygons.is_empty(),
        }
    }

    /// Whether it is a single point: the finest keys of a version 3 index.
    pub fn is_point(&self) -> bool {
        matches!(self.shape, Shape::Point(_))
    }

    /// Whether it is one point, line or polygon: all that version 1 of `2dsphere` indexes holds.
    pub fn is_simple(&self) -> bool {
        match &self.shape {
            Shape::Parts(parts) => parts.is_simple,
            other => matches!(other, Shape::Point(_)),
        }
    }

    /// Whether `ask` says yes to any part that is on the sphere.
    fn any(&self, ask: &mut dyn FnMut(Part<'_>) -> Answer<bool>) -> Answer<bool> {
        let parts = match &self.shape {
            Shape::Point(point) => return ask(Part::Point(&point.place)),
            Shape::Flat(_) | Shape::Cap(_) => return Ok(false),
            Shape::Parts(parts) => parts,
        };
        let points = parts.points.iter().map(Part::Point);
        let lines = parts.lines.iter().map(|line| Part::Line(line));
        let polygons = parts.polygons.iter().map(Part::Polygon);
        for part in points.chain(lines).chain(polygons) {
            if ask(part)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether all of `other` is inside. Both are of one `Crs` (strict polygons are projected onto `Sphere` first);
    /// flat shapes contain points alone.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn contains(&self, other: &Geometry, env: &dyn Env) -> Result<bool, CommandError> {
        match (&self.shape, &other.shape) {
            (Shape::Point(_), _) | (_, Shape::Flat(_) | Shape::Cap(_)) => Ok(false),
            (Shape::Flat(shape), Shape::Point(point)) => Ok(shape.contains([point.x, point.y])),
            (Shape::Flat(_), _) => Ok(false),
            (Shape::Cap(cap), _) => {
                let is_out = other.any(&mut |part| {
                    Ok(match part {
                        Part::Point(place) => !cap.touches(place),
                        Part::Line(line) => !cap.holds_corners(line),
                        Part::Polygon(polygon) => !polygon
                            .rings
                            .iter()
                            .all(|ring| cap.holds_corners(&ring.corners)),
                    })
                })?;
                Ok(!is_out)
            }
            (Shape::Parts(parts), _) => {
                let is_out = other.any(&mut |part| {
                    for polygon in &parts.polygons {
                        let holds = match part {
                            Part::Point(place) => polygon.touches(place),
                            Part::Line(line) => polygon.holds_line(line, env)?,
                            Part::Polygon(other) => polygon.holds(other, env)?,
                        };
                        if holds {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                })?;
                Ok(!is_out)
            }
        }
    }

    /// Whether they share a point. Both are on the sphere.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn intersects(&self, other: &Geometry, env: &dyn Env) -> Result<bool, CommandError> {
        self.any(&mut |mine| other.any(&mut |theirs| meet(mine, theirs, env)))
    }

    /// How far its nearest part is from a point: in radians where both are on the sphere, else in the units of the
    /// plane. 0 inside a polygon.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn distance(&self, from: &Point, env: &dyn Env) -> Result<f64, CommandError> {
        if let Shape::Point(point) = &self.shape {
            return Ok(point.distance(from));
        }
        let place = &from.place;
        let mut least = PI;
        self.any(&mut |part| {
            env.checkpoint()?;
            least = least.min(match part {
                Part::Point(other) => angle(other, place),
                Part::Line(line) => path_distance(open_path(line), place),
                Part::Polygon(polygon) if polygon.contains(place) => 0.0,
                Part::Polygon(polygon) => polygon
                    .rings
                    .iter()
                    .map(|ring| ring.distance(place))
                    .fold(PI, f64::min),
            });
            Ok(false)
        })?;
        Ok(least)
    }

    /// The cells of its keys in a `2dsphere` index: the leaf cell for points of version 3, else a covering. It is on
    /// the sphere.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn index_cells(
        &self,
        levels: &IndexLevels,
        env: &dyn Env,
    ) -> Result<Vec<CellId>, CommandError> {
        match &self.shape {
            Shape::Point(point) => {
                let leaf = CellId::of_place(&point.place);
                let level = if levels.version >= 3 {
                    CellId::LEAF_LEVEL
                } else {
                    levels.coverer.finest
                };
                Ok(vec![leaf.parent(level)])
            }
            _ => self.cells(&levels.coverer, env),
        }
    }

    /// The cells that hold it, for a look-up (`Coverer::QUERY`). It is on the sphere.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn cells(&self, coverer: &Coverer, env: &dyn Env) -> Result<Vec<CellId>, CommandError> {
        match &self.shape {
            Shape::Cap(cap) => cover(cap, coverer, env),
            _ => cover(self, coverer, env),
        }
    }

    /// The region that a `2d` index is read for: flat shapes are that themselves; a point or a `$centerSphere` the
    /// box of longitudes and latitudes around it. `None` for what a `2d` index can't serve.
    pub fn flat_region(&self) -> Option<FlatShape> {
        let area = match &self.shape {
            Shape::Flat(shape) => return Some(shape.clone()),
            Shape::Point(point) => FlatBox::around(&[[point.x, point.y]]),
            Shape::Cap(cap) => cap.degrees_around(),
            Shape::Parts(_) => return None,
        };
        Some(FlatShape::Box(area))
    }

    /// Centre and radius in radians of a `$centerSphere`.
    pub fn as_cap(&self) -> Option<(Point, f64)> {
        match &self.shape {
            Shape::Cap(cap) => Some((cap.center, cap.radius)),
            _ => None,
        }
    }
}

/// Whether two parts share a point.
fn meet(one: Part<'_>, other: Part<'_>, env: &dyn Env) -> Answer<bool> {
    Ok(match (one, other) {
        (Part::Point(place), Part::Point(second)) => {
            CellId::of_place(place) == CellId::of_place(second)
        }
        (Part::Point(place), Part::Line(line)) | (Part::Line(line), Part::Point(place)) => {
            let path = open_path(line);
            touches_leaf(place, path.count(), &mut |index| path.edge(index))
        }
        (Part::Point(place), Part::Polygon(polygon))
        | (Part::Polygon(polygon), Part::Point(place)) => polygon.touches(place),
        (Part::Line(line), Part::Line(second)) => {
            paths_meet(open_path(line), open_path(second), env)?
        }
        (Part::Line(line), Part::Polygon(polygon)) | (Part::Polygon(polygon), Part::Line(line)) => {
            polygon.meets_line(line, env)?
        }
        (Part::Polygon(polygon), Part::Polygon(second)) if second.outside => {
            second.meets(polygon, env)?
        }
        (Part::Polygon(polygon), Part::Polygon(second)) => polygon.meets(second, env)?,
    })
}

impl Region for Geometry {
    fn cap_bound(&self) -> (Vector, f64) {
        let mut all: Vec<Vector> = Vec::new();
        // What the caps of all parts reach is a cap of points as far from their axes.
        let is_all = self.any(&mut |part| {
            match part {
                Part::Point(place) => all.push(*place),
                Part::Line(line) => all.extend_from_slice(line),
                Part::Polygon(polygon) if polygon.outside || polygon.shell().radius >= PI => {
                    return Ok(true);
                }
                Part::Polygon(polygon) => all.extend_from_slice(&polygon.shell().corners),
            }
            Ok(false)
        });
        match is_all {
            Ok(false) => cap_around(&all),
            _ => ([1.0, 0.0, 0.0], PI),
        }
    }

    fn holds(&self, cell: &Cell, env: &dyn Env) -> Answer<bool> {
        let mut border: Option<Polygon> = None;
        self.any(&mut |part| match part {
            Part::Polygon(polygon) => {
                let border = border.get_or_insert_with(|| Polygon::of(Ring::of_cell(cell)));
                polygon.holds(border, env)
            }
            Part::Point(_) | Part::Line(_) => Ok(false),
        })
    }

    fn may_meet(&self, cell: &Cell, env: &dyn Env) -> Answer<bool> {
        let mut border: Option<Polygon> = None;
        self.any(&mut |part| match part {
            Part::Point(place) => Ok(cell.holds(place)),
            Part::Line(line) => {
                env.checkpoint()?;
                let path = open_path(line);
                Ok((0..path.count()).any(|index| {
                    let (a, b) = path.edge(index);
                    meets_cell(cell, a, b)
                }))
            }
            Part::Polygon(polygon) => {
                let border = border.get_or_insert_with(|| Polygon::of(Ring::of_cell(cell)));
                polygon.meets(border, env)
            }
        })
    }
}
