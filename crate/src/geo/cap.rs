//! Caps: all places within an angle of a centre, and the rings between two of them.

use super::EARTH_RADIUS_METERS;
use super::cell::{Cell, CellId};
use super::covering::Region;
use super::flat::FlatBox;
use super::point::Point;
use super::vector::{Vector, angle, chord, negated};
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
        chord(place, &self.center.place) <= reach(self.radius)
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

/// The squared chord of an angle in radians.
fn reach(angle: f64) -> f64 {
    if angle >= PI {
        return f64::INFINITY;
    }
    let half = (angle / 2.0).sin();
    4.0 * half * half
}

impl Region for Cap {
    fn cap_bound(&self) -> (Vector, f64) {
        (self.center.place, self.radius + ROOM)
    }

    fn holds(&self, cell: &Cell, env: &dyn Env) -> Result<bool, CommandError> {
        Annulus::new(self.center, 0.0, self.radius).holds(cell, env)
    }

    fn may_meet(&self, cell: &Cell, env: &dyn Env) -> Result<bool, CommandError> {
        Annulus::new(self.center, 0.0, self.radius).may_meet(cell, env)
    }
}

/// The places whose distance from a point is within two bounds: one step of a search for the nearest.
#[derive(Debug, Clone, Copy)]
pub struct Annulus {
    center: Vector,
    outer: f64,
    /// The squared chords that are surely within the bounds, and those that may be.
    sure: (f64, f64),
    possible: (f64, f64),
}

impl Annulus {
    /// A ring around a place on the sphere, from and to an angle in radians.
    pub fn new(center: Point, inner: f64, outer: f64) -> Self {
        // Squared chords near half a turn are precise to the last digits of 4 only.
        let possible = (
            reach(inner - ROOM) * (1.0 - ROOM),
            reach(outer + ROOM) * (1.0 + ROOM),
        );
        let is_whole = inner <= 0.0;
        Self {
            center: center.place,
            outer,
            sure: (if is_whole { -1.0 } else { reach(inner) }, reach(outer)),
            possible: (if is_whole { 0.0 } else { possible.0 }, possible.1),
        }
    }
}

impl Region for Annulus {
    fn cap_bound(&self) -> (Vector, f64) {
        (self.center, self.outer + ROOM)
    }

    fn holds(&self, cell: &Cell, _: &dyn Env) -> Result<bool, CommandError> {
        let (least, most) = self.sure;
        Ok(cell.farthest(&self.center) <= most && cell.nearest(&self.center) > least)
    }

    fn may_meet(&self, cell: &Cell, _: &dyn Env) -> Result<bool, CommandError> {
        let (least, most) = self.possible;
        Ok(cell.farthest(&self.center) >= least && cell.nearest(&self.center) <= most)
    }
}
