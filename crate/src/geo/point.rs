//! Points: a pair of numbers that is a place on the plane, and on the sphere too if it is a longitude and a latitude.

use super::flat;
use super::geometry::Crs;
use super::read::{self, is_on_sphere, pair};
use super::read_query;
use super::refusal::Refusal;
use super::vector::{Vector, angle, from_degrees};
use crate::bson::ValueRef;

/// A pair of numbers, and the place on the sphere that they are once it is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The first number, the longitude.
    pub x: f64,
    /// The second number, the latitude.
    pub y: f64,
    pub(super) crs: Crs,
    pub(super) place: Vector,
}

impl Point {
    /// A pair on the plane.
    pub fn flat(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            crs: Crs::Flat,
            place: [0.0; 3],
        }
    }

    fn read(value: ValueRef<'_>, more: bool) -> Result<Self, Refusal<'_>> {
        match value {
            ValueRef::Document(document) if !read::is_pair(value) => read::point(document),
            _ => pair(value, more).map(|[x, y]| Self::flat(x, y)),
        }
    }

    /// Reads a point of a document: GeoJSON, or a pair with any further fields behind it.
    ///
    /// # Errors
    /// Why it is no point.
    pub fn stored(value: ValueRef<'_>) -> Result<Self, Refusal<'_>> {
        Self::read(value, true)
    }

    /// Reads a point of a query: GeoJSON, or a pair and nothing else.
    ///
    /// # Errors
    /// Why it is no point.
    pub fn query(value: ValueRef<'_>) -> Result<Self, Refusal<'_>> {
        Self::read(value, false)
    }

    /// Reads `[x, y, maxDistance]`, the oldest form of `$near`.
    ///
    /// # Errors
    /// Why it isn't three numbers.
    pub fn with_distance(value: ValueRef<'_>) -> Result<(Self, f64), Refusal<'_>> {
        read_query::with_distance(value)
    }

    /// What its numbers mean now.
    pub fn crs(&self) -> Crs {
        self.crs
    }

    /// Makes it a point of `crs`. False, and unchanged, where its numbers are no longitude and latitude.
    pub fn project(&mut self, crs: Crs) -> bool {
        if crs != Crs::Flat && self.crs == Crs::Flat {
            if crs == Crs::StrictSphere || !is_on_sphere([self.x, self.y]) {
                return false;
            }
            self.place = from_degrees(self.x, self.y);
        }
        self.crs = crs;
        true
    }

    /// The distance to another point, in radians where this is on the sphere (so is the other then), else on the
    /// plane.
    pub fn distance(&self, other: &Point) -> f64 {
        match self.crs {
            Crs::Flat => flat::distance([self.x, self.y], [other.x, other.y]),
            _ => angle(&self.place, &other.place),
        }
    }
}
