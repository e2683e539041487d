//! A time series answers as a plain collection beside it does: the same measurements, queries, deletes and changes of
//! the meta field. And it needs a fifth of the pages at most.
//!
//! Seeded (`QUIRE_SEED`, printed); `QUIRE_CASES` sets how many steps.

use crate::support::random::Random;
use crate::support::stored::{done, first_batch, host, number};
use bson::{Bson, DateTime, Document, doc, oid::ObjectId};
use quire::engine::Engine;
use quire::env::native::NativeEnv;

struct Pair {
    engine: Engine,
    env: NativeEnv,
}

impl Pair {
    fn new() -> Self {
        let env = host();
        let mut engine = Engine::create(&env).expect("an empty deployment opens");
        let options = doc! { "timeField": "t", "metaField": "m" };
        done(
            &mut engine,
            &env,
            &doc! { "create": "series", "timeseries": options, "$db": "d" },
        );
        Self { engine, env }
    }

    fn run(&mut self, command: &Document) -> Document {
        let mut command = command.clone();
        command.insert("$db", "d");
        done(&mut self.engine, &self.env, &command)
    }

    /// Runs a command on both; `name` is its first field.
    fn both(&mut self, name: &str, rest: &Document) -> [Document; 2] {
        ["series", "plain"].map(|collection| {
            let mut command = doc! { name: collection };
            command.extend(rest.clone());
            self.run(&command)
        })
    }

    fn answers_alike(&mut self, name: &str, rest: &Document) {
        // As text: NaN is not equal to itself.
        let shown = |reply: Document| -> Vec<String> {
            let all = first_batch(&reply).iter();
            all.map(|one| format!("{:?}", sorted(one))).collect()
        };
        let answers = self.both(name, rest).map(shown);
        let differs = answers[0]
            .iter()
            .zip(&answers[1])
            .find(|(one, other)| one != other);
        let lengths = (answers[0].len(), answers[1].len());
        assert!(
            answers[0] == answers[1],
            "{name} {rest}: {lengths:?}, {differs:?}"
        );
    }
}

/// A value with the fields of its documents in the order of their names.
fn sorted(value: &Bson) -> Bson {
    match value {
        Bson::Document(fields) => {
            let mut fields: Vec<_> = fields
                .iter()
                .map(|(name, value)| (name.clone(), sorted(value)))
                .collect();
            fields.sort_by(|left, right| left.0.cmp(&right.0));
            Bson::Document(fields.into_iter().collect())
        }
        other => other.clone(),
    }
}

const HOUR: i64 = 3_600_000;

fn time(random: &mut Random) -> DateTime {
    let hours = random.below(30) as i64 * HOUR;
    DateTime::from_millis(hours + random.below(HOUR as usize) as i64 - 10 * HOUR)
}

fn meta(random: &mut Random) -> Bson {
    match random.below(6) {
        0 => Bson::Null,
        1 => Bson::Document(doc! { "a": random.below(2) as i32, "b": "x" }),
        2 => Bson::Array(vec![Bson::Int32(1), Bson::Int32(random.below(2) as i32)]),
        _ => Bson::String(random.pick(&["left", "right"]).to_owned()),
    }
}

fn value(random: &mut Random) -> Bson {
    match random.below(12) {
        0 => Bson::Null,
        1 => Bson::String(random.pick(&["x", "y"]).to_owned()),
        2 => Bson::Array(vec![Bson::Int32(random.below(9) as i32), Bson::Double(2.5)]),
        3 => Bson::Document(doc! { "x": random.below(5) as i32 }),
        4 => Bson::Double(f64::NAN),
        5 => Bson::Int64(1 << 60),
        6 => Bson::Boolean(true),
        7 => Bson::DateTime(time(random)),
        _ => Bson::Double(random.below(1000) as f64 / 10.0),
    }
}

fn measurement(random: &mut Random, id: i64) -> Document {
    let mut fields = doc! { "_id": id, "t": time(random) };
    if random.below(5) > 0 {
        fields.insert("m", meta(random));
    }
    for name in ["v", "w"] {
        if random.below(4) > 0 {
            fields.insert(name, value(random));
        }
    }
    if random.below(3) > 0 {
        fields.insert("x", random.below(9) as i32);
    }
    fields
}

fn predicate(random: &mut Random) -> Document {
    let operator = random
        .pick(&["$gt", "$gte", "$lt", "$lte", "$eq", "$ne"])
        .to_owned();
    match random.below(10) {
        9 => doc! { "x": { operator: random.below(9) as i32 } },
        0 | 1 => doc! { "t": { operator: time(random) } },
        2 => doc! { "m": meta(random) },
        3 => doc! { "m.a": { operator: 1 } },
        4 => doc! { "v.x": { operator: random.below(5) as i32 } },
        5 => doc! { "v": { "$in": [value(random), value(random)] } },
        6 => doc! { "$or": [{ "v": { operator: value(random) } }, { "m": meta(random) }] },
        7 => doc! { "w": { "$exists": random.below(2) == 0 } },
        _ => doc! { "v": { operator: value(random) } },
    }
}

