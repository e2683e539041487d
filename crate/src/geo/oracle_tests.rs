//! Random cells, turns, crossings and shapes, compared with the `s2` crate and with the plainest way to find the
//! answer.

use super::cell::{Cell, CellId};
use super::covering::{Coverer, cover};
use super::edge::{self, Meeting};
use super::geometry::{Crs, Geometry, Parts, Shape};
use super::orientation::turn;
use super::point::Point;
use super::polygon::Polygon;
use super::ring::Ring;
use super::vector::*;
use crate::bson::testing::Random;
use crate::env::NoEnv;
use s2::edge_crossings::{Crossing, crossing_sign, edge_or_vertex_crossing, vertex_crossing};
use s2::edgeutil;
use s2::point::Point as OraclePoint;
use s2::predicates::{Direction, robust_sign};
use std::f64::consts::PI;

fn real(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn oracle(place: &Vector) -> OraclePoint {
    OraclePoint(s2::r3::vector::Vector {
        x: place[0],
        y: place[1],
        z: place[2],
    })
}

/// A place: anywhere, or at one of the corners, edges and middles that are special to the cube or to degrees.
fn place(random: &mut Random) -> Vector {
    let mut coordinate = |whole: f64, step: f64| {
        let free = (real(random) * 2.0 - 1.0) * whole;
        match random.below(3) {
            0 => (free / step).round() * step,
            _ => free,
        }
    };
    let (longitude, latitude) = (coordinate(180.0, 45.0), coordinate(90.0, 15.0));
    from_degrees(longitude, latitude)
}

/// A place near another.
fn beside(random: &mut Random, center: &Vector, reach: f64) -> Vector {
    let right = across(center);
    let up = cross(center, &right);
    let (direction, size) = (real(random) * 2.0 * PI, reach * real(random));
    around(center, &right, &up, direction, size)
}

fn around(center: &Vector, right: &Vector, up: &Vector, direction: f64, size: f64) -> Vector {
    let side = plus(
        &plus(&[0.0; 3], right, direction.cos()),
        up,
        direction.sin(),
    );
    unit(&plus(
        &plus(&[0.0; 3], center, size.cos()),
        &side,
        size.sin(),
    ))
}

/// The corners of a ring around a center, with a jagged border.
fn star(random: &mut Random, center: &Vector, reach: f64, count: usize) -> Vec<Vector> {
    let right = across(center);
    let up = cross(center, &right);
    (0..count)
        .map(|index| {
            let direction = 2.0 * PI * (index as f64 + 0.8 * real(random)) / count as f64;
            let size = reach * (0.3 + 0.7 * real(random));
            around(center, &right, &up, direction, size)
        })
        .collect()
}

#[test]
fn cells_are_the_cells_of_s2() {
    let mut random = Random::new(1);
    for round in 0..20_000 {
        let at = place(&mut random);
        // Where two faces meet, the server's S2 takes the later axis and the crate the earlier one.
        let sizes = at.map(f64::abs);
        if sizes[0] == sizes[1] || sizes[1] == sizes[2] || sizes[0] == sizes[2] {
            continue;
        }
        let id = CellId::of_place(&at);
        let theirs = s2::cellid::CellID::from(oracle(&at));
        assert_eq!(id.0, theirs.0, "{at:?}");
        let level = random.below(31) as u32;
        let (cell, theirs) = (id.parent(level), theirs.parent(u64::from(level)));
        assert_eq!((cell.0, cell.level()), (theirs.0, level));
        assert_eq!(cell.range(), (theirs.range_min().0, theirs.range_max().0));
        if level < 30 {
            assert_eq!(cell.children(), theirs.children().map(|child| child.0));
        }
        if round % 10 == 0 {
            let corners = s2::cell::Cell::from(theirs).vertices();
            for (corner, theirs) in Cell::new(cell).corners.iter().zip(&corners) {
                assert!(angle(corner, &[theirs.0.x, theirs.0.y, theirs.0.z]) < 1e-15);
            }
            if (1..30).contains(&level) {
                let mut near: Vec<u64> =
                    id.around_corner(level).iter().map(|cell| cell.0).collect();
                let leaf = s2::cellid::CellID(id.0);
                let mut theirs: Vec<u64> = leaf
                    .vertex_neighbors(u64::from(level))
                    .iter()
                    .map(|cell| cell.0)
                    .collect();
                near.sort_unstable();
                theirs.sort_unstable();
                theirs.dedup();
                assert_eq!(near, theirs);
            }
        }
    }
}

/// Three or four places of which many are on one great circle, close together or equal.
fn places(random: &mut Random) -> [Vector; 4] {
    let mut found = [[0.0; 3]; 4];
    for index in 0..4 {
        let (first, second) = (found[0], found[index.min(1)]);
        found[index] = match random.below(if index < 2 { 2 } else { 8 }) {
            0 | 1 => place(random),
            2 => unit(&plus(&first, &second, real(random))),
            3 => beside(random, &first, 1e-15),
            4 => beside(random, &second, 1e-9),
            5 => unit(&plus(&first, &second, 1.0)),
            6 => first,
            _ => {
                let (longitude, latitude) = to_degrees(&first);
                from_degrees(longitude, latitude / 2.0)
            }
        };
    }
    found
}

/// How three places turn by the `s2` crate; it leaves out the exact sums, so it knows nothing of many.
fn their_turn(a: &Vector, b: &Vector, c: &Vector) -> Option<i32> {
    match robust_sign(&oracle(a), &oracle(b), &oracle(c)) {
        Direction::CounterClockwise => Some(1),
        Direction::Clockwise => Some(-1),
        Direction::Indeterminate => (a == b || b == c || a == c).then_some(0),
    }
}

#[test]
fn turns_and_crossings_are_those_of_s2() {
    let mut random = Random::new(2);
    let mut compared = 0;
    for _ in 0..40_000 {
        let [a, b, c, d] = places(&mut random);
        let theirs = their_turn(&a, &b, &c);
        assert_eq!(
            turn(&a, &b, &c),
            theirs.unwrap_or(turn(&a, &b, &c)),
            "{a:?} {b:?} {c:?}"
        );
        assert_eq!(turn(&b, &c, &a), turn(&a, &b, &c));
        assert_eq!(turn(&b, &a, &c), -turn(&a, &b, &c));
        let distance = edgeutil::distance_from_segment(&oracle(&c), &oracle(&a), &oracle(&b));
        assert!((edge::distance(&c, &a, &b) - distance.rad()).abs() < 1e-7);
        let is_known = [(&a, &b, &c), (&a, &b, &d), (&c, &d, &a), (&c, &d, &b)]
            .iter()
            .all(|(a, b, c)| their_turn(a, b, c).is_some());
        if a == b || c == d || !is_known {
            continue;
        }
        let [p, q, r, s] = [&a, &b, &c, &d].map(oracle);
        let meeting = edge::meeting(&a, &b, &c, &d);
        let theirs = match crossing_sign(&p, &q, &r, &s) {
            Crossing::Cross => Meeting::Cross,
            Crossing::MaybeCross => Meeting::AtEnds,
            Crossing::DoNotCross => Meeting::Apart,
        };
        assert_eq!(meeting, theirs, "{a:?} {b:?} {c:?} {d:?}");
        if meeting == Meeting::AtEnds {
            let theirs = vertex_crossing(&p, &q, &r, &s);
            assert_eq!(edge::crosses_at_end(&a, &b, &c, &d), theirs);
        }
        compared += 1;
    }
    assert!(compared > 15_000, "{compared}");
}

#[test]
fn turns_of_places_on_one_circle_are_exact() {
    // So small that every determinant is one of doubt; whole numbers give its sign.
    let mut random = Random::new(6);
    for _ in 0..20_000 {
        let mut whole = || [0; 3].map(|_: i64| random.below(7) as i64 - 3);
        let [a, b, c] = [whole(), whole(), whole()];
        let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        let [p, q, r] = [a, b, c].map(|place| place.map(|part| part as f64 * 1e-6));
        if volume != 0 {
            assert_eq!(i64::from(turn(&p, &q, &r)), volume.signum());
        } else if p != q && q != r && p != r {
            assert_eq!(turn(&p, &q, &r).abs(), 1);
            assert_eq!(turn(&r, &q, &p), -turn(&p, &q, &r));
        }
    }
    // What S2's own tests name, each with one more of the coefficients 0.
    let named: [[i32; 9]; 8] = [
        [-3, -1, 0, -2, 1, 0, 1, -2, 0],
        [-6, 3, 3, -4, 2, -1, -2, 1, 4],
        [0, -1, -1, 0, 1, -2, 0, 2, 1],
        [-1, 2, 7, 2, 1, -4, 4, 2, -8],
        [-4, -2, 7, 2, 1, -4, 4, 2, -8],
        [0, -5, 7, 0, -4, 8, 0, -2, 4],
        [-5, -2, 7, 0, 0, -2, 0, 0, -1],
        [0, -2, 7, 0, 0, 1, 0, 0, 2],
    ];
    for row in named {
        let [a, b, c] = [0, 3, 6].map(|start| [0, 1, 2].map(|at| f64::from(row[start + at])));
        assert_eq!(turn(&a, &b, &c), 1, "{row:?}");
        assert_eq!(turn(&c, &b, &a), -1, "{row:?}");
    }
}

/// Whether a place is in a ring, by the ways of S2's loops: crossings on the way from a fixed place.
fn is_in(corners: &[Vector], place: &Vector) -> bool {
    let at = |index: usize| oracle(&corners[index % corners.len()]);
    let origin = OraclePoint::origin();
    let crossings = |to: &OraclePoint| {
        (0..corners.len())
            .filter(|index| edge_or_vertex_crossing(&origin, to, &at(*index), &at(index + 1)))
            .count()
            % 2
            == 1
    };
    let second = at(1);
    let is_second_in =
        s2::point::ordered_ccw(&oracle(&across(&corners[1])), &at(0), &at(2), &second);
    let is_origin_in = is_second_in != crossings(&second);
    crossings(&oracle(place)) != is_origin_in
}

/// A polygon with up to two holes, or all outside of one, and its rings as they were made.
fn polygon(random: &mut Random, center: &Vector, reach: f64) -> Polygon {
    let count = match random.below(8) {
        0 => 200,
        _ => 3 + random.below(20),
    };
    let mut corners = star(random, center, reach, count.max(4));
    if random.below(2) == 0 {
        corners.reverse();
    }
    let (shell, _) = Ring::new(corners);
    let mut polygon = Polygon::of(shell);
    if random.below(3) == 0 && reach < 1.0 {
        // Within the smallest radius of a star, which edges cut off in part.
        let hole = star(random, center, reach * 0.08, 5);
        if Ring::new(hole.clone())
            .0
            .relation(polygon.shell(), &NoEnv)
            .is_ok_and(|relation| relation == super::ring::Relation::IsHeld)
        {
            polygon.rings.push(Ring::new(hole).0);
        }
    }
    if random.below(2) == 0 {
        polygon.prepare();
    }
    polygon
}

fn is_inside(polygon: &Polygon, place: &Vector) -> bool {
    polygon
        .rings
        .iter()
        .filter(|ring| is_in(&ring.corners, place))
        .count()
        == 1
}

fn edges(ring: &Ring) -> impl Iterator<Item = (&Vector, &Vector)> {
    (0..ring.path().count()).map(|index| ring.path().edge(index))
}

fn cross_somewhere(one: &Polygon, other: &Polygon) -> bool {
    one.rings.iter().flat_map(edges).any(|(a, b)| {
        let (p, q) = (oracle(a), oracle(b));
        other
            .rings
            .iter()
            .flat_map(edges)
            .any(|(c, d)| crossing_sign(&p, &q, &oracle(c), &oracle(d)) == Crossing::Cross)
    })
}

#[test]
fn polygons_contain_the_places_that_an_independent_count_finds() {
    let mut random = Random::new(3);
    for round in 0..1_000 {
        let center = place(&mut random);
        let reach = [1e-7, 1e-5, 1e-3, 0.2, 1.4, 2.5][round % 6];
        let polygon = polygon(&mut random, &center, reach);
        for _ in 0..20 {
            let at = match random.below(4) {
                0 => *random.pick(&polygon.shell().corners),
                1 => place(&mut random),
                _ => beside(&mut random, &center, reach * 1.2),
            };
            let expected = is_inside(&polygon, &at);
            assert_eq!(polygon.contains(&at), expected, "{round} {at:?}");
            assert!(!expected || polygon.touches(&at));
            let is_corner = polygon.rings.iter().any(|ring| ring.corners.contains(&at));
            assert!(!is_corner || polygon.touches(&at), "{round} {at:?}");
        }
    }
}

#[test]
fn polygons_lie_as_the_plainest_comparison_says() {
    let mut random = Random::new(4);
    let mut counts = [0; 3];
    for round in 0..6_000 {
        let center = place(&mut random);
        let reach = [1e-6, 1e-2, 0.3, 1.3][round % 4];
        let one = polygon(&mut random, &center, reach);
        let size = reach * [0.05, 0.1, 0.3, 1.0][random.below(4)];
        let beside = beside(&mut random, &center, reach * 1.5);
        let other = polygon(&mut random, &beside, size);
        let crossed = cross_somewhere(&one, &other);
        let first = |polygon: &Polygon| polygon.shell().corners[0];
        let any_in = |whole: &Polygon, part: &Polygon| {
            part.rings
                .iter()
                .any(|ring| is_inside(whole, &ring.corners[0]))
        };
        let meets = crossed || is_inside(&one, &first(&other)) || is_inside(&other, &first(&one));
        let holds = !crossed && is_inside(&one, &first(&other)) && !any_in(&other, &one);
        assert_eq!(one.meets(&other, &NoEnv), Ok(meets), "{round}");
        assert_eq!(other.meets(&one, &NoEnv), Ok(meets), "{round}");
        assert_eq!(one.holds(&other, &NoEnv), Ok(holds), "{round}");
        let outside = Polygon {
            strict: true,
            outside: true,
            ..Polygon::of(one.shell().clone())
        };
        let filled = Polygon::of(one.shell().clone());
        assert_eq!(
            outside.holds(&other, &NoEnv),
            Ok(!filled.meets(&other, &NoEnv).expect("asked"))
        );
        let shell = Polygon::of(other.shell().clone());
        assert_eq!(
            outside.meets(&other, &NoEnv),
            Ok(!filled.holds(&shell, &NoEnv).expect("asked"))
        );
        counts[usize::from(meets) + usize::from(holds)] += 1;
        let mut line = vec![beside];
        for _ in 0..1 + random.below(4) {
            let last = *line.last().expect("it has a place");
            line.push(super::oracle_tests::beside(&mut random, &last, size));
        }
        let path = super::polygon::open_path(&line);
        let crossed = (0..path.count()).any(|index| {
            let (a, b) = path.edge(index);
            one.rings.iter().flat_map(edges).any(|(c, d)| {
                crossing_sign(&oracle(a), &oracle(b), &oracle(c), &oracle(d)) == Crossing::Cross
            })
        });
        let starts = is_inside(&one, &line[0]);
        assert_eq!(
            one.meets_line(&line, &NoEnv),
            Ok(crossed || starts),
            "{round}"
        );
        assert_eq!(
            one.holds_line(&line, &NoEnv),
            Ok(!crossed && starts),
            "{round}"
        );
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

#[test]
fn coverings_hold_every_place_of_their_region() {
    let mut random = Random::new(5);
    for round in 0..600 {
        let center = place(&mut random);
        let reach = [1e-8, 1e-4, 0.05, 1.2][round % 4];
        let coverer = match random.below(3) {
            0 => Coverer::QUERY,
            1 => super::IndexLevels::of_version(3).coverer,
            _ => Coverer {
                coarsest: 0,
                finest: 30,
                max_cells: 1 + random.below(60),
            },
        };
        let polygon = polygon(&mut random, &center, reach);
        let line = star(&mut random, &center, reach, 4);
        let shape = Geometry {
            crs: Crs::Sphere,
            shape: Shape::Parts(Box::new(Parts {
                points: vec![beside(&mut random, &center, reach)],
                lines: vec![line.clone()],
                polygons: vec![polygon.clone()],
                is_simple: false,
            })),
        };
        let cells = cover(&shape, &coverer, &NoEnv).expect("nothing stops it");
        let is_covered = |at: &Vector| cells.iter().any(|cell| cell.holds(CellId::of_place(at)));
        assert!(
            cells.is_sorted()
                && cells
                    .windows(2)
                    .all(|pair| pair[0].range().1 < pair[1].range().0)
        );
        for _ in 0..40 {
            let at = beside(&mut random, &center, reach);
            assert!(!polygon.contains(&at) || is_covered(&at), "{round}");
            let part = random.below(3);
            let at = unit(&plus(
                &line[part],
                &plus(&line[part + 1], &line[part], -1.0),
                real(&mut random),
            ));
            assert!(is_covered(&at), "{round}");
        }
        let mut point = {
            let (longitude, latitude) = to_degrees(&center);
            Point::flat(longitude, latitude)
        };
        assert!(point.project(Crs::Sphere));
        let inner = reach * real(&mut random);
        let ring = super::Annulus::new(point, inner, reach);
        let cells = cover(&ring, &coverer, &NoEnv).expect("nothing stops it");
        for _ in 0..40 {
            let at = beside(&mut random, &point.place, reach * 1.1);
            let distance = angle(&at, &point.place);
            let is_covered = cells.iter().any(|cell| cell.holds(CellId::of_place(&at)));
            assert!(
                is_covered || distance < inner || distance > reach,
                "{round}"
            );
        }
    }
}
