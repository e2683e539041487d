//! Caps: all places within an angle of a centre, and the rings between two of them.

use super::EARTH_RADIUS_METERS;
use super::cell::{Cell, CellId};
use super::covering::Region;
use super::flat::FlatBox;
use super::point::Point;
use super::vector::{Vector, angle, negated, plus};
use crate::env::Env;
use crate::error::CommandError;
use std::f64::consts::PI;

/// Bounds are taken a little wider for cells, so that rounding loses no place.
const ROOM: f64 = 1e-14;

/// A cap.
#[derive(Debug, Clone, Copy)]
pub struct Cap {
    /// On the sphere.
    pub center: Point,
    /// The radius in radians; from half a turn on it is all of the sphere.
    pub radius: f64,
}

impl Cap {
    /// The longitudes and latitudes that it reaches; all of them where it reaches a pole or the date line.
    pub fn degrees_around(&self) -> FlatBox {
        let radius = self.radius.to_degrees() + 1e-12;
        let (low, high) = (self.center.y - radius, self.center.y + radius);
        let all = FlatBox {
            min: [-180.0, low.max(-90.0)],
            max: [180.0, high.min(90.0)],
        };
        // Where the meridians touch the cap. It is all around where it reaches a pole.
        let sine = self.radius.sin() / self.center.y.to_radians().cos();
        if low <= -90.0 || high >= 90.0 || sine >= 1.0 {
            return all;
        }
        let width = sine.asin().to_degrees() + 1e-12;
        let (left, right) = (self.center.x - width, self.center.x + width);
        if left < -180.0 || right > 180.0 {
            return all;
        }
        FlatBox {
            min: [left, low],
            max: [right, high],
        }
    }

    fn has(&self, place: &Vector) -> bool {
        let chord = plus(place, &self.center.place, -1.0);
        let reach = 2.0 * (self.radius.min(PI) / 2.0).sin();
        super::vector::dot(&chord, &chord) <= reach * reach
    }

    /// Whether a place is inside, or its leaf cell is in part.
    pub fn touches(&self, place: &Vector) -> bool {
        self.has(place) || {
            let leaf = CellId::of_place(place);
            leaf == CellId::of_place(&self.center.place)
                || (angle(place, &self.center.place) < self.radius + 4e-9
                    && Cell::new(leaf)
                        .corners
                        .iter()
                        .any(|corner| self.has(corner)))
        }
    }

    /// Whether the corners of a line or a ring are inside. As on the server, those nearer than 3.14 metres to the
    /// border are not.
    pub fn holds_corners(&self, corners: &[Vector]) -> bool {
        let outside = PI - self.radius.min(PI);
        let margin = (outside * EARTH_RADIUS_METERS).min(PI);
        let opposite = negated(&self.center.place);
        corners
            .iter()
            .all(|corner| (angle(corner, &opposite) - outside) * EARTH_RADIUS_METERS >= margin)
    }
}

/// Whether a cell has a place within an angle of another.
fn comes_within(cell: &Cell, center: &Vector, radius: f64) -> bool {
    radius >= PI || cell.distance(center) <= radius
}

/// Whether all of a cell is within an angle of a place.
fn is_within(cell: &Cell, center: &Vector, radius: f64) -> bool {
    radius >= PI || cell.distance(&negated(center)) > PI - radius
}

impl Region for Cap {
    fn cap_bound(&self) -> (Vector, f64) {
        (self.center.place, self.radius + ROOM)
    }

    fn holds(&self, cell: &Cell, _: &dyn Env) -> Result<bool, CommandError> {
        Ok(is_within(cell, &self.center.place, self.radius))
    }

    fn may_meet(&self, cell: &Cell, _: &dyn Env) -> Result<bool, CommandError> {
        Ok(comes_within(cell, &self.center.place, self.radius + ROOM))
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
    fn cap_bound(&self) -> (Vector, f64) {
        (self.center.place, self.outer + ROOM)
    }

    fn holds(&self, cell: &Cell, _: &dyn Env) -> Result<bool, CommandError> {
        let center = &self.center.place;
        Ok(is_within(cell, center, self.outer)
            && (self.inner <= 0.0 || !comes_within(cell, center, self.inner)))
    }

    fn may_meet(&self, cell: &Cell, _: &dyn Env) -> Result<bool, CommandError> {
        let center = &self.center.place;
        Ok(comes_within(cell, center, self.outer + ROOM)
            && (self.inner <= 0.0 || !is_within(cell, center, self.inner - ROOM)))
    }
}
