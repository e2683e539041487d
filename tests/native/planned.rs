//! With any indexes, a query gives the same answer: planned, hinted and scanned.
//!
//! Seeded (`QUIRE_SEED`, printed); `QUIRE_CASES` sets how many queries. Random documents with arrays, nested
//! documents, nulls and missing fields, random sets of indexes, random filters, sorts, projections and limits;
//! the answer of a collection scan (`hint: {$natural: 1}`) is the measure, but that a covered plan reads null
//! where a field is missing, and fields in the order of the key, as the server's do. The matcher itself is held
//! against a naive one by `differential.rs`.

use crate::support::random::Random;
use quire::bson::extended_json::{Format, parse_document, to_string};
use quire::bson::{Document, DocumentBuf, ValueRef};
use quire::engine::Engine;
use quire::env::native::NativeEnv;

const PATHS: &[&str] = &["a", "b", "c", "d.x", "d.y", "e.f", "a.0", "e.f.g"];
const SCALARS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "1.5",
    "{\"$numberLong\": \"2\"}",
    "null",
    "\"x\"",
    "\"xy\"",
    "\"y\"",
    "true",
    "{\"$numberDouble\": \"NaN\"}",
    "{\"$date\": {\"$numberLong\": \"5\"}}",
    "{\"$numberDecimal\": \"1.50\"}",
    "{\"$oid\": \"0123456789abcdef01234567\"}",
    "{\"$minKey\": 1}",
    "{\"$maxKey\": 1}",
    "{}",
    "[]",
    "{\"x\": 1}",
];

/// `plain`: no arrays, which a hashed index does not take.
fn value(random: &mut Random, plain: bool) -> String {
    match random.below(8) {
        _ if plain => loop {
            let scalar = random.pick(SCALARS);
            if scalar != "[]" {
                return scalar.to_owned();
            }
        },
        0 => format!("[{}, {}]", random.pick(SCALARS), random.pick(SCALARS)),
        1 => format!("[{}]", random.pick(SCALARS)),
        2..=4 => random.below(4).to_string(),
        _ => random.pick(SCALARS).to_owned(),
    }
}

fn document(random: &mut Random, id: usize, plain: bool) -> String {
    let mut fields = vec![format!("\"_id\": {id}")];
    for name in ["a", "b", "c"] {
        if random.below(5) > 0 {
            fields.push(format!("\"{name}\": {}", value(random, plain)));
        }
    }
    if random.below(4) > 0 {
        let inner = |random: &mut Random| {
            format!(
                "{{\"x\": {}, \"y\": {}}}",
                value(random, plain),
                value(random, true)
            )
        };
        let text = match random.below(4) {
            _ if plain => inner(random),
            0 => format!("[{}, {}]", inner(random), inner(random)),
            1 => format!("[{}, 1]", inner(random)),
            _ => inner(random),
        };
        fields.push(format!("\"d\": {text}"));
    }
    if random.below(3) > 0 {
        let text = match random.below(3) {
            _ if plain => format!("{{\"f\": {}}}", value(random, true)),
            0 => format!(
                "[{{\"f\": {}}}, {{\"f\": {{\"g\": 1}}}}]",
                value(random, plain)
            ),
            1 => format!(
                "{{\"f\": [{{\"g\": {}}}, {{\"g\": {}}}]}}",
                value(random, plain),
                value(random, plain)
            ),
            _ => format!("{{\"f\": {}}}", value(random, plain)),
        };
        fields.push(format!("\"e\": {text}"));
    }
    format!("{{{}}}", fields.join(", "))
}

fn predicate(random: &mut Random, paths: &[&str]) -> String {
    let path = random.pick(paths);
    predicate_on(random, path)
}

fn predicate_on(random: &mut Random, path: &str) -> String {
    match random.below(18) {
        0..=2 => format!("{{\"{path}\": {}}}", value(random, false)),
        3 => format!(
            "{{\"$expr\": {{\"{}\": [\"${path}\", {}]}}}}",
            random.pick(&["$eq", "$gt", "$gte", "$lt", "$lte"]),
            random.pick(SCALARS)
        ),
        4 => format!(
            "{{\"d\": {{\"$elemMatch\": {{\"x\": {}, \"y\": {}}}}}}}",
            match random.below(3) {
                0 => format!("{{\"$gte\": {}, \"$lt\": 3}}", random.below(3)),
                _ => value(random, false),
            },
            random.pick(SCALARS)
        ),
        5 => format!("{{\"{path}\": {}}}", pattern(random)),
        6 => format!("{{\"{path}\": {{\"$not\": {}}}}}", pattern(random)),
        7..=8 => format!("{{\"{path}\": {{\"$not\": {}}}}}", condition(random)),
        9 => format!(
            "{{\"$nor\": [{{\"{path}\": {}}}, {{\"{}\": {}}}]}}",
            condition(random),
            random.pick(PATHS),
            condition(random)
        ),
        _ => format!("{{\"{path}\": {}}}", condition(random)),
    }
}

