//! With any collations of its indexes, a query gives the same answer: planned, hinted and scanned.
//!
//! Seeded (`QUIRE_SEED`, printed); `QUIRE_CASES` sets how many queries. Random documents with strings that differ in
//! case and accents, in arrays and documents too, random sets of indexes with and without collations, random filters
//! and sorts; the answer of a collection scan (`hint: {$natural: 1}`) is the measure. Strings are written and taken
//! away between the queries, so that indexes grow and shrink.

use crate::support::random::Random;
use quire::bson::extended_json::{Format, parse_document, write_document};
use quire::bson::{Array, Document, ValueRef};
use quire::engine::Engine;
use quire::env::native::NativeEnv;

const COLLATIONS: &[&str] = &[
    r#"{"locale":"simple"}"#,
    r#"{"locale":"en","strength":1}"#,
    r#"{"locale":"en","strength":2}"#,
    r#"{"locale":"en"}"#,
    r#"{"locale":"de","strength":1,"caseLevel":true}"#,
    r#"{"locale":"en","strength":2,"numericOrdering":true}"#,
];
const KEYS: &[&str] = &[
    r#"{"s":1}"#,
    r#"{"s":-1}"#,
    r#"{"t":1}"#,
    r#"{"s":1,"n":1}"#,
    r#"{"n":1,"s":-1}"#,
    r#"{"d":1}"#,
    r#"{"d.s":1,"s":1}"#,
    r#"{"$**":1}"#,
    r#"{"s":"hashed"}"#,
];
const PATHS: &[&str] = &["s", "t", "d", "d.s", "n"];

fn string(random: &mut Random) -> String {
    let letters = [
        "a", "A", "b", "B", "\u{e9}", "e", "E", "\u{c9}", "10", "9", "-",
    ];
    let length = 1 + random.below(2);
    let text: String = (0..length).map(|_| random.pick(&letters)).collect();
    format!("\"{text}\"")
}

fn value(random: &mut Random) -> String {
    match random.below(10) {
        0 => random.below(3).to_string(),
        1 => "null".to_owned(),
        2 => format!("{{\"s\": {}}}", string(random)),
        _ => string(random),
    }
}

fn document(random: &mut Random, id: usize) -> String {
    let tags: Vec<String> = (0..random.below(3)).map(|_| value(random)).collect();
    let mut fields = vec![
        format!("\"_id\": {id}"),
        format!("\"n\": {}", random.below(3)),
    ];
    if random.below(6) > 0 {
        fields.push(format!("\"s\": {}", value(random)));
    }
    fields.push(match random.below(3) {
        0 => format!("\"t\": {}", string(random)),
        _ => format!("\"t\": [{}]", tags.join(", ")),
    });
    fields.push(format!("\"d\": {{\"s\": {}}}", value(random)));
    format!("{{{}}}", fields.join(", "))
}

fn predicate(random: &mut Random) -> String {
    let (path, operand) = (random.pick(PATHS), value(random));
    match random.below(9) {
        0 => format!(
            "{{\"{path}\": {{\"$in\": [{operand}, {}]}}}}",
            value(random)
        ),
        1 => format!("{{\"{path}\": {{\"$ne\": {operand}}}}}"),
        2 => format!(
            "{{\"{path}\": {{\"$gte\": {operand}, \"$lt\": {}}}}}",
            value(random)
        ),
        3 | 4 => {
            let operator = random.pick(&["$gt", "$gte", "$lt", "$lte"]);
            format!("{{\"{path}\": {{\"{operator}\": {operand}}}}}")
        }
        5 => format!("{{\"{path}\": {{\"$regex\": \"^[aAe]\"}}}}"),
        6 => format!("{{\"t\": {{\"$elemMatch\": {{\"$gt\": {operand}}}}}}}"),
        7 => format!("{{\"{path}\": {{\"$not\": {{\"$lte\": {operand}}}}}}}"),
        _ => format!("{{\"{path}\": {operand}}}"),
    }
}

fn filter(random: &mut Random) -> String {
    let (one, other) = (predicate(random), predicate(random));
    match random.below(4) {
        0 => format!("{{\"$or\": [{one}, {other}]}}"),
        1 => format!("{{\"$and\": [{one}, {other}]}}"),
        _ => one,
    }
}

