//! Prepared reads against planned ones: the same commands with the plan's shape known and unknown, and by a scan of
//! the collection.

use crate::bson::testing::Random;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, extended_json};
use crate::command::topology::Topology;
use crate::engine::Engine;
use crate::planner::Reader;
use crate::planner::field_range::FieldRange;
use crate::planner::prepared::{ReadShape, known};
use crate::query::testing::TestEnv;

const VALUES: &[&str] = &[
    "1",
    "2",
    "2.5",
    "3",
    "{\"$numberLong\":\"3\"}",
    "{\"$numberDouble\":\"NaN\"}",
    "{\"$numberDouble\":\"Infinity\"}",
    "{\"$numberDecimal\":\"2.5\"}",
    "-0.0",
    "0",
    "\"\"",
    "\"x\"",
    "\"X\"",
    "\"y\"",
    "true",
    "false",
    "null",
    "{\"$date\":{\"$numberLong\":\"5\"}}",
    "{\"$oid\":\"0102030405060708090a0b0c\"}",
    "[1,3]",
    "[]",
    "[\"x\",2]",
    "{\"b\":1}",
    "{\"$minKey\":1}",
    "{\"$symbol\":\"x\"}",
];

/// Indexes of a collection and whether some finds of `a` in no order but its own become prepared reads.
const INDEXES: &[(&str, bool)] = &[
    (r#"{"key":{"a":1},"name":"a"}"#, true),
    (r#"{"key":{"a":-1},"name":"a"}"#, true),
    (r#"{"key":{"a":1},"name":"a","sparse":true}"#, true),
    (
        r#"{"key":{"a":1},"name":"a"},{"key":{"b":1,"a":1},"name":"b"}"#,
        true,
    ),
    (r#"{"key":{"a":1,"b":1},"name":"ab"}"#, true),
    (
        r#"{"key":{"a":1},"name":"a"},{"key":{"a":1,"b":1},"name":"b"}"#,
        false,
    ),
    (r#"{"key":{"a":1},"name":"a","hidden":true}"#, false),
    (
        r#"{"key":{"a":1},"name":"a"},{"key":{"$**":1},"name":"w"}"#,
        false,
    ),
    (r#"{"key":{"a":"hashed"},"name":"a"}"#, false),
    (
        r#"{"key":{"a":1},"name":"a","partialFilterExpression":{"a":{"$gt":1}}}"#,
        false,
    ),
];

fn reply(engine: &mut Engine, command: &str) -> DocumentBuf {
    let command = extended_json::parse_document(command).expect("the test's JSON is valid");
    let mut builder = DocumentBuilder::new();
    builder.append_all(command.as_document()).append("$db", "d");
    DocumentBuf::from_valid_bytes(engine.run(builder.finish().as_bytes(), &TestEnv).reply)
}

/// The server's counts of keys and documents examined, and of documents returned.
fn counts(engine: &mut Engine) -> [i64; 3] {
    let status = reply(engine, r#"{"serverStatus":1}"#);
    [
        ["queryExecutor", "scanned"],
        ["queryExecutor", "scannedObjects"],
        ["document", "returned"],
    ]
    .map(|[group, name]| {
        let metrics = status
            .get("metrics")
            .as_document()
            .unwrap_or(Document::EMPTY);
        let group = metrics.get(group).as_document().unwrap_or(Document::EMPTY);
        group.get(name).as_exact_i64().expect("the count is there")
    })
}

/// The documents of all batches of a find, with how many each batch has, and by how much the command raised the counts.
fn answer(engine: &mut Engine, command: &str) -> (Vec<String>, Vec<usize>, [i64; 3]) {
    let before = counts(engine);
    let (mut documents, mut batches) = (Vec::new(), Vec::new());
    let mut answer = reply(engine, command);
    loop {
        let cursor = answer.get("cursor").as_document().expect("a find succeeds");
        let batch = { cursor.get("firstBatch").as_array() }.or(cursor.get("nextBatch").as_array());
        let batch = batch.expect("a cursor has a batch");
        let start = documents.len();
        documents.extend(
            batch
                .iter()
                .map(|item| extended_json::to_string(item, extended_json::Format::Canonical)),
        );
        batches.push(documents.len() - start);
        let id = cursor.get("id").as_exact_i64().expect("a cursor has an id");
        if id == 0 {
            break;
        }
        let more =
            format!(r#"{{"getMore":{{"$numberLong":"{id}"}},"collection":"c","batchSize":3}}"#);
        answer = reply(engine, &more);
    }
    let after = counts(engine);
    (
        documents,
        batches,
        [0, 1, 2].map(|at| after[at] - before[at]),
    )
}

/// A collection of sixty documents with random values of `a`, and indexes.
fn filled(indexes: &str, scalars: bool, random: &mut Random) -> Engine {
    let mut engine = Engine::create(&TestEnv).expect("an empty deployment opens");
    // Its replies have no times, which are others in each engine.
    engine.set_topology(Topology::Standalone);
    reply(
        &mut engine,
        &format!(r#"{{"createIndexes":"c","indexes":[{indexes}]}}"#),
    );
    let documents: Vec<String> = (0..60)
        .map(|number| {
            loop {
                let value = pick(random, VALUES);
                if !scalars || !value.starts_with('[') {
                    break format!(r#"{{"_id":{number},"a":{value},"b":{number}}}"#);
                }
            }
        })
        .collect();
    reply(
        &mut engine,
        &format!(r#"{{"insert":"c","documents":[{}]}}"#, documents.join(",")),
    );
    engine
}

fn pick(random: &mut Random, values: &[&'static str]) -> &'static str {
    values[(random.next_u64() % values.len() as u64) as usize]
}

fn filter(random: &mut Random) -> String {
    match pick(random, &["=", "[", "[", "<", ">"]) {
        "=" => pick(random, VALUES).to_owned(),
        "<" => format!(
            r#"{{"{}":{}}}"#,
            pick(random, &["$lt", "$lte"]),
            pick(random, VALUES)
        ),
        ">" => format!(
            r#"{{"{}":{}}}"#,
            pick(random, &["$gt", "$gte"]),
            pick(random, VALUES)
        ),
        _ => format!(
            r#"{{"{}":{},"{}":{}}}"#,
            pick(random, &["$gt", "$gte"]),
            pick(random, VALUES),
            pick(random, &["$lt", "$lte"]),
            pick(random, VALUES)
        ),
    }
}

#[test]
fn a_known_shape_answers_and_counts_as_a_plan_does() {
    let mut random = Random::new(5);
    for (indexes, may_be_known) in INDEXES {
        let mut answered = 0;
        for scalars in [true, false] {
            let mut engine = filled(indexes, scalars, &mut random);
            for _ in 0..150 {
                let filter = filter(&mut random);
                let more = pick(
                    &mut random,
                    &[
                        "",
                        r#","limit":3"#,
                        r#","limit":1"#,
                        r#","batchSize":2"#,
                        r#","limit":2,"batchSize":2"#,
                        r#","limit":5,"batchSize":2"#,
                    ],
                );
                let sort = pick(
                    &mut random,
                    &[
                        "",
                        "",
                        r#","sort":{"a":1}"#,
                        r#","sort":{"a":-1}"#,
                        r#","sort":{"b":1}"#,
                    ],
                );
                let given = pick(
                    &mut random,
                    &[
                        "",
                        "",
                        r#","projection":{"b":1}"#,
                        r#","projection":{"a":0}"#,
                        r#","projection":{"a":1,"_id":0}"#,
                    ],
                );
                let find = format!(r#"{{"find":"c","filter":{{"a":{filter}}}{more}{sort}{given}"#);
                let shaped = format!("{find}}}");
                // Variables make no difference to the plan, but such a request has no shape.
                let planned = format!("{find},\"let\":{{}}}}");
                let (wanted, wanted_batches, wanted_counts) = answer(&mut engine, &planned);
                for _ in 0..2 {
                    let (found, batches, counts) = answer(&mut engine, &shaped);
                    assert_eq!(found, wanted, "{shaped} with {indexes}");
                    assert_eq!(batches, wanted_batches, "{shaped} with {indexes}");
                    // Where there are several plans there are trial runs, which count too.
                    if *may_be_known && !sort.contains('b') {
                        assert_eq!(counts, wanted_counts, "{shaped} with {indexes}");
                    }
                }
                let parsed =
                    extended_json::parse_document(&shaped).expect("the test's JSON is valid");
                let part = |name| parsed.get(name).as_document().unwrap_or(Document::EMPTY);
                let limit = parsed.get("limit").as_exact_i64().map(|limit| limit as u64);
                let reader = match parsed.get("batchSize").is_missing() {
                    true => Reader::Query,
                    false => Reader::SizedBatches,
                };
                // One document of a value is looked up in the shortest of all indexes.
                if limit != Some(1)
                    && let Some(shape) = ReadShape::of(
                        FieldRange::of(part("filter")),
                        part("sort"),
                        part("projection"),
                        limit,
                        reader,
                    )
                    && let Some(collection) = engine.base_mut().catalog.collection("d.c")
                    && known(&shape, collection).is_some()
                {
                    answered += 1;
                }
                if !more.contains("limit") {
                    let scanned = format!("{find},\"hint\":{{\"$natural\":1}}}}");
                    let (mut all, _, _) = answer(&mut engine, &scanned);
                    let mut wanted = wanted;
                    all.sort();
                    wanted.sort();
                    assert_eq!(all, wanted, "{scanned} with {indexes}");
                }
            }
        }
        assert_eq!(answered > 20, *may_be_known, "{indexes}: {answered}");
    }
}

#[test]
fn counts_and_writes_of_known_shapes_find_what_plans_find() {
    let mut random = Random::new(11);
    for (indexes, _) in INDEXES {
        for scalars in [true, false] {
            let mut engine = filled(indexes, scalars, &mut random);
            for round in 0..60 {
                let filter = filter(&mut random);
                let scanned =
                    format!(r#"{{"count":"c","query":{{"a":{filter}}},"hint":{{"$natural":1}}}}"#);
                let wanted = reply(&mut engine, &scanned).get("n").as_exact_i64();
                let count = format!(r#"{{"count":"c","query":{{"a":{filter}}}}}"#);
                let update = format!(
                    r#"{{"update":"c","updates":[{{"q":{{"a":{filter}}},"u":{{"$set":{{"n":{round}}}}},"multi":true}}]}}"#
                );
                for command in [&count, &count, &update, &update] {
                    let found = reply(&mut engine, command).get("n").as_exact_i64();
                    assert_eq!(found, wanted, "{command} with {indexes}");
                }
                let delete = format!(
                    r#"{{"delete":"c","deletes":[{{"q":{{"a":{filter},"b":-1}},"limit":0}},{{"q":{{"a":{filter}}},"limit":1}}]}}"#
                );
                let gone = reply(&mut engine, &delete).get("n").as_exact_i64();
                assert_eq!(gone, wanted.map(|wanted| wanted.min(1)), "{delete}");
                let left = reply(&mut engine, &count).get("n").as_exact_i64();
                assert_eq!(left, wanted.map(|wanted| (wanted - 1).max(0)), "{count}");
            }
        }
    }
}

#[test]
fn pipelines_of_known_shapes_give_what_plans_give() {
    let mut random = Random::new(17);
    for (indexes, may_be_known) in INDEXES {
        for scalars in [true, false] {
            let mut engine = filled(indexes, scalars, &mut random);
            for _ in 0..60 {
                let filter = filter(&mut random);
                let rest = pick(
                    &mut random,
                    &[
                        "",
                        r#",{"$sort":{"a":1}}"#,
                        r#",{"$sort":{"a":-1}},{"$limit":3}"#,
                        r#",{"$limit":3}"#,
                        r#",{"$limit":1}"#,
                        r#",{"$skip":2}"#,
                        r#",{"$project":{"b":1}}"#,
                        r#",{"$project":{"a":1,"_id":0}}"#,
                        r#",{"$group":{"_id":null,"n":{"$sum":"$b"}}}"#,
                        r#",{"$group":{"_id":"$a","n":{"$first":"$b"}}}"#,
                        r#",{"$count":"n"}"#,
                        r#",{"$lookup":{"from":"c","localField":"a","foreignField":"a","as":"c"}}"#,
                    ],
                );
                let stages = format!(r#"[{{"$match":{{"a":{filter}}}}}{rest}]"#);
                let asked = format!(r#"{{"aggregate":"c","pipeline":{stages},"cursor":{{}}}}"#);
                reply(&mut engine, r#"{"planCacheClear":"c"}"#);
                let planned = answer(&mut engine, &asked);
                let known = answer(&mut engine, &asked);
                assert_eq!(known.0, planned.0, "{asked} with {indexes}");
                if *may_be_known {
                    assert_eq!(known.2, planned.2, "{asked} with {indexes}");
                }
                let modify = format!(
                    r#"{{"findAndModify":"c","query":{{"a":{filter}}},"update":{{"$inc":{{"n":1}}}},"fields":{{"_id":1}}}}"#
                );
                let [first, second] = [(); 2].map(|()| reply(&mut engine, &modify));
                assert_eq!(
                    first.as_bytes(),
                    second.as_bytes(),
                    "{modify} with {indexes}"
                );
            }
        }
    }
}

#[test]
fn what_was_known_is_planned_anew_when_the_indexes_change() {
    let mut engine = filled(r#"{"key":{"a":1},"name":"a"}"#, true, &mut Random::new(2));
    let find = r#"{"find":"c","filter":{"a":3},"sort":{}}"#;
    let is_known = |engine: &mut Engine| {
        let command = extended_json::parse_document(find).expect("the test's JSON is valid");
        let filter = command.get("filter").as_document().expect("it is there");
        let shape = ReadShape::of(
            FieldRange::of(filter),
            Document::EMPTY,
            Document::EMPTY,
            None,
            Reader::Query,
        );
        let collection = engine.base_mut().catalog.collection("d.c").cloned();
        known(
            &shape.expect("a point"),
            &collection.expect("it was created"),
        )
        .is_some()
    };
    for change in [
        r#"{"insert":"c","documents":[{"_id":100,"a":[3,4]}]}"#,
        r#"{"createIndexes":"c","indexes":[{"key":{"z":1},"name":"z"}]}"#,
        r#"{"collMod":"c","index":{"name":"z","hidden":true}}"#,
        r#"{"dropIndexes":"c","index":"z"}"#,
        r#"{"planCacheClear":"c"}"#,
    ] {
        let (before, ..) = answer(&mut engine, find);
        assert!(is_known(&mut engine), "before {change}");
        assert!(reply(&mut engine, change).get("ok").is_truthy(), "{change}");
        assert!(!is_known(&mut engine), "after {change}");
        let (after, ..) = answer(&mut engine, find);
        assert!(after.len() >= before.len());
    }
    let filter = r#"{"planCacheSetFilter":"c","query":{"a":3},"indexes":["_id_"]}"#;
    assert!(reply(&mut engine, filter).get("ok").is_truthy());
    let (filtered, ..) = answer(&mut engine, find);
    assert!(!is_known(&mut engine) && !filtered.is_empty());
}