fn pattern(random: &mut Random) -> String {
    format!(
        "{{\"$regularExpression\": {{\"pattern\": \"{}\", \"options\": \"\"}}}}",
        random.pick(&["^x", "y", "^xy$", "^"])
    )
}

/// A random item of an `$in`, `$nin` or `$all` list.
fn member(random: &mut Random) -> String {
    match random.below(8) {
        0 => pattern(random),
        _ => operand(random),
    }
}

/// A value with which a field is compared: often one that is compared unlike others.
fn operand(random: &mut Random) -> String {
    match random.below(8) {
        0 => random
            .pick(&["null", "null", "{\"$minKey\": 1}", "{\"$maxKey\": 1}"])
            .to_owned(),
        _ => value(random, false),
    }
}

/// The operators that one field is asked with.
fn condition(random: &mut Random) -> String {
    match random.below(14) {
        0 => format!("{{\"$eq\": {}}}", operand(random)),
        1..=2 => format!(
            "{{\"{}\": [{}, {}]}}",
            random.pick(&["$in", "$nin"]),
            member(random),
            member(random)
        ),
        3 => format!(
            "{{\"$gte\": {}, \"$lt\": {}}}",
            random.below(3),
            random.below(5)
        ),
        4..=6 => format!(
            "{{\"{}\": {}}}",
            random.pick(&["$gt", "$gte", "$lt", "$lte"]),
            operand(random)
        ),
        7 => format!("{{\"$ne\": {}}}", operand(random)),
        8 => format!("{{\"$exists\": {}}}", random.pick(&["true", "false"])),
        9 => format!(
            "{{\"$type\": \"{}\"}}",
            random.pick(&[
                "number", "string", "null", "array", "object", "bool", "minKey"
            ])
        ),
        10 => "{\"$elemMatch\": {\"$gte\": 1, \"$lt\": 3}}".to_owned(),
        11 => format!("{{\"$mod\": [2, {}]}}", random.below(2)),
        12 => format!("{{\"$all\": [{}, {}]}}", member(random), member(random)),
        _ => format!("{{\"$size\": {}}}", random.below(3)),
    }
}

/// `paths` are those asked for, each as often as it stands there.
fn filter(random: &mut Random, paths: &[&str]) -> String {
    match random.below(6) {
        0 | 1 => predicate(random, paths),
        2 => format!(
            "{{\"$and\": [{}, {}]}}",
            predicate(random, paths),
            predicate(random, paths)
        ),
        3 if random.below(2) == 0 => {
            let path = random.pick(paths);
            format!(
                "{{\"$or\": [{}, {}, {}]}}",
                predicate_on(random, path),
                predicate_on(random, path),
                predicate(random, paths)
            )
        }
        3 => format!(
            "{{\"$or\": [{}, {}]}}",
            predicate(random, paths),
            predicate(random, paths)
        ),
        4 => format!(
            "{{\"$and\": [{}, {{\"$or\": [{}, {{\"$and\": [{}, {}]}}]}}]}}",
            predicate(random, paths),
            predicate(random, paths),
            predicate(random, paths),
            predicate(random, paths)
        ),
        _ => format!(
            "{{\"$and\": [{}, {}, {}]}}",
            predicate(random, paths),
            predicate(random, paths),
            predicate(random, paths)
        ),
    }
}

fn index(random: &mut Random) -> String {
    match random.below(8) {
        0 => return hashed_index(random),
        1 => return wildcard_index(random),
        _ => {}
    }
    let mut paths = Vec::new();
    for _ in 0..=random.below(3) {
        let path = random.pick(PATHS);
        if !paths.iter().any(|(known, _)| *known == path) {
            paths.push((path, if random.below(2) == 0 { 1 } else { -1 }));
        }
    }
    let pattern: Vec<String> = paths
        .iter()
        .map(|(path, direction)| format!("\"{path}\": {direction}"))
        .collect();
    let option = match random.below(6) {
        0 => ", \"sparse\": true".to_owned(),
        1 => format!(
            ", \"partialFilterExpression\": {{\"{}\": {{\"$gte\": 1}}}}",
            random.pick(&["a", "b", "c"])
        ),
        _ => String::new(),
    };
    let name: Vec<String> = paths
        .iter()
        .map(|(path, direction)| format!("{path}_{direction}"))
        .collect();
    format!(
        "{{\"key\": {{{}}}, \"name\": \"{}\"{option}}}",
        pattern.join(", "),
        name.join("_")
    )
}

