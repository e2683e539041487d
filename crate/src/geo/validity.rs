//! What makes rings and lines of GeoJSON geometries that are refused, in S2's words.

use super::edge::{self, Meeting, Path};
use super::refusal::write_degrees;
use super::ring::{Relation, Ring};
use super::vector::{Vector, to_degrees};
use crate::algorithms::sorting;
use crate::env::Env;
use crate::error::CommandError;
use std::cmp::Ordering;
use std::fmt::Write;

fn by_place(left: &Vector, right: &Vector) -> Ordering {
    left.iter()
        .zip(right)
        .map(|(left, right)| left.partial_cmp(right).unwrap_or(Ordering::Equal))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The second of two equal items that comes first of all such, and the item that it repeats.
fn first_repeated<T>(
    items: &[T],
    compare: &dyn Fn(&T, &T) -> Ordering,
    env: &dyn Env,
) -> Result<Option<(usize, usize)>, CommandError> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    // A stable sort: of equal items the first comes first.
    sorting::sort_asking(env, &mut order, &mut |left, right| {
        compare(&items[*left as usize], &items[*right as usize])
    })?;
    let repeated = order.windows(2).filter_map(|pair| {
        let (one, other) = (pair[0] as usize, pair[1] as usize);
        compare(&items[one], &items[other])
            .is_eq()
            .then_some((other, one))
    });
    Ok(repeated.min())
}

/// Why a ring is none: a corner that comes twice, or edges that cross.
///
/// # Errors
/// `Env::checkpoint`'s.
pub fn ring_fault(corners: &[Vector], env: &dyn Env) -> Result<Option<String>, CommandError> {
    if let Some((second, first)) = first_repeated(corners, &by_place, env)? {
        return Ok(Some(format!("Duplicate vertices: {first} and {second}")));
    }
    let path = Path {
        places: corners,
        closed: true,
    };
    let mut found: Option<(usize, usize)> = None;
    edge::near_pairs(path, path, env, &mut |one, two| {
        let pair = (one, two);
        if found.is_none_or(|earlier| pair < earlier) {
            let (a, b) = path.edge(one);
            let (c, d) = path.edge(two);
            if edge::meeting(a, b, c, d) == Meeting::Cross {
                found = Some(pair);
            }
        }
        false
    })?;
    Ok(found.map(|(one, two)| {
        let mut text = format!("Edges {one} and {two} cross. Edge locations in degrees: ");
        let ((a, b), (c, d)) = (path.edge(one), path.edge(two));
        for (place, between) in [(a, "-"), (b, " and "), (c, "-"), (d, "")] {
            let (longitude, latitude) = to_degrees(place);
            text.push('[');
            write_degrees(&mut text, longitude);
            text.push_str(", ");
            write_degrees(&mut text, latitude);
            text.push(']');
            text.push_str(between);
        }
        text
    }))
}

/// Why a line is none: two places one after the other are opposite to each other.
pub fn line_fault(places: &[Vector]) -> Option<String> {
    let at = places
        .windows(2)
        .position(|pair| pair[0] == pair[1].map(|part| -part))?;
    Some(format!(
        "Vertices {at} and {} are identical or antipodal",
        at + 1
    ))
}

/// How the rings of a polygon can fail to be one.
pub enum Fault {
    /// Why it isn't valid.
    Invalid(String),
    /// Rings share too many corners.
    Shared(String),
    /// A hole is in a hole.
    Nested,
}

