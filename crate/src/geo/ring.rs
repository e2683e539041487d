//! Rings: closed runs of edges and the side of them that is inside.

use super::cell::{Cell, CellId};
use super::edge::{self, Meeting, Path, Wedges};
use super::orientation::{in_order, turn};
use super::vector::{Vector, across, angle, cross, dot, length, negated, normal, plus, unit};
use crate::env::Env;
use crate::error::CommandError;
use std::f64::consts::{FRAC_PI_2, PI};

/// A ring whose inside is at the left of its edges and no more than a hemisphere.
#[derive(Debug, Clone)]
pub struct Ring {
    pub corners: Vec<Vector>,
    /// A place far from the ring, if it is small. Whether another place is inside is how often the way there crosses
    /// it.
    far: Vector,
    is_far_inside: bool,
    /// A cap that holds the inside. The radius is half a turn where no smaller one is known.
    pub axis: Vector,
    pub radius: f64,
    /// The cosine of the radius, less what rounding can add.
    reach: f64,
    sectors: Option<Sectors>,
}

/// How two rings lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    /// The first holds the second.
    Holds,
    /// The second holds the first.
    IsHeld,
    Disjoint,
    Cross,
}

/// Rings of fewer corners have no sectors.
const FEW: usize = 24;

/// Leaf cells are not larger than this, in radians.
const LEAF_SIZE: f64 = 4e-9;

impl Ring {
    /// A ring, and whether it had to be turned around so that the inside is at most a hemisphere. There are at least
    /// three corners.
    pub fn new(corners: Vec<Vector>) -> (Self, bool) {
        let (axis, radius) = cap_around(&corners);
        // Not quite opposite to the middle, which is asked for often.
        let aside = radius.min(0.1) * 0.03;
        let far = unit(&plus(&negated(&axis), &across(&axis), aside));
        let mut ring = Self {
            corners,
            far,
            is_far_inside: false,
            axis,
            radius: PI,
            reach: -2.0,
            sectors: None,
        };
        if let [first, second, third, ..] = ring.corners[..] {
            let is_inside = in_order(&across(&second), &first, &third, &second);
            ring.is_far_inside = is_inside != ring.contains(&second);
        }
        let turned = if radius < FRAC_PI_2 {
            ring.is_far_inside
        } else {
            ring.turning() < -1e-14
        };
        if turned {
            ring.corners.reverse();
            ring.is_far_inside = !ring.is_far_inside;
        }
        ring.bound(radius);
        (ring, turned)
    }

    /// The border of a cell.
    pub fn of_cell(cell: &Cell) -> Self {
        let center = cell.center();
        let mut ring = Self {
            corners: cell.corners.to_vec(),
            far: center,
            is_far_inside: true,
            axis: center,
            radius: PI,
            reach: -2.0,
            sectors: None,
        };
        ring.bound(reach_of(&center, &cell.corners));
        ring
    }

    fn bound(&mut self, radius: f64) {
        self.radius = radius;
        self.reach = radius.cos() - 1e-14;
    }

    /// Makes many later calls of `contains` cheap.
    pub fn prepare(&mut self) {
        if self.corners.len() > FEW {
            self.sectors = Sectors::new(&self.far, self.path(), self.radius);
        }
    }