fn hashed_index(random: &mut Random) -> String {
    let path = random.pick(&["a", "b", "d.x", "e.f"]);
    let key = match random.below(3) {
        0 => format!("\"{path}\": \"hashed\""),
        1 => format!("\"{path}\": \"hashed\", \"c\": -1"),
        _ => format!("\"c\": 1, \"{path}\": \"hashed\", \"d.y\": 1"),
    };
    let option = random.pick(&["", "", ", \"sparse\": true"]);
    format!("{{\"key\": {{{key}}}, \"name\": \"hashed\"{option}}}")
}

const WILDCARDS: &[(&str, &str)] = &[
    ("\"$**\": 1", ""),
    (
        "\"$**\": -1",
        ", \"wildcardProjection\": {\"a\": 1, \"d.x\": 1, \"e.f\": 1}",
    ),
    (
        "\"$**\": 1",
        ", \"wildcardProjection\": {\"a\": 0, \"d.x\": 0}",
    ),
    ("\"d.$**\": 1", ""),
    (
        "\"$**\": 1",
        ", \"partialFilterExpression\": {\"b\": {\"$gte\": 1}}",
    ),
    ("\"c\": 1, \"d.$**\": -1", ""),
    (
        "\"c\": -1, \"$**\": 1, \"b\": 1",
        ", \"wildcardProjection\": {\"b\": 0, \"c\": 0}",
    ),
];

fn wildcard_index(random: &mut Random) -> String {
    let (key, option) = WILDCARDS[random.below(WILDCARDS.len())];
    format!("{{\"key\": {{{key}}}, \"name\": \"wildcard\"{option}}}")
}

struct Shop {
    engine: Engine,
    env: NativeEnv,
}

impl Shop {
    fn run(&mut self, text: &str) -> DocumentBuf {
        let command = parse_document(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let outcome = self.engine.run(command.as_bytes(), &self.env);
        DocumentBuf::from_valid_bytes(outcome.reply)
    }

    /// The documents of a find as text, in order, or its error code.
    fn find(&mut self, text: &str) -> Result<Vec<String>, i64> {
        let reply = self.run(text);
        if let Some(code) = reply.get("code").as_exact_i64() {
            return Err(code);
        }
        let cursor = reply.get("cursor").as_document().unwrap_or(Document::EMPTY);
        let batch = cursor
            .get("firstBatch")
            .as_array()
            .expect("a find answers with a batch");
        Ok(batch
            .iter()
            .map(|item| to_string(item, Format::Canonical))
            .collect())
    }
}

/// Rows as a covered plan gives them: the projected fields by name, null where one is missing.
fn as_covered(answer: &Result<Vec<String>, i64>, projected: &[&str]) -> Result<Vec<String>, i64> {
    let row = |text: &String| {
        let row = parse_document(text).expect("a row is Extended JSON");
        let field = |name: &&str| match row.get(name) {
            ValueRef::Missing => to_string(ValueRef::Null, Format::Canonical),
            value => to_string(value, Format::Canonical),
        };
        projected.iter().map(field).collect::<Vec<_>>().join(", ")
    };
    answer
        .as_ref()
        .map(|rows| rows.iter().map(row).collect())
        .map_err(|code| *code)
}

fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows
}

