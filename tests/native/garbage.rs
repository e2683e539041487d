//! Any bytes at all get a reply: commands of every kind with wrong values, and broken bytes.
//!
//! Seeded (`QUIRE_SEED`, printed); `QUIRE_CASES` sets how many. Each case runs a command built from pieces
//! that are individually plausible, half of them with some bytes changed afterwards. The reply must be
//! valid BSON with an `ok`, a failed command must leave the data as it was, and at the end every page
//! and index must check out.

use crate::support::bytes::with_bytes;
use crate::support::random::Random;
use quire::bson::extended_json::{Format, parse_document, to_string};
use quire::bson::{Document, ValueRef, validate};
use quire::command::table::NAMES;
use quire::engine::Engine;
use quire::env::native::NativeEnv;

/// Values of every type and size that operators and fields are given, as Extended JSON.
const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2.5",
    "\"\"",
    "\"a\"",
    "\"$a\"",
    "\"a.b\"",
    "\"$$ROOT\"",
    "true",
    "false",
    "null",
    "{}",
    "[]",
    "[1, 2, 3]",
    "[[1], []]",
    "{\"a\": 1}",
    "{\"a.b\": 1}",
    "{\"$a\": 1}",
    "{\"$gt\": 1}",
    "[null]",
    "[{\"a\": 1}]",
    "{\"$numberLong\": \"9223372036854775807\"}",
    "{\"$numberLong\": \"-9223372036854775808\"}",
    "{\"$numberDouble\": \"NaN\"}",
    "{\"$numberDouble\": \"Infinity\"}",
    "{\"$numberDouble\": \"-0.0\"}",
    "{\"$numberDecimal\": \"1E+6000\"}",
    "{\"$numberDecimal\": \"NaN\"}",
    "{\"$numberDecimal\": \"0.1\"}",
    "{\"$oid\": \"0123456789abcdef01234567\"}",
    "{\"$date\": {\"$numberLong\": \"9223372036854775807\"}}",
    "{\"$date\": \"2026-01-01T00:00:00Z\"}",
    "{\"$minKey\": 1}",
    "{\"$maxKey\": 1}",
    "{\"$undefined\": true}",
    "{\"$timestamp\": {\"t\": 1, \"i\": 4294967295}}",
    "{\"$symbol\": \"s\"}",
    "{\"$code\": \"1\"}",
    "{\"$regularExpression\": {\"pattern\": \"^a\", \"options\": \"i\"}}",
    "{\"$binary\": {\"base64\": \"AAEC\", \"subType\": \"00\"}}",
    "1000000",
    "-2147483648",
    "\"é漢😀\"",
    "\"\\ue0ff\"",
    "\"$a\\ue0ff\"",
    "\"é\\ue080a\"",
    "{\"$code\": \"\\ue0e2\\ue082\"}",
    "{\"$regularExpression\": {\"pattern\": \"a\\ue0ff\", \"options\": \"\"}}",
];

const FIELDS: &[&str] = &[
    "a", "a.b", "a.0", "b", "_id", "t", "x.y.z", "", "$x", "a.$", "a.$[]", "a..b",
];

fn names(table: &str) -> Vec<String> {
    let compat = include_str!("../../COMPAT.md");
    let section = compat
        .split("\n## ")
        .find(|section| section.starts_with(table))
        .unwrap_or_default();
    section
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| `")?
                .split_once('`')
                .map(|(name, _)| name.to_owned())
        })
        .collect()
}

struct Grammar {
    query: Vec<String>,
    update: Vec<String>,
    stages: Vec<String>,
    expressions: Vec<String>,
}

impl Grammar {
    fn value(&self, random: &mut Random, depth: usize) -> String {
        if depth > 0 && random.below(4) == 0 {
            return match random.below(3) {
                0 => format!(
                    "[{}, {}]",
                    self.value(random, depth - 1),
                    self.value(random, depth - 1)
                ),
                1 => self.expression(random, depth - 1),
                _ => format!(
                    "{{\"{}\": {}}}",
                    random.pick(FIELDS),
                    self.value(random, depth - 1)
                ),
            };
        }
        random.pick(VALUES).to_owned()
    }

    fn operator(names: &[String], random: &mut Random) -> String {
        names
            .get(random.below(names.len()))
            .cloned()
            .unwrap_or_default()
    }

    fn expression(&self, random: &mut Random, depth: usize) -> String {
        format!(
            "{{\"{}\": {}}}",
            Self::operator(&self.expressions, random),
            self.value(random, depth)
        )
    }