    pub fn path(&self) -> Path<'_> {
        Path {
            places: &self.corners,
            closed: true,
        }
    }

    /// The edges that the way from `far` to a place can cross, or that the leaf cell there can touch.
    fn edges_toward(&self, place: &Vector) -> Option<&[u32]> {
        self.sectors.as_ref()?.toward(place)
    }

    /// Whether a place is inside. A corner is inside of exactly one of the rings around it.
    pub fn contains(&self, place: &Vector) -> bool {
        if dot(place, &self.axis) < self.reach {
            return false;
        }
        let product = cross(&self.far, place);
        let mut inside = self.is_far_inside;
        let listed = self.edges_toward(place);
        for index in 0..listed.map_or(self.corners.len(), <[u32]>::len) {
            let (a, b) = self
                .path()
                .edge(listed.map_or(index, |list| list[index] as usize));
            inside ^= edge::changes_side(&product, &self.far, place, a, b);
        }
        inside
    }

    /// Whether the leaf cell of a place touches an edge.
    pub fn touches_leaf(&self, place: &Vector) -> bool {
        if dot(place, &self.axis) < self.reach - LEAF_SIZE {
            return false;
        }
        let listed = self.edges_toward(place);
        let count = listed.map_or(self.corners.len(), <[u32]>::len);
        touches_leaf(place, count, &mut |index| {
            self.path()
                .edge(listed.map_or(index, |list| list[index] as usize))
        })
    }

    /// The sum of the turns at all corners: positive where the inside is less than a hemisphere.
    fn turning(&self) -> f64 {
        let count = self.corners.len();
        let at = |index: usize| &self.corners[index % count];
        (0..count)
            .map(|index| {
                let (a, b, c) = (at(index), at(index + 1), at(index + 2));
                let size = angle(&normal(a, b), &normal(b, c));
                if turn(a, b, c) > 0 { size } else { -size }
            })
            .sum()
    }

    /// How this ring and another lie.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn relation(&self, other: &Ring, env: &dyn Env) -> Result<Relation, CommandError> {
        if self.radius + other.radius < angle(&self.axis, &other.axis) {
            return Ok(Relation::Disjoint);
        }
        let mut crossed = false;
        let [mut equal, mut holds, mut held, mut apart] = [false; 4];
        edge::near_pairs(self.path(), other.path(), env, &mut |one, two| {
            let (a0, a1) = self.path().edge(one);
            let (b0, b1) = other.path().edge(two);
            match edge::meeting(a0, a1, b0, b1) {
                Meeting::Cross => crossed = true,
                Meeting::AtEnds if a1 == b1 => {
                    let a2 = self.after(one + 1);
                    let b2 = other.after(two + 1);
                    match edge::wedges(a0, a1, a2, b0, b2) {
                        Wedges::Equal => equal = true,
                        Wedges::Holds => holds = true,
                        Wedges::IsHeld => held = true,
                        Wedges::Disjoint => apart = true,
                        Wedges::Overlap => crossed = true,
                    }
                    crossed |= holds && held;
                }
                _ => {}
            }
            crossed
        })?;
        Ok(if crossed {
            Relation::Cross
        } else if apart {
            Relation::Disjoint
        } else if holds {
            Relation::Holds
        } else if held {
            Relation::IsHeld
        } else if equal {
            Relation::Equal
        } else if self.contains(&other.corners[0]) {
            Relation::Holds
        } else if other.contains(&self.corners[0]) {
            Relation::IsHeld
        } else {
            Relation::Disjoint
        })
    }

    fn after(&self, index: usize) -> &Vector {
        let count = self.corners.len();
        &self.corners[(index + 1) % count]
    }

    /// The angle between a place and the nearest edge.
    pub fn distance(&self, place: &Vector) -> f64 {
        path_distance(self.path(), place)
    }
}

/// The angle between a place and the nearest edge of a path, or its one place.
pub fn path_distance(path: Path<'_>, place: &Vector) -> f64 {
    let single = path.places.first().map_or(PI, |first| angle(first, place));
    (0..path.count())
        .map(|index| {
            let (a, b) = path.edge(index);
            edge::distance(place, a, b)
        })
        .fold(single, f64::min)
}

/// Whether the leaf cell of a place touches one of some edges.
pub fn touches_leaf<'a>(
    place: &Vector,
    count: usize,
    edge_at: &mut dyn FnMut(usize) -> (&'a Vector, &'a Vector),
) -> bool {
    let mut leaf: Option<Cell> = None;
    for index in 0..count {
        let (a, b) = edge_at(index);
        // Few edges come near enough to look at the cell.
        let across = normal(a, b);
        if dot(place, &across).abs() > LEAF_SIZE * length(&across) + 1e-15 {
            continue;
        }
        let leaf = leaf.get_or_insert_with(|| Cell::new(CellId::of_place(place)));
        if meets_cell(leaf, a, b) {
            return true;
        }
    }
    false
}

/// Whether an edge touches a cell. An edge along the border of cells crosses those of one side alone; their parents
/// are known by the edge's ends, which are on the border too.
pub fn meets_cell(cell: &Cell, a: &Vector, b: &Vector) -> bool {
    let product = cross(a, b);
    let [p, q, r, s] = &cell.corners;
    cell.reaches(a)
        || cell.reaches(b)
        || [(p, q), (q, r), (r, s), (s, p)]
            .iter()
            .any(|(from, to)| edge::meeting_from(&product, a, b, from, to) != Meeting::Apart)
}

/// A cap around places: its axis and radius. Where the radius isn't less than a quarter of a turn it is half a turn,
/// all of the sphere; else the cap holds all edges between the places too.
pub fn cap_around(places: &[Vector]) -> (Vector, f64) {
    let sum = places
        .iter()
        .fold([0.0; 3], |sum: Vector, place| plus(&sum, place, 1.0));
    let axis = if length(&sum) > 1e-9 {
        unit(&sum)
    } else {
        places.first().map_or([0.0, 0.0, 1.0], across)
    };
    let radius = reach_of(&axis, places);
    (
        axis,
        if radius < FRAC_PI_2 - 1e-9 {
            radius
        } else {
            PI
        },
    )
}

/// The largest angle between an axis and one of some places.
fn reach_of(axis: &Vector, places: &[Vector]) -> f64 {
    let largest = places.iter().map(|place| angle(axis, place));
    largest.fold(0.0, f64::max) + 1e-15
}

