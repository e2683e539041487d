//! Any shape, stored or asked for, and what can be asked about two of them.

use super::cell::CellId;
use super::covering::{Coverer, IndexLevels};
use super::flat::FlatShape;
use super::point::Point;
use super::refusal::Refusal;
use crate::bson::ValueRef;
use crate::env::Env;
use crate::error::CommandError;

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
}

impl Geometry {
    /// Reads a value of a document: GeoJSON, or a pair as array or document, with any further fields behind it.
    /// `checked` is false where an index has checked the value before.
    ///
    /// # Errors
    /// Why it is no geometry.
    pub fn stored<'a>(
        _value: ValueRef<'a>,
        _checked: bool,
        _env: &dyn Env,
    ) -> Result<Self, Refusal<'a>> {
        todo!()
    }

    /// Reads the shape of `$geoWithin` or `$geoIntersects`: `name` is `$geometry`, `$box`, `$polygon`, `$center` or
    /// `$centerSphere`. `None` where the name is none of these or the value neither document nor array ("unknown geo
    /// specifier").
    ///
    /// # Errors
    /// Why it is no such shape.
    pub fn query<'a>(
        _name: &str,
        _value: ValueRef<'a>,
        _env: &dyn Env,
    ) -> Option<Result<Self, Refusal<'a>>> {
        todo!()
    }

    /// What its numbers mean now.
    pub fn crs(&self) -> Crs {
        self.crs
    }

    /// Makes it a shape of `crs`. False, and unchanged, where it can't be one: points go both ways if they are a
    /// longitude and a latitude, polygons with strict winding go onto the sphere.
    pub fn project(&mut self, _crs: Crs) -> bool {
        todo!()
    }

    /// Whether it can contain something, so that `$geoWithin` takes it.
    pub fn has_inside(&self) -> bool {
        todo!()
    }

    /// Whether it is a single point: the finest keys of a version 3 index.
    pub fn is_point(&self) -> bool {
        matches!(self.shape, Shape::Point(_))
    }

    /// Whether it is one point, line or polygon: all that version 1 of `2dsphere` indexes holds.
    pub fn is_simple(&self) -> bool {
        todo!()
    }

    /// Whether all of `other` is inside. Both are of one `Crs` (strict polygons are projected onto `Sphere` first);
    /// flat shapes contain points alone.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn contains(&self, _other: &Geometry, _env: &dyn Env) -> Result<bool, CommandError> {
        todo!()
    }

    /// Whether they share a point. Both are on the sphere.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn intersects(&self, _other: &Geometry, _env: &dyn Env) -> Result<bool, CommandError> {
        todo!()
    }

    /// How far its nearest part is from a point: in radians where both are on the sphere, else in the units of the
    /// plane. 0 inside a polygon.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn distance(&self, _from: &Point, _env: &dyn Env) -> Result<f64, CommandError> {
        todo!()
    }

    /// The cells of its keys in a `2dsphere` index: the leaf cell for points of version 3, else a covering. It is on the
    /// sphere.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn index_cells(
        &self,
        _levels: &IndexLevels,
        _env: &dyn Env,
    ) -> Result<Vec<CellId>, CommandError> {
        todo!()
    }

    /// The cells that hold it, for a look-up (`Coverer::QUERY`). It is on the sphere.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn cells(&self, _coverer: &Coverer, _env: &dyn Env) -> Result<Vec<CellId>, CommandError> {
        todo!()
    }

    /// The region that a `2d` index is read for: flat shapes are that themselves; a point or a `$centerSphere` the box of
    /// longitudes and latitudes around it. `None` for what a `2d` index can't serve.
    pub fn flat_region(&self) -> Option<FlatShape> {
        todo!()
    }

    /// Centre and radius in radians of a `$centerSphere`.
    pub fn as_cap(&self) -> Option<(Point, f64)> {
        todo!()
    }
}
