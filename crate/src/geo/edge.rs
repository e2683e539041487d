//! Edges: geodesics between two places less than half a turn apart. Whether two cross, how far a place is from one,
//! and the pairs among many that come near each other.

use super::orientation::{in_order, turn_from};
use super::vector::{Vector, across, angle, chord, cross, dot, length, normal, plus, unit};
use crate::algorithms::sorting;
use crate::env::Env;
use crate::error::CommandError;

/// How two edges meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// Not at all.
    Apart,
    /// An end of one is an end of the other.
    AtEnds,
    /// Both go on at both sides.
    Cross,
}

/// How the edges `ab` and `cd` meet.
pub fn meeting(a: &Vector, b: &Vector, c: &Vector, d: &Vector) -> Meeting {
    meeting_from(&cross(a, b), a, b, c, d)
}

/// As `meeting`, where the cross product of `a` and `b` is known.
pub fn meeting_from(product: &Vector, a: &Vector, b: &Vector, c: &Vector, d: &Vector) -> Meeting {
    if a == c || a == d || b == c || b == d {
        return Meeting::AtEnds;
    }
    let side = turn_from(product, a, b, d);
    if side == turn_from(product, a, b, c) || side == 0 {
        return Meeting::Apart;
    }
    let others = cross(c, d);
    if turn_from(&others, c, d, a) == side && turn_from(&others, c, d, b) == -side {
        Meeting::Cross
    } else {
        Meeting::Apart
    }
}

/// Whether an edge counts as crossed by another of the same end: of all edges at a place those between it and a fixed
/// direction. So a way through a corner of a ring crosses the ring once or not at all, never twice.
pub fn crosses_at_end(a: &Vector, b: &Vector, c: &Vector, d: &Vector) -> bool {
    if a == b || c == d {
        return false;
    }
    let (center, before, after) = if a == d {
        (a, c, b)
    } else if b == c {
        (b, d, a)
    } else if a == c {
        (a, d, b)
    } else {
        (b, c, a)
    };
    in_order(&across(center), before, after, center)
}

/// Whether `ab` goes from one side of `cd` to the other.
pub fn changes_side(product: &Vector, a: &Vector, b: &Vector, c: &Vector, d: &Vector) -> bool {
    match meeting_from(product, a, b, c, d) {
        Meeting::Apart => false,
        Meeting::AtEnds => crosses_at_end(a, b, c, d),
        Meeting::Cross => true,
    }
}

/// How the insides of two rings lie at a corner of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wedges {
    Equal,
    /// The first holds the second.
    Holds,
    /// The second holds the first.
    IsHeld,
    Disjoint,
    Overlap,
}

/// How the insides of `a0`, `corner`, `a2` and of `b0`, `corner`, `b2` lie; a ring's inside is at its left.
pub fn wedges(a0: &Vector, corner: &Vector, a2: &Vector, b0: &Vector, b2: &Vector) -> Wedges {
    if a0 == b0 && a2 == b2 {
        return Wedges::Equal;
    }
    if in_order(a0, a2, b2, corner) {
        if in_order(b2, b0, a0, corner) {
            Wedges::Holds
        } else if a2 == b2 {
            Wedges::IsHeld
        } else {
            Wedges::Overlap
        }
    } else if in_order(a0, b0, b2, corner) {
        Wedges::IsHeld
    } else if in_order(a0, b0, a2, corner) {
        Wedges::Disjoint
    } else {
        Wedges::Overlap
    }
}

/// The angle between a place and the nearest place of an edge, in radians.
pub fn distance(place: &Vector, a: &Vector, b: &Vector) -> f64 {
    let across = normal(a, b);
    let ahead = dot(place, &cross(&across, a));
    let behind = dot(place, &cross(b, &across));
    if ahead > 0.0 && behind > 0.0 {
        dot(place, &across)
            .abs()
            .atan2(length(&cross(place, &across)))
    } else {
        angle(place, a).min(angle(place, b))
    }
}

/// The squared chord between a place and the nearest place of an edge that has it at its right; `f64::MAX` where it is
/// at its left.
pub fn chord_beyond(place: &Vector, a: &Vector, b: &Vector) -> f64 {
    let across = normal(a, b);
    let side = dot(place, &across);
    if side >= 0.0 {
        return f64::MAX;
    }
    let ahead = dot(place, &cross(&across, a));
    let behind = dot(place, &cross(b, &across));
    if ahead > 0.0 && behind > 0.0 {
        let sine = side * side / dot(&across, &across);
        2.0 * sine / (1.0 + (1.0 - sine).max(0.0).sqrt())
    } else {
        chord(place, a).min(chord(place, b))
    }
}