#[test]
fn every_plan_gives_the_scans_answer() {
    let seed = std::env::var("QUIRE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20_260_102);
    let cases: usize = std::env::var("QUIRE_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60_000);
    println!("QUIRE_SEED={seed} QUIRE_CASES={cases}");
    let mut random = Random::new(seed);
    let env = NativeEnv::fixed(1_767_225_600_000, seed);
    let engine = Engine::create(&env).expect("an empty deployment opens");
    let mut shop = Shop { engine, env };
    let mut names: Vec<String> = Vec::new();
    let mut paths: Vec<&str> = PATHS.to_vec();
    let mut hinted_sparse_or_partial: Vec<bool> = Vec::new();
    for case in 0..cases {
        if case % 100 == 0 {
            shop.run("{\"drop\": \"c\", \"$db\": \"d\"}");
            let plain = random.below(3) == 0;
            let documents: Vec<String> =
                (0..30).map(|id| document(&mut random, id, plain)).collect();
            shop.run(&format!(
                "{{\"insert\": \"c\", \"documents\": [{}], \"$db\": \"d\"}}",
                documents.join(", ")
            ));
            names.clear();
            paths = PATHS.to_vec();
            hinted_sparse_or_partial.clear();
            for _ in 0..4 {
                let text = index(&mut random);
                let reply = shop.run(&format!(
                    "{{\"createIndexes\": \"c\", \"indexes\": [{text}], \"$db\": \"d\"}}"
                ));
                let created = reply.get("numIndexesAfter").as_exact_i64()
                    > reply.get("numIndexesBefore").as_exact_i64();
                if created && reply.get("ok").is_truthy() {
                    // Paths that lead an index are asked for more often.
                    let leading = PATHS
                        .iter()
                        .find(|path| text.starts_with(&format!("{{\"key\": {{\"{path}\":")));
                    paths.extend(leading.into_iter().flat_map(|path| [*path; 3]));
                    let name = parse_document(&text).expect("an index is Extended JSON");
                    names.push(name.get("name").as_str().unwrap_or_default().to_owned());
                    hinted_sparse_or_partial.push(
                        text.contains("sparse") || text.contains("partial") || text.contains("$**"),
                    );
                }
            }
        }
        let filter = filter(&mut random, &paths);
        let sort = match random.below(3) {
            0 => String::new(),
            _ => format!(
                ", \"sort\": {{\"{}\": {}, \"_id\": 1}}",
                random.pick(&["a", "b", "c", "d.x", "e.f"]),
                random.pick(&["1", "-1"])
            ),
        };
        let projected: &[&str] = match random.below(3) {
            0 => &["a"],
            1 => &["b", "c"],
            _ => &[],
        };
        let projection = match projected {
            [] => String::new(),
            names => format!(
                ", \"projection\": {{\"_id\": 0, \"{}\": 1}}",
                names.join("\": 1, \"")
            ),
        };
        let window = if sort.is_empty() {
            ""
        } else {
            random.pick(&["", ", \"limit\": 3", ", \"skip\": 2, \"limit\": 5"])
        };
        let find = |hint: &str| {
            format!(
                "{{\"find\": \"c\", \"filter\": {filter}{sort}{projection}{window}{hint}, \"$db\": \"d\"}}"
            )
        };
        let expected = shop.find(&find(", \"hint\": {\"$natural\": 1}"));
        let order = |answer: Result<Vec<String>, i64>| match sort.is_empty() {
            true => answer.map(sorted),
            false => answer,
        };
        let expected = order(expected);
        let planned = order(shop.find(&find("")));
        // Now and then often enough for the plan to come from the cache.
        let planned = match random.below(8) {
            0 if planned == expected => {
                shop.run(&find(""));
                order(shop.find(&find("")))
            }
            _ => planned,
        };
        let check = |shop: &mut Shop, answer: &Result<Vec<String>, i64>, find: &str| {
            if *answer == expected {
                return;
            }
            let explain = shop.run(&format!(
                "{{\"explain\": {find}, \"verbosity\": \"queryPlanner\", \"$db\": \"d\"}}"
            ));
            let explain = to_string(ValueRef::Document(explain.as_document()), Format::Relaxed);
            let covered = |answer| order(as_covered(answer, projected));
            if explain.contains("PROJECTION_COVERED") && covered(answer) == covered(&expected) {
                return;
            }
            panic!(
                "case {case}, indexes {names:?}\n{find}\nexpected {expected:?}\nplanned  {answer:?}\n{explain}"
            );
        };
        check(&mut shop, &planned, &find(""));
        if !names.is_empty() {
            let at = random.below(names.len());
            if !hinted_sparse_or_partial[at] {
                let find = find(&format!(", \"hint\": \"{}\"", names[at]));
                let hinted = order(shop.find(&find));
                check(&mut shop, &hinted, &find);
            }
        }
        if random.below(4) > 0 {
            continue;
        }
        let count = shop.run(&format!(
            "{{\"count\": \"c\", \"query\": {filter}, \"$db\": \"d\"}}"
        ));
        let scanned = shop.run(&format!("{{\"count\": \"c\", \"query\": {filter}, \"hint\": {{\"$natural\": 1}}, \"$db\": \"d\"}}"));
        assert_eq!(
            count.get("n").as_exact_i64(),
            scanned.get("n").as_exact_i64(),
            "case {case}: count {filter}"
        );
    }
}