/// The edges of a ring by their directions from the place opposite to `far`, the pole.
#[derive(Debug, Clone)]
struct Sectors {
    pole: Vector,
    right: Vector,
    up: Vector,
    /// Nearer to the pole than this, in radians, no sectors are told apart.
    room: f64,
    /// Where the list of each sector starts, and where the last ends.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Sectors {
    /// `None` for a ring as small as a house, or whose edges are in too many sectors each.
    fn new(far: &Vector, path: Path<'_>, radius: f64) -> Option<Self> {
        let pole = negated(far);
        let right = across(&pole);
        let mut sectors = Self {
            pole,
            right,
            up: cross(&pole, &right),
            room: radius.min(1.0) * 0.05,
            starts: Vec::new(),
            edges: Vec::new(),
        };
        // A leaf cell is in no more of the circle than this.
        let margin = LEAF_SIZE / sectors.room;
        if margin > 0.01 {
            return None;
        }
        let count = (path.count() / 2).clamp(16, 1024);
        // The first sector and how many more each edge is in.
        let mut spans = Vec::with_capacity(path.count());
        let mut starts = vec![0_u32; count + 1];
        let mut left = 16 * path.count();
        for index in 0..path.count() {
            let (first, more) = sectors.span(path.edge(index), count, margin);
            left = left.checked_sub(more)?;
            for step in 0..=more {
                starts[(first + step) % count + 1] += 1;
            }
            spans.push((first, more));
        }
        for sector in 0..count {
            starts[sector + 1] += starts[sector];
        }
        let mut next = starts.clone();
        sectors.edges = vec![0; starts[count] as usize];
        for (index, (first, more)) in spans.iter().enumerate() {
            for step in 0..=*more {
                let place = &mut next[(first + step) % count];
                sectors.edges[*place as usize] = index as u32;
                *place += 1;
            }
        }
        sectors.starts = starts;
        Some(sectors)
    }

    /// Where around the pole a place is, 0 to 1.
    fn part(&self, place: &Vector) -> Option<f64> {
        let (x, y) = (dot(place, &self.right), dot(place, &self.up));
        let is_aside = x * x + y * y > self.room * self.room;
        is_aside.then(|| (y.atan2(x) / (2.0 * PI) + 1.0).fract())
    }

    fn span(&self, (a, b): (&Vector, &Vector), count: usize, margin: f64) -> (usize, usize) {
        let is_near = |pole: &Vector| edge::distance(pole, a, b) < 2.0 * self.room;
        let (Some(from), Some(to), false) = (
            self.part(a),
            self.part(b),
            is_near(&self.pole) || is_near(&negated(&self.pole)),
        ) else {
            return (0, count - 1);
        };
        let ahead = (to - from + 1.0).fract();
        let (start, width) = if ahead < 0.5 {
            (from, ahead)
        } else {
            (to, 1.0 - ahead)
        };
        let start = start - margin + 1.0;
        let first = (start * count as f64) as usize;
        let last = ((start + width + 2.0 * margin) * count as f64) as usize;
        (first % count, (last - first).min(count - 1))
    }

    fn toward(&self, place: &Vector) -> Option<&[u32]> {
        let count = self.starts.len() - 1;
        let sector = ((self.part(place)? * count as f64) as usize).min(count - 1);
        self.edges
            .get(self.starts[sector] as usize..self.starts[sector + 1] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::vector::from_degrees;

    fn circle(count: usize, degrees: f64) -> Vec<Vector> {
        (0..count)
            .map(|index| {
                let direction = 2.0 * PI * index as f64 / count as f64;
                from_degrees(degrees * direction.cos(), degrees * direction.sin())
            })
            .collect()
    }

    #[test]
    fn sectors_list_few_edges_each() {
        for degrees in [0.001, 0.1, 10.0] {
            let (mut ring, _) = Ring::new(circle(2000, degrees));
            ring.prepare();
            let sectors = ring.sectors.as_ref().expect("the ring is large enough");
            assert!(sectors.edges.len() < 40_000, "{}", sectors.edges.len());
            let listed = ring.edges_toward(&from_degrees(degrees / 2.0, 0.0));
            assert!(listed.is_some_and(|edges| edges.len() < 50));
            for (part, inside) in [(0.0, true), (0.99, true), (1.01, false)] {
                assert_eq!(ring.contains(&from_degrees(0.0, degrees * part)), inside);
            }
        }
    }

    #[test]
    fn rings_turn_to_their_smaller_side() {
        let corners = circle(10, 5.0);
        let backward: Vec<Vector> = corners.iter().rev().copied().collect();
        let (ring, turned) = Ring::new(corners.clone());
        let (other, other_turned) = Ring::new(backward);
        assert_eq!((turned, other_turned), (false, true));
        assert_eq!(other.corners, corners);
        assert_eq!(
            ring.relation(&other, &crate::env::NoEnv),
            Ok(Relation::Equal)
        );
    }
}