/// Why the rings of a polygon, each of them good and all of them in the first, are none together.
///
/// # Errors
/// `Env::checkpoint`'s.
pub fn polygon_fault(rings: &[Ring], env: &dyn Env) -> Result<Option<Fault>, CommandError> {
    if rings.len() < 2 {
        return Ok(None);
    }
    // An edge in either direction, its ring and its number.
    let mut edges = Vec::new();
    for (number, ring) in rings.iter().enumerate() {
        let path = ring.path();
        for index in 0..path.count() {
            let (a, b) = path.edge(index);
            let (low, high) = if by_place(a, b).is_lt() {
                (a, b)
            } else {
                (b, a)
            };
            edges.push((low, high, number, index));
        }
    }
    let same = |one: &(&Vector, &Vector, usize, usize),
                other: &(&Vector, &Vector, usize, usize)| {
        by_place(one.0, other.0).then(by_place(one.1, other.1))
    };
    if let Some((second, first)) = first_repeated(&edges, &same, env)? {
        let (_, _, ring, index) = edges[second];
        let (_, _, other, before) = edges[first];
        return Ok(Some(Fault::Invalid(format!(
            "Duplicate edge: loop {ring}, edge {index} and loop {other}, edge {before}"
        ))));
    }
    let mut is_nested = false;
    for (number, ring) in rings.iter().enumerate() {
        for (other, next) in rings.iter().enumerate().skip(number + 1) {
            env.checkpoint()?;
            match ring.relation(next, env)? {
                Relation::Cross => {
                    let text = format!("Loop {number} crosses loop {other}");
                    return Ok(Some(Fault::Invalid(text)));
                }
                Relation::Disjoint => {}
                _ => is_nested |= number > 0,
            }
        }
    }
    let shell = &rings[0].corners;
    for (number, hole) in rings.iter().enumerate().skip(1) {
        let mut all: Vec<Vector> = shell.iter().chain(&hole.corners).copied().collect();
        let count = all.len();
        sorting::sort_asking(env, &mut all, &mut by_place)?;
        all.dedup();
        if count - all.len() > 1 {
            let mut text = String::new();
            // Writing to a string can't fail.
            let _ = write!(
                text,
                "Loop {number} shares more than one vertex with its parent loop 0"
            );
            return Ok(Some(Fault::Shared(text)));
        }
    }
    Ok(is_nested.then_some(Fault::Nested))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::env::NoEnv;
    use crate::env::testing::Patience;
    use crate::geo::vector::from_degrees;
    use std::f64::consts::TAU;

    #[test]
    fn the_first_edges_that_cross_are_named() {
        let mut random = Random::new(10);
        let mut good = 0;
        for _ in 0..300 {
            let count = 4 + random.below(30);
            let corners: Vec<Vector> = (0..count)
                .map(|index| {
                    let direction = TAU * index as f64 / count as f64;
                    let size = 5.0 + random.below(100) as f64 / 100.0;
                    let apart = if random.below(40) == 0 { 0.4 } else { 0.0 };
                    let direction = direction + apart;
                    from_degrees(size * direction.cos(), size * direction.sin())
                })
                .collect();
            let path = Path {
                places: &corners,
                closed: true,
            };
            let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
            let expected = pairs.into_iter().find(|(one, other)| {
                let ((a, b), (c, d)) = (path.edge(*one), path.edge(*other));
                edge::meeting(a, b, c, d) == Meeting::Cross
            });
            let fault = ring_fault(&corners, &NoEnv).expect("nothing stops it");
            good += usize::from(fault.is_none());
            match (expected, fault) {
                (None, None) => {}
                (Some((one, other)), Some(fault)) => {
                    let start = format!("Edges {one} and {other} cross. ");
                    assert!(fault.starts_with(&start), "{fault}");
                }
                (expected, fault) => panic!("{expected:?} {fault:?}"),
            }
        }
        assert!((50..290).contains(&good), "{good}");
    }

    #[test]
    fn large_rings_take_no_longer_than_sorting_and_can_be_stopped() {
        let circle: Vec<Vector> = (0..20_000)
            .map(|index| {
                let direction = f64::from(index) / 20_000.0 * TAU;
                from_degrees(direction.cos(), direction.sin())
            })
            .collect();
        let host = Patience::of(1_000_000);
        assert_eq!(ring_fault(&circle, &host).expect("there is patience"), None);
        // Edges that all lie beside each other are compared with each other.
        let comb: Vec<Vector> = (0..20_000)
            .map(|index| from_degrees(f64::from(index) * 1e-3, f64::from(index % 2) * 40.0))
            .collect();
        assert!(ring_fault(&comb, &Patience::of(10_000)).is_err());
        assert!(host.asked() > 20_000);
    }

    #[test]
    fn lines_between_opposite_places_are_none() {
        let line = [
            from_degrees(10.0, 20.0),
            from_degrees(10.0, 20.0).map(|part| -part),
        ];
        let words = "Vertices 0 and 1 are identical or antipodal";
        assert_eq!(line_fault(&line).as_deref(), Some(words));
        assert_eq!(line_fault(&[line[0], from_degrees(0.0, 0.0)]), None);
    }
}