    fn filter(&self, random: &mut Random, depth: usize) -> String {
        match random.below(6) {
            0 => "{}".to_owned(),
            1 => format!(
                "{{\"{}\": {}}}",
                random.pick(FIELDS),
                self.value(random, depth)
            ),
            2 if depth > 0 => format!(
                "{{\"{}\": [{}, {}]}}",
                random.pick(&["$and", "$or", "$nor"]),
                self.filter(random, depth - 1),
                self.filter(random, depth - 1)
            ),
            3 => format!("{{\"$expr\": {}}}", self.expression(random, depth)),
            4 => format!(
                "{{\"{}\": {}}}",
                Self::operator(&self.query, random),
                self.value(random, depth)
            ),
            _ => format!(
                "{{\"{}\": {{\"{}\": {}}}}}",
                random.pick(FIELDS),
                Self::operator(&self.query, random),
                self.value(random, depth)
            ),
        }
    }

    fn update(&self, random: &mut Random) -> String {
        match random.below(5) {
            0 => self.value(random, 1),
            1 => format!(
                "[{{\"{}\": {}}}]",
                Self::operator(&self.stages, random),
                self.value(random, 1)
            ),
            2 => format!(
                "{{\"$push\": {{\"{}\": {{\"$each\": {}, \"$position\": {}, \"$slice\": {}, \"$sort\": {}}}}}}}",
                random.pick(FIELDS),
                self.value(random, 1),
                self.value(random, 0),
                self.value(random, 0),
                self.value(random, 0)
            ),
            _ => format!(
                "{{\"{}\": {{\"{}\": {}}}}}",
                Self::operator(&self.update, random),
                random.pick(FIELDS),
                self.value(random, 1)
            ),
        }
    }

    fn stage(&self, random: &mut Random) -> String {
        let name = Self::operator(&self.stages, random);
        let argument = match (name.as_str(), random.below(3)) {
            ("$match", 0 | 1) => self.filter(random, 1),
            ("$group", 0 | 1) => format!(
                "{{\"_id\": {}, \"n\": {}}}",
                self.value(random, 1),
                self.expression(random, 1)
            ),
            ("$project" | "$addFields" | "$set", 0 | 1) => {
                format!("{{\"{}\": {}}}", random.pick(FIELDS), self.value(random, 2))
            }
            ("$lookup", 0 | 1) => {
                "{\"from\": \"c\", \"localField\": \"a\", \"foreignField\": \"_id\", \"as\": \"j\"}"
                    .to_owned()
            }
            _ => self.value(random, 2),
        };
        format!("{{\"{name}\": {argument}}}")
    }

    fn command(&self, random: &mut Random) -> String {
        let filter = self.filter(random, 2);
        match random.below(12) {
            0 => format!(
                "{{\"insert\": \"c\", \"documents\": [{{\"a\": {}, \"b\": {}}}], \"$db\": \"d\"}}",
                self.value(random, 2),
                self.value(random, 1)
            ),
            1 | 2 => format!(
                "{{\"find\": \"c\", \"filter\": {filter}, \"sort\": {{\"{}\": {}}}, \"projection\": {{\"{}\": {}}}, \"limit\": 5, \"$db\": \"d\"}}",
                random.pick(FIELDS),
                random.pick(&["1", "-1", "{}", "0"]),
                random.pick(FIELDS),
                self.value(random, 2)
            ),
            3 | 4 => format!(
                "{{\"update\": \"c\", \"updates\": [{{\"q\": {filter}, \"u\": {}, \"multi\": {}, \"upsert\": {}}}], \"$db\": \"d\"}}",
                self.update(random),
                random.pick(&["true", "false"]),
                random.pick(&["true", "false"])
            ),
            5 => format!(
                "{{\"delete\": \"c\", \"deletes\": [{{\"q\": {filter}, \"limit\": {}}}], \"$db\": \"d\"}}",
                random.pick(&["1", "1", "1", "0", "2"])
            ),
            6 => format!(
                "{{\"findAndModify\": \"c\", \"query\": {filter}, \"update\": {}, \"new\": true, \"$db\": \"d\"}}",
                self.update(random)
            ),
            7 | 8 => format!(
                "{{\"aggregate\": \"c\", \"pipeline\": [{}, {}], \"cursor\": {{}}, \"$db\": \"d\"}}",
                self.stage(random),
                self.stage(random)
            ),
            9 => format!(
                "{{\"createIndexes\": \"c\", \"indexes\": [{{\"key\": {{\"{}\": {}}}, \"name\": \"i{}\", \"{}\": {}}}], \"$db\": \"d\"}}",
                random.pick(FIELDS),
                random.pick(&["1", "-1", "\"text\"", "0", "\"hashed\"", "{}"]),
                random.below(4),
                random.pick(&[
                    "unique",
                    "sparse",
                    "expireAfterSeconds",
                    "partialFilterExpression",
                    "hidden",
                    "v"
                ]),
                self.value(random, 1)
            ),
            10 => format!(
                "{{\"explain\": {{\"find\": \"c\", \"filter\": {filter}}}, \"$db\": \"d\"}}"
            ),
            _ => {
                let (name, _) = NAMES[random.below(NAMES.len())];
                format!(
                    "{{\"{}\": {}, \"{}\": {}, \"$db\": \"{}\"}}",
                    name,
                    random.pick(&["1", "\"c\"", "\"other\"", "\"d.c\"", "{}"]),
                    random.pick(&[
                        "size", "cursor", "index", "to", "key", "query", "pipeline", "capped",
                        "filter", "max"
                    ]),
                    self.value(random, 1),
                    random.pick(&["d", "admin"])
                )
            }
        }
    }
}