fn filter(random: &mut Random) -> Document {
    match random.below(3) {
        0 => doc! { "$and": [predicate(random), predicate(random)] },
        _ => predicate(random),
    }
}

#[test]
fn a_series_answers_as_a_plain_collection() {
    let seed = std::env::var("QUIRE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(5);
    let cases = std::env::var("QUIRE_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(400);
    println!("QUIRE_SEED={seed}");
    let random = &mut Random::new(seed);
    let mut pair = Pair::new();
    let mut next = 0;
    for step in 0..cases {
        let filter = filter(random);
        let order = doc! { "_id": 1 };
        match random.below(10) {
            0..=2 => {
                let count = random.below(30) as i64 + 1;
                let documents: Vec<Document> = (next..next + count)
                    .map(|id| measurement(random, id))
                    .collect();
                next += count;
                for reply in pair.both("insert", &doc! { "documents": documents }) {
                    assert_eq!(number(&reply, "n"), count);
                }
            }
            3 if step % 3 == 0 => {
                let deletes = vec![doc! { "q": filter.clone(), "limit": 0 }];
                let counts = pair.both("delete", &doc! { "deletes": deletes });
                assert_eq!(
                    number(&counts[0], "n"),
                    number(&counts[1], "n"),
                    "delete {filter}"
                );
            }
            4 => {
                let query = doc! { "m": "left" };
                let change = doc! { "$set": { "m": random.pick(&["right", "left"]) } };
                let updates = vec![doc! { "q": query, "u": change, "multi": true }];
                let counts = pair.both("update", &doc! { "updates": updates });
                assert_eq!(number(&counts[0], "n"), number(&counts[1], "n"));
            }
            5 => {
                let stages = vec![
                    doc! { "$match": filter },
                    doc! { "$group": { "_id": "$m", "low": { "$min": "$w" }, "high": { "$max": "$t" }, "n": { "$sum": 1 } } },
                    doc! { "$sort": { "_id": 1 } },
                ];
                pair.answers_alike(
                    "aggregate",
                    &doc! { "pipeline": stages, "cursor": { "batchSize": 9999 } },
                );
            }
            6 => {
                let sort = doc! { "t": if random.below(2) == 0 { 1 } else { -1 }, "_id": 1 };
                let limit = random.below(20) as i32;
                pair.answers_alike(
                    "find",
                    &doc! { "filter": filter, "sort": sort, "limit": limit, "batchSize": 9999 },
                );
            }
            7 => {
                let key = random.pick(&["x", "m.a"]).to_owned();
                let index = doc! { "key": { key.clone(): 1 }, "name": key };
                pair.both("createIndexes", &doc! { "indexes": [index] });
            }
            _ => pair.answers_alike(
                "find",
                &doc! { "filter": filter, "sort": order, "batchSize": 9999 },
            ),
        }
    }
    let checked = pair.both("validate", &doc! {});
    assert!(
        checked
            .iter()
            .all(|reply| matches!(reply.get("valid"), Some(Bson::Boolean(true))))
    );
}

#[test]
fn a_series_needs_a_fifth_of_the_pages() {
    let mut pair = Pair::new();
    let random = &mut Random::new(1);
    let mut readings = [0_i64; 20];
    for batch in 0..40_i64 {
        let documents: Vec<Document> = (0..1000_i64)
            .map(|at| {
                let (minute, sensor) = (batch * 50 + at / 20, (at % 20) as usize);
                readings[sensor] += random.below(21) as i64 - 10;
                let mut id = [7; 12];
                id[..4].copy_from_slice(&(1_700_000_000 + batch as u32).to_be_bytes());
                id[9..].copy_from_slice(&(at as u32).to_be_bytes()[1..]);
                doc! {
                    "_id": ObjectId::from_bytes(id),
                    "t": DateTime::from_millis(minute * 60_000),
                    "m": format!("sensor-{sensor}"),
                    "temp": 20.0 + readings[sensor] as f64 / 100.0,
                    "humidity": (40 + random.below(20)) as i32,
                }
            })
            .collect();
        pair.both("insert", &doc! { "documents": documents });
    }
    let sizes = pair
        .both("collStats", &doc! {})
        .map(|reply| number(&reply, "totalSize"));
    println!(
        "{} bytes of buckets, {} bytes of documents",
        sizes[0], sizes[1]
    );
    assert!(sizes[0] * 5 <= sizes[1], "{sizes:?}");
}
