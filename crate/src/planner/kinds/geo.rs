//! Geospatial components: the bounds of `$geoWithin` and `$geoIntersects`, and what serves a `$near`.
//!
//! Follows the manual's "Geospatial Indexes" pages. Invariant: cells around a shape hold more than the shape, so the
//! document decides.

use super::rules::{FieldFacts, FieldRules, LeafBounds, Tightness};
use crate::bson::ValueRef;
use crate::catalog::index::GeoKind;
use crate::env::NoEnv;
use crate::geo::{Coverer, Crs, Geometry, Grid};
use crate::plan::covering::{flat_intervals, sphere_intervals};
use crate::plan::{IndexFacts, Interval, Intervals};
use crate::query::MatchNode;
use crate::query::predicate::geo_shape::GeoTest;
use crate::query::predicate::near::Near;

/// About how many cells of a `2d` index cover a shape.
const GRID_CELLS: usize = 16;

/// The rules of components that tell a place.
pub struct Place;

impl FieldRules for Place {
    fn bounds(&self, node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
        let MatchNode::Geo(test) = node else {
            return None;
        };
        let intervals = match facts.geo? {
            GeoKind::Sphere(levels) if test.shape.crs() == Crs::Sphere => {
                let cells = test.shape.cells(&Coverer::QUERY, &NoEnv).ok()?;
                sphere_intervals(&cells, &levels)
            }
            GeoKind::Flat(grid) => flat_bounds(test, &grid)?,
            GeoKind::Sphere(_) => return None,
        };
        Some(LeafBounds {
            intervals,
            tightness: Tightness::Fetch,
        })
    }

    fn compared(&self, _: &str, _: ValueRef<'_>, _: FieldFacts) -> Option<Interval> {
        None
    }

    fn gives_order(&self) -> bool {
        false
    }
}

fn flat_bounds(test: &GeoTest, grid: &Grid) -> Option<Intervals> {
    if !test.is_within || !stays_on_map(&test.shape, grid) {
        return None;
    }
    let region = test.shape.flat_region()?;
    let cells = grid.cover(&region, GRID_CELLS, &NoEnv).ok()?;
    Some(flat_intervals(&cells))
}

/// Whether a circle on the sphere reaches neither the date line nor a pole: a plane does not go on behind them.
fn stays_on_map(shape: &Geometry, grid: &Grid) -> bool {
    let Some((center, radius)) = shape.as_cap() else {
        return true;
    };
    let high = radius.to_degrees() + grid.error().to_radians();
    let wide = scan_width(center.y, high);
    center.x.abs() + wide < 180.0 && center.y.abs() + high < 90.0
}

/// How many degrees of longitude a distance in degrees may be at a latitude.
fn scan_width(latitude: f64, degrees: f64) -> f64 {
    let north = (latitude + degrees).min(89.0).to_radians().cos();
    let south = (latitude - degrees).max(-89.0).to_radians().cos();
    degrees / north.min(south)
}

/// The component of an index by which documents are found by their distance.
pub fn near_field(index: &IndexFacts, near: &Near) -> Option<usize> {
    let serves = match index.geo? {
        GeoKind::Sphere(_) => near.is_on_sphere(),
        GeoKind::Flat(_) => !near.wraps,
    };
    if !serves {
        return None;
    }
    { index.fields.iter().zip(&index.kinds) }
        .position(|((name, _), kind)| kind.is_geo() && name == near.path.dotted())
}

/// Whether an index keeps several values of a field behind the place as one array, so that they bound no scan.
pub fn keeps_arrays(index: &IndexFacts, field: usize) -> bool {
    field > 0 && matches!(index.geo, Some(GeoKind::Flat(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    #[test]
    fn a_circle_beyond_the_date_line_or_a_pole_is_not_on_the_map() {
        let stays = |x: f64, y: f64, radius: f64| {
            let mut builder = DocumentBuilder::new();
            builder.begin_array("c").begin_array("0");
            builder.push_item(0, x).push_item(1, y).end();
            builder.push_item(1, radius).end();
            let given = builder.finish();
            let circle = Geometry::query("$centerSphere", given.as_document().get("c"), &NoEnv);
            let circle = circle.expect("a name").expect("a circle");
            stays_on_map(&circle, &Grid::DEFAULT)
        };
        assert!(stays(0.0, 0.0, 0.1) && stays(170.0, 10.0, 0.1));
        assert!(!stays(178.0, 0.0, 0.1) && !stays(0.0, 88.0, 0.1) && !stays(-178.0, 60.0, 0.05));
    }
}
