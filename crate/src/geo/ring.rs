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
        let far = unit(&plus(&negated(&axis), &across(&axis), 1e-3));
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
            self.sectors = Some(Sectors::new(&self.far, self.path()));
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

/// Whether an edge touches a cell.
pub fn meets_cell(cell: &Cell, a: &Vector, b: &Vector) -> bool {
    let product = cross(a, b);
    let [p, q, r, s] = &cell.corners;
    cell.holds(a)
        || cell.holds(b)
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

/// The edges of a ring by their directions from the place opposite to `far`.
#[derive(Debug, Clone)]
struct Sectors {
    pole: Vector,
    right: Vector,
    up: Vector,
    /// Where the list of each sector starts, and where the last ends.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

/// Edges are listed in all sectors that are no further from them than this, in radians; nearer to the pole than it no
/// sectors are told apart.
const ROOM: f64 = 1e-4;

impl Sectors {
    fn new(far: &Vector, path: Path<'_>) -> Self {
        let pole = negated(far);
        let right = across(&pole);
        let mut sectors = Self {
            pole,
            right,
            up: cross(&pole, &right),
            starts: Vec::new(),
            edges: Vec::new(),
        };
        let count = (path.count() / 2).clamp(16, 1024);
        // The first sector and how many more an edge is in.
        let spans: Vec<(usize, usize)> = (0..path.count())
            .map(|index| sectors.span(path.edge(index), count))
            .collect();
        let mut starts = vec![0_u32; count + 1];
        let each = |span: &(usize, usize), visit: &mut dyn FnMut(usize)| {
            for step in 0..=span.1 {
                visit((span.0 + step) % count);
            }
        };
        for span in &spans {
            each(span, &mut |sector| starts[sector + 1] += 1);
        }
        for sector in 0..count {
            starts[sector + 1] += starts[sector];
        }
        let mut next = starts.clone();
        sectors.edges = vec![0; starts[count] as usize];
        for (index, span) in spans.iter().enumerate() {
            each(span, &mut |sector| {
                sectors.edges[next[sector] as usize] = index as u32;
                next[sector] += 1;
            });
        }
        sectors.starts = starts;
        sectors
    }

    /// Where around the pole a place is, 0 to 1.
    fn part(&self, place: &Vector) -> f64 {
        let direction = dot(place, &self.up).atan2(dot(place, &self.right));
        (direction / (2.0 * PI) + 1.0).fract()
    }

    fn span(&self, (a, b): (&Vector, &Vector), count: usize) -> (usize, usize) {
        let near = |pole: &Vector| edge::distance(pole, a, b) < 2.0 * ROOM;
        if near(&self.pole) || near(&negated(&self.pole)) {
            return (0, count - 1);
        }
        let (from, to) = (self.part(a), self.part(b));
        let ahead = (to - from + 1.0).fract();
        let (start, width) = if ahead < 0.5 {
            (from, ahead)
        } else {
            (to, 1.0 - ahead)
        };
        let start = start - ROOM + 1.0;
        let first = (start * count as f64) as usize;
        let last = ((start + width + 2.0 * ROOM) * count as f64) as usize;
        (first % count, (last - first).min(count - 1))
    }

    fn toward(&self, place: &Vector) -> Option<&[u32]> {
        if dot(place, &self.pole).abs() > 1.0 - ROOM * ROOM / 2.0 {
            return None;
        }
        let count = self.starts.len() - 1;
        let sector = ((self.part(place) * count as f64) as usize).min(count - 1);
        self.edges
            .get(self.starts[sector] as usize..self.starts[sector + 1] as usize)
    }
}