struct World {
    engine: Engine,
    env: NativeEnv,
}

impl World {
    fn run(&mut self, command: &str) -> Vec<u8> {
        let parsed = parse_document(command).expect("the command is Extended JSON");
        self.engine.run(parsed.as_bytes(), &self.env).reply
    }

    fn must(&mut self, command: &str) -> Vec<u8> {
        let reply = self.run(command);
        assert!(
            text(&reply).contains("\"ok\":1.0"),
            "{command}: {}",
            text(&reply)
        );
        reply
    }

    /// The documents of a find, each as text.
    fn find(&mut self, command: &str) -> Vec<String> {
        let reply = self.must(command);
        let cursor = Document::from_valid_bytes(&reply).get("cursor");
        let batch = cursor.as_document().map(|cursor| cursor.get("firstBatch"));
        let rows = batch.and_then(ValueRef::as_array).unwrap_or(Array::EMPTY);
        let rows = rows.iter().filter_map(ValueRef::as_document);
        rows.map(|row| row.to_string()).collect()
    }
}

fn text(reply: &[u8]) -> String {
    let mut text = String::new();
    write_document(
        &mut text,
        Document::from_valid_bytes(reply),
        Format::Relaxed,
    );
    text
}

#[test]
fn plans_agree_with_scans() {
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (seed, cases) = (
        number("QUIRE_SEED", 20_261_122),
        number("QUIRE_CASES", 3000),
    );
    println!("QUIRE_SEED={seed}");
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let env = NativeEnv::fixed(1_767_225_600_000, seed);
        let engine = Engine::create(&env).expect("an empty deployment opens");
        let mut world = World { engine, env };
        let default = random.pick(COLLATIONS);
        world.must(&format!(
            r#"{{"create":"c","$db":"d","collation":{default}}}"#
        ));
        for name in 0..1 + random.below(4) {
            let (key, collation) = (random.pick(KEYS), random.pick(COLLATIONS));
            // Two of one key and collation are refused, which is as good.
            world.run(&format!(
                r#"{{"createIndexes":"c","$db":"d","indexes":[{{"key":{key},"name":"i{name}","collation":{collation}}}]}}"#
            ));
        }
        for id in 0..60 {
            let document = document(&mut random, id);
            world.run(&format!(
                r#"{{"insert":"c","$db":"d","documents":[{document}]}}"#
            ));
        }
        for _ in 0..40 {
            done += 1;
            let (filter, collation) = (filter(&mut random), random.pick(COLLATIONS));
            let sort = match random.below(3) {
                0 => r#","sort":{"s":1,"_id":1}"#,
                1 => r#","sort":{"n":1,"s":-1,"_id":1}"#,
                _ => "",
            };
            let find = format!(
                r#""find":"c","$db":"d","filter":{filter},"batchSize":1000,"collation":{collation}{sort}"#
            );
            let mut expected = world.find(&format!(r#"{{{find},"hint":{{"$natural":1}}}}"#));
            let mut found = world.find(&format!("{{{find}}}"));
            let count =
                format!(r#"{{"count":"c","$db":"d","query":{filter},"collation":{collation}}}"#);
            let counted = text(&world.must(&count));
            if sort.is_empty() {
                expected.sort();
                found.sort();
            }
            assert_eq!(found, expected, "seed {seed}: {find}");
            assert!(
                counted.contains(&format!("\"n\":{},", expected.len())),
                "seed {seed}: {count}: {counted}"
            );
            match random.below(4) {
                0 => {
                    let value = value(&mut random);
                    world.must(&format!(
                        r#"{{"update":"c","$db":"d","updates":[{{"q":{filter},"u":{{"$set":{{"s":{value}}}}},"multi":true,"collation":{collation}}}]}}"#
                    ));
                }
                1 if expected.len() < 10 => {
                    world.must(&format!(
                        r#"{{"delete":"c","$db":"d","deletes":[{{"q":{filter},"limit":0,"collation":{collation}}}]}}"#
                    ));
                }
                _ => {}
            }
        }
        let valid = text(&world.must(r#"{"validate":"c","full":true,"$db":"d"}"#));
        assert!(valid.contains("\"valid\":true"), "seed {seed}: {valid}");
    }
}