#[test]
fn every_command_answers_whatever_it_is_given() {
    let seed = std::env::var("QUIRE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20_260_101);
    let cases: usize = std::env::var("QUIRE_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(40_000);
    println!("QUIRE_SEED={seed} QUIRE_CASES={cases}");
    let mut random = Random::new(seed);
    let grammar = Grammar {
        query: names("Query operators"),
        update: names("Update operators"),
        stages: names("Stages"),
        expressions: names("Expressions"),
    };
    assert!(
        grammar.query.len() > 20 && grammar.expressions.len() > 100,
        "COMPAT.md lists the names"
    );
    let env = NativeEnv::fixed(1_767_225_600_000, seed);
    let mut engine = Engine::create(&env).expect("an empty deployment opens");
    let (mut answered, mut succeeded) = (0_usize, 0_usize);
    for case in 0..cases {
        if case % 2000 == 0 {
            // A small collection to begin from, again and again.
            for text in [
                "{\"dropDatabase\": 1, \"$db\": \"d\"}",
                "{\"insert\": \"c\", \"documents\": [{\"_id\": 1, \"a\": {\"b\": 1}}, {\"_id\": 2, \"a\": [1, {\"b\": 2}]}, {\"_id\": 3, \"b\": \"x\", \"t\": {\"$date\": {\"$numberLong\": \"0\"}}}], \"$db\": \"d\"}",
            ] {
                let command = parse_document(text).expect("the text is Extended JSON");
                engine.run(command.as_bytes(), &env);
            }
        }
        let text = grammar.command(&mut random);
        // Some pieces do not fit together even as Extended JSON (a wrapper with a wrong value).
        let Ok(command) = parse_document(&text) else {
            continue;
        };
        let mut bytes = with_bytes(command.as_document()).into_bytes();
        if case % 2 == 1 {
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = random.next() as u8;
            }
        }
        let outcome = engine.run(&bytes, &env);
        assert!(
            validate(&outcome.reply).is_ok(),
            "case {case}: the reply to {text} is no BSON"
        );
        let reply = Document::from_valid_bytes(&outcome.reply);
        answered += 1;
        succeeded += usize::from(reply.get("ok").is_truthy());
        if !reply.get("ok").is_truthy() {
            assert!(
                reply.get("code").as_exact_i64().is_some()
                    && reply.get("errmsg").as_str().is_some(),
                "case {case}: {text} fails without a code: {}",
                to_string(ValueRef::Document(reply), Format::Relaxed)
            );
            assert!(
                reply.get("code").as_exact_i64() != Some(1),
                "case {case}: {text} breaks an invariant: {}",
                to_string(ValueRef::Document(reply), Format::Relaxed)
            );
        }
        if case % 500 == 499 {
            let command = parse_document("{\"validate\": \"c\", \"full\": true, \"$db\": \"d\"}")
                .expect("the text is Extended JSON");
            let outcome = engine.run(command.as_bytes(), &env);
            let reply = Document::from_valid_bytes(&outcome.reply);
            let gone = reply.get("code").as_exact_i64() == Some(26);
            assert!(
                gone || reply.get("valid").as_bool() == Some(true),
                "case {case}: {}",
                to_string(ValueRef::Document(reply), Format::Relaxed)
            );
        }
    }
    println!("{answered} answered, {succeeded} of them with ok: 1");
    assert!(
        succeeded * 20 > answered,
        "most of what is tried must not be refused out of hand"
    );
}
