//! Places are found the same by an index, by a scan, and by the plainest computation.
//!
//! Seeded (`QUIRE_SEED`, printed); `QUIRE_CASES` sets how many rounds. Each round asks one collection with a `2dsphere`
//! and a `2d` index for random shapes: every answer is compared with that of a collection without indexes, and for
//! points with sums of angles that share no code with the engine. Points nearer to a border than a metre are left out
//! of that comparison alone.

use crate::support::random::Random;
use quire::bson::extended_json::parse_document;
use quire::bson::{Document, DocumentBuf};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use std::f64::consts::TAU;

const DOCUMENTS: usize = 300;
const EARTH: f64 = 6_378_100.0;

struct World {
    engine: Engine,
    env: NativeEnv,
    /// Longitude and latitude of each document that is a point.
    points: Vec<Option<[f64; 2]>>,
}

impl World {
    fn run(&mut self, text: &str) -> DocumentBuf {
        let command = parse_document(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let outcome = self.engine.run(command.as_bytes(), &self.env);
        DocumentBuf::from_valid_bytes(outcome.reply)
    }

    /// The `_id`s of a cursor's documents, in order.
    fn ids(&mut self, text: &str) -> Vec<usize> {
        let reply = self.run(text);
        let cursor = reply.get("cursor").as_document().unwrap_or(Document::EMPTY);
        let batch = cursor.get("firstBatch").as_array();
        let batch = batch.unwrap_or_else(|| panic!("{text}: {:?}", reply.get("errmsg")));
        batch
            .iter()
            .map(|item| {
                let found = item.as_document().unwrap_or(Document::EMPTY);
                let id = found.get("_id").as_exact_i64();
                id.expect("each document has a number") as usize
            })
            .collect()
    }

    fn found(&mut self, collection: &str, filter: &str, extra: &str) -> Vec<usize> {
        let mut ids = self.ids(&format!(
            "{{\"find\": \"{collection}\", \"filter\": {filter}, \"batchSize\": 1000, \"$db\": \"d\"{extra}}}"
        ));
        ids.sort_unstable();
        ids
    }
}

fn real(random: &mut Random) -> f64 {
    (random.next() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A longitude and latitude within some degrees of a center, or on a whole degree.
fn near(random: &mut Random, center: [f64; 2], degrees: f64) -> [f64; 2] {
    let mut at = |from: f64, most: f64| {
        let free = from + (real(random) * 2.0 - 1.0) * degrees;
        let free = if random.below(4) == 0 {
            free.round()
        } else {
            free
        };
        free.clamp(-most, most)
    };
    [at(center[0], 180.0), at(center[1], 90.0)]
}

fn pair([x, y]: [f64; 2]) -> String {
    format!("[{x:?}, {y:?}]")
}

fn list(points: &[[f64; 2]]) -> String {
    let all: Vec<String> = points.iter().map(|point| pair(*point)).collect();
    format!("[{}]", all.join(", "))
}

/// The corners of a polygon around a center, against the clock.
fn star(random: &mut Random, center: [f64; 2], degrees: f64) -> Vec<[f64; 2]> {
    let count = 3 + random.below(8);
    (0..count)
        .map(|index| {
            let direction = TAU * (index as f64 + 0.7 * real(random)) / count as f64;
            let size = degrees * (0.4 + 0.6 * real(random));
            [
                center[0] + size * direction.cos(),
                (center[1] + size * direction.sin()).clamp(-89.5, 89.5),
            ]
        })
        .collect()
}

fn closed(corners: &[[f64; 2]]) -> String {
    let mut all = corners.to_vec();
    all.extend(corners.first());
    list(&all)
}

fn document(random: &mut Random, id: usize, center: [f64; 2]) -> (String, Option<[f64; 2]>) {
    let at = near(random, center, 25.0);
    let json = |kind: &str, coordinates: &str| {
        format!("{{\"type\": \"{kind}\", \"coordinates\": {coordinates}}}")
    };
    let size = [0.01, 1.0, 8.0][random.below(3)];
    let (value, point) = match random.below(8) {
        0..=2 => (json("Point", &pair(at)), Some(at)),
        3 => (pair(at), Some(at)),
        4 => {
            let line = [at, near(random, at, size), near(random, at, size)];
            (json("LineString", &list(&line)), None)
        }
        5 => {
            let points = [at, near(random, at, size)];
            (json("MultiPoint", &list(&points)), None)
        }
        _ => {
            let inner = [at[0].clamp(-170.0, 170.0), at[1].clamp(-80.0, 80.0)];
            let corners = closed(&star(random, inner, size));
            (json("Polygon", &format!("[{corners}]")), None)
        }
    };
    let flat = point.map_or(String::new(), |point| {
        format!(", \"flat\": {}", pair(point))
    });
    (
        format!(
            "{{\"_id\": {id}, \"at\": {value}, \"n\": {}{flat}}}",
            random.below(3)
        ),
        point,
    )
}

/// A place on the unit sphere.
fn place([longitude, latitude]: [f64; 2]) -> [f64; 3] {
    let (x, y) = (longitude.to_radians(), latitude.to_radians());
    [x.cos() * y.cos(), x.sin() * y.cos(), y.sin()]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The great-circle distance by haversines.
fn distance(one: [f64; 2], other: [f64; 2]) -> f64 {
    let half = |a: f64, b: f64| ((a - b).to_radians() / 2.0).sin().powi(2);
    let flat = one[1].to_radians().cos() * other[1].to_radians().cos();
    let sum = half(one[1], other[1]) + flat * half(one[0], other[0]);
    2.0 * sum.sqrt().min(1.0).asin()
}

/// Whether a point is inside by the angles that the corners turn around it; `None` near the border.
fn is_inside(corners: &[[f64; 2]], point: [f64; 2]) -> Option<bool> {
    let at = place(point);
    let mut turned = 0.0;
    for (index, corner) in corners.iter().enumerate() {
        let (a, b) = (place(*corner), place(corners[(index + 1) % corners.len()]));
        let normal = cross(a, b);
        let size = dot(normal, normal).sqrt();
        let is_along = dot(cross(normal, a), at) > -1e-6 && dot(cross(b, normal), at) > -1e-6;
        if is_along && (dot(normal, at) / size).abs() < 1.0 / EARTH {
            return None;
        }
        // Directions from the point, as seen along the way to it.
        let (u, v) = (cross(at, a), cross(at, b));
        turned += dot(at, cross(u, v)).atan2(dot(u, v));
    }
    Some(((turned / TAU).round() as i64) != 0)
}

fn world(random: &mut Random, center: [f64; 2]) -> World {
    let env = NativeEnv::fixed(1_767_225_600_000, 7);
    let mut world = World {
        engine: Engine::create(&env).expect("an empty deployment opens"),
        env,
        points: Vec::new(),
    };
    let mut documents = Vec::new();
    while documents.len() < DOCUMENTS {
        let (text, point) = document(random, documents.len(), center);
        // Some random polygons cross themselves; an index would refuse them.
        let probe = format!("{{\"insert\": \"probe\", \"documents\": [{text}], \"$db\": \"d\"}}");
        if documents.is_empty() {
            world.run(
                "{\"createIndexes\": \"probe\", \"indexes\": [{\"key\": {\"at\": \"2dsphere\"}, \"name\": \"s\"}], \
                 \"$db\": \"d\"}",
            );
        }
        if world.run(&probe).get("writeErrors").is_missing() {
            documents.push(text);
            world.points.push(point);
        }
    }
    let all = documents.join(", ");
    for name in ["plain", "indexed"] {
        world.run(&format!(
            "{{\"insert\": \"{name}\", \"documents\": [{all}], \"$db\": \"d\"}}"
        ));
    }
    let version = 2 + random.below(2);
    let made = world.run(&format!(
        "{{\"createIndexes\": \"indexed\", \"indexes\": [\
         {{\"key\": {{\"at\": \"2dsphere\", \"n\": 1}}, \"name\": \"sphere\", \"2dsphereIndexVersion\": {version}}}, \
         {{\"key\": {{\"flat\": \"2d\"}}, \"name\": \"flat\", \"bits\": {}}}], \"$db\": \"d\"}}",
        4 + random.below(29)
    ));
    assert_eq!(
        made.get("ok").as_number().map(|ok| ok.to_f64()),
        Some(1.0),
        "{made:?}"
    );
    world
}

/// What the plainest computation says of a document: it is found, it isn't, or it doesn't say.
type Expected<'e> = &'e dyn Fn([f64; 2]) -> Option<bool>;

fn compare(world: &mut World, filter: &str, hint: &str, expected: Expected<'_>) {
    let scanned = world.found("plain", filter, "");
    let indexed = world.found("indexed", filter, &format!(", \"hint\": \"{hint}\""));
    assert_eq!(indexed, scanned, "{filter}");
    for (id, point) in world.points.iter().enumerate() {
        if let Some(expected) = point.and_then(expected) {
            assert_eq!(scanned.contains(&id), expected, "{filter} {id} {point:?}");
        }
    }
}

fn nearest(world: &mut World, random: &mut Random, center: [f64; 2]) {
    let from = near(random, center, 30.0);
    let (low, high) = (real(random) * 5e5, 5e5 + real(random) * 3e6);
    let found = world.ids(&format!(
        "{{\"aggregate\": \"indexed\", \"pipeline\": [{{\"$geoNear\": {{\"near\": {{\"type\": \"Point\", \
         \"coordinates\": {}}}, \"key\": \"at\", \"distanceField\": \"d\", \"minDistance\": {low:?}, \
         \"maxDistance\": {high:?}}}}}], \"cursor\": {{\"batchSize\": 1000}}, \"$db\": \"d\"}}",
        pair(from)
    ));
    let mut last = 0.0;
    for id in &found {
        if let Some(point) = world.points[*id] {
            let away = distance(from, point) * EARTH;
            assert!(
                (low - 0.01..=high + 0.01).contains(&away),
                "{from:?} {point:?}"
            );
            assert!(away >= last - 0.01, "{from:?} {point:?}");
            last = away;
        }
    }
    for (id, point) in world.points.iter().enumerate() {
        if let Some(point) = point {
            let away = distance(from, *point) * EARTH;
            let is_in = (low + 0.01..high - 0.01).contains(&away);
            assert!(
                !is_in || found.contains(&id),
                "{from:?} {point:?} {low} {high}"
            );
        }
    }
}

#[test]
fn indexes_scans_and_plain_sums_find_the_same_places() {
    let seed = std::env::var("QUIRE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0x9E0);
    let cases = std::env::var("QUIRE_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(12);
    println!("QUIRE_SEED={seed}");
    let mut random = Random::new(seed);
    for center in [[8.0, 47.0], [178.0, -10.0], [30.0, 84.0]] {
        let mut world = world(&mut random, center);
        for _ in 0..cases {
            let middle = near(&mut random, center, 20.0);
            let degrees = [0.2, 3.0, 20.0][random.below(3)];
            let inner = [middle[0].clamp(-155.0, 155.0), middle[1].clamp(-65.0, 65.0)];
            let corners = star(&mut random, inner, degrees);
            let polygon = format!(
                "{{\"$geometry\": {{\"type\": \"Polygon\", \"coordinates\": [{}]}}}}",
                closed(&corners)
            );
            let inside = |point: [f64; 2]| is_inside(&corners, point);
            for operator in ["$geoWithin", "$geoIntersects"] {
                let filter = format!("{{\"at\": {{\"{operator}\": {polygon}}}}}");
                compare(&mut world, &filter, "sphere", &inside);
            }
            let both = format!("{{\"at\": {{\"$geoWithin\": {polygon}}}, \"n\": 1}}");
            compare(&mut world, &both, "sphere", &|_| None);
            let end = near(&mut random, middle, degrees);
            let line = list(&[middle, end]);
            let crossed = format!(
                "{{\"at\": {{\"$geoIntersects\": {{\"$geometry\": {{\"type\": \"LineString\", \
                 \"coordinates\": {line}}}}}}}}}"
            );
            if middle != end {
                compare(&mut world, &crossed, "sphere", &|_| None);
            }
            let radius = (real(&mut random) * degrees).to_radians();
            let cap = format!(
                "{{\"$geoWithin\": {{\"$centerSphere\": [{}, {radius:?}]}}}}",
                pair(middle)
            );
            let in_cap = |point: [f64; 2]| {
                let away = distance(middle, point) - radius;
                (away.abs() > 1.0 / EARTH).then_some(away < 0.0)
            };
            compare(&mut world, &format!("{{\"at\": {cap}}}"), "sphere", &in_cap);
            compare(&mut world, &format!("{{\"flat\": {cap}}}"), "flat", &in_cap);
            let other = near(&mut random, middle, degrees);
            let in_box = |point: [f64; 2]| {
                Some((0..2).all(|axis| {
                    let (a, b) = (middle[axis], other[axis]);
                    a.min(b) <= point[axis] && point[axis] <= a.max(b)
                }))
            };
            let area = format!(
                "{{\"$geoWithin\": {{\"$box\": {}}}}}",
                list(&[middle, other])
            );
            compare(
                &mut world,
                &format!("{{\"flat\": {area}}}"),
                "flat",
                &in_box,
            );
            let circle = format!(
                "{{\"flat\": {{\"$geoWithin\": {{\"$center\": [{}, {degrees:?}]}}}}}}",
                pair(middle)
            );
            let in_circle = |point: [f64; 2]| {
                let away = (point[0] - middle[0]).hypot(point[1] - middle[1]) - degrees;
                (away.abs() > 1e-9).then_some(away < 0.0)
            };
            compare(&mut world, &circle, "flat", &in_circle);
            let flat = format!(
                "{{\"flat\": {{\"$geoWithin\": {{\"$polygon\": {}}}}}}}",
                list(&corners)
            );
            compare(&mut world, &flat, "flat", &|_| None);
            nearest(&mut world, &mut random, center);
        }
    }
}
