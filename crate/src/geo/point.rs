//! Points: the centres of `$near`, and the ring of distances around one.

use super::cell::CellId;
use super::covering::Region;
use super::geometry::Crs;
use super::refusal::Refusal;
use crate::bson::ValueRef;
use crate::env::Env;
use crate::error::CommandError;

/// A pair of numbers, and the place on the sphere that they are once it is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The first number, the longitude.
    pub x: f64,
    /// The second number, the latitude.
    pub y: f64,
    pub(super) crs: Crs,
    pub(super) place: [f64; 3],
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

    /// Reads a point of a document: GeoJSON, or a pair with any further fields behind it.
    ///
    /// # Errors
    /// Why it is no point.
    pub fn stored<'a>(_value: ValueRef<'a>) -> Result<Self, Refusal<'a>> {
        todo!()
    }

    /// Reads a point of a query: GeoJSON, or a pair and nothing else.
    ///
    /// # Errors
    /// Why it is no point.
    pub fn query<'a>(_value: ValueRef<'a>) -> Result<Self, Refusal<'a>> {
        todo!()
    }

    /// Reads `[x, y, maxDistance]`, the oldest form of `$near`.
    ///
    /// # Errors
    /// Why it isn't three numbers.
    pub fn with_distance<'a>(_value: ValueRef<'a>) -> Result<(Self, f64), Refusal<'a>> {
        todo!()
    }

    /// What its numbers mean now.
    pub fn crs(&self) -> Crs {
        self.crs
    }

    /// Makes it a point of `crs`. False, and unchanged, where its numbers are no longitude and latitude.
    pub fn project(&mut self, _crs: Crs) -> bool {
        todo!()
    }

    /// The distance to another point, in radians where this is on the sphere (so is the other then), else on the plane.
    pub fn distance(&self, _other: &Point) -> f64 {
        todo!()
    }
}

/// The places whose distance from a point is within two bounds, in radians: one step of a search for the nearest.
#[derive(Debug, Clone, Copy)]
pub struct Annulus {
    /// The centre, on the sphere.
    pub center: Point,
    pub inner: f64,
    pub outer: f64,
}

impl Region for Annulus {
    fn cap_bound(&self) -> ([f64; 3], f64) {
        todo!()
    }

    fn holds(&self, _cell: CellId, _env: &dyn Env) -> Result<bool, CommandError> {
        todo!()
    }

    fn may_meet(&self, _cell: CellId, _env: &dyn Env) -> Result<bool, CommandError> {
        todo!()
    }
}