/// The place where two edges cross, and which part of `ab` lies before it.
pub fn crossing_place(a: &Vector, b: &Vector, c: &Vector, d: &Vector) -> (Vector, f64) {
    let mut place = unit(&cross(&normal(a, b), &normal(c, d)));
    let middle = plus(&plus(a, b, 1.0), &plus(c, d, 1.0), 1.0);
    if dot(&place, &middle) < 0.0 {
        place = place.map(|part| -part);
    }
    let before = angle(a, &place);
    let after = angle(&place, b);
    let whole = before + after;
    (place, if whole > 0.0 { before / whole } else { 0.0 })
}

/// The smallest box with sides along the axes around an edge, made larger by how far the edge is from its chord.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub low: Vector,
    pub high: Vector,
}

impl Extent {
    pub fn of(a: &Vector, b: &Vector) -> Self {
        let room = chord(a, b) / 4.0 + 1e-14;
        let mut extent = Self { low: *a, high: *a };
        for axis in 0..3 {
            extent.low[axis] = a[axis].min(b[axis]) - room;
            extent.high[axis] = a[axis].max(b[axis]) + room;
        }
        extent
    }

    pub fn with(mut self, other: &Self) -> Self {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
        self
    }

    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// A run of edges: the places in order, and whether the last is joined to the first.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    pub places: &'a [Vector],
    pub closed: bool,
}

impl<'a> Path<'a> {
    pub fn count(self) -> usize {
        match self.places.len() {
            0 => 0,
            count if self.closed => count,
            count => count - 1,
        }
    }

    pub fn edge(self, index: usize) -> (&'a Vector, &'a Vector) {
        let next = if index + 1 == self.places.len() {
            0
        } else {
            index + 1
        };
        (&self.places[index], &self.places[next])
    }

    fn extent(self, index: usize) -> Extent {
        let (a, b) = self.edge(index);
        Extent::of(a, b)
    }
}

/// Up to this many edges are compared with each edge of the other path.
const FEW: usize = 8;

/// Calls `visit` with each pair of edges whose boxes meet, one of each path, until it says that it has seen enough.
/// Given one path twice, each pair comes once, the lower first.
///
/// # Errors
/// `Env::checkpoint`'s.
pub fn near_pairs(
    first: Path<'_>,
    second: Path<'_>,
    env: &dyn Env,
    visit: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<(), CommandError> {
    let same = std::ptr::eq(first.places, second.places);
    if !same && first.count() > second.count() {
        return near_pairs(second, first, env, &mut |one, other| visit(other, one));
    }
    if first.count() <= FEW {
        return few_pairs(first, second, same, env, visit);
    }
    // All edges by where they begin on one axis; those that have not ended yet are compared with each new one.
    let mut extents: Vec<Extent> = Vec::new();
    let both = [first, second];
    for path in &both[..if same { 1 } else { 2 }] {
        for index in 0..path.count() {
            extents.push(path.extent(index));
        }
    }
    let split = first.count();
    let whole = extents
        .iter()
        .fold(extents[0], |whole, next| whole.with(next));
    let sides = plus(&whole.high, &whole.low, -1.0);
    let axis = super::vector::largest(&sides);
    let mut order: Vec<u32> = (0..extents.len() as u32).collect();
    sorting::sort_asking(env, &mut order, &mut |left, right| {
        let low = |index: &u32| extents[*index as usize].low[axis];
        low(left).total_cmp(&low(right))
    })?;
    let mut open: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    for index in order {
        env.checkpoint()?;
        let extent = &extents[index as usize];
        let of_second = usize::from(index as usize >= split);
        let against = if same { 0 } else { 1 - of_second };
        open[against].retain(|other| extents[*other as usize].high[axis] >= extent.low[axis]);
        for (turn, other) in open[against].iter().enumerate() {
            if turn % 64 == 63 {
                env.checkpoint()?;
            }
            if extents[*other as usize].meets(extent) {
                let (low, high) = if *other < index {
                    (*other, index)
                } else {
                    (index, *other)
                };
                let high = if same {
                    high as usize
                } else {
                    high as usize - split
                };
                if visit(low as usize, high) {
                    return Ok(());
                }
            }
        }
        open[of_second].push(index);
    }
    Ok(())
}

fn few_pairs(
    few: Path<'_>,
    many: Path<'_>,
    same: bool,
    env: &dyn Env,
    visit: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<(), CommandError> {
    let Some(whole) = (0..few.count())
        .map(|index| few.extent(index))
        .reduce(|whole, next| whole.with(&next))
    else {
        return Ok(());
    };
    for index in 0..many.count() {
        if index % 64 == 63 {
            env.checkpoint()?;
        }
        let extent = many.extent(index);
        if !extent.meets(&whole) {
            continue;
        }
        for other in 0..if same { index } else { few.count() } {
            if few.extent(other).meets(&extent) && visit(other, index) {
                return Ok(());
            }
        }
    }
    Ok(())
}
