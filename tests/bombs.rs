//! Commands that ask for more than any memory: each ends with a code, holds a bounded amount of memory on its way, and
//! leaves the engine and its data as they were.
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/counted.rs"]
mod counted;

use counted::{Counted, json, numbers};
use quire::bson::{DocumentBuf, DocumentBuilder};

/// The most bytes that a command may hold at once beside the stored ones: an array at its bound, while it moves to
/// larger memory, and a document that it is copied into; each of some dozen stages keeps the row that it made last.
const MOST_HELD: usize = 1000 << 20;
/// How many documents collection `many` has.
const MANY: i32 = 110;

const MEGABYTE: usize = 1 << 20;

/// `c` has one document: a long string, a long text, a list. `many` has documents that lead to each other.
fn engine() -> Counted {
    let mut engine = Counted::new();
    let mut document = DocumentBuilder::new();
    document
        .append("_id", 1)
        .append("pad", "x".repeat(MEGABYTE).as_str())
        .append("words", "a ".repeat(MEGABYTE / 8).as_str())
        .append("list", &numbers(0..2000))
        .append("n", 1);
    engine.insert("c", std::iter::once(document.finish()));
    let mut long_name = DocumentBuilder::new();
    long_name.append(&"f".repeat(MEGABYTE), &numbers(0..2000));
    engine.insert("named", [long_name.finish()]);
    engine
}

fn link(number: i32) -> DocumentBuf {
    let mut document = DocumentBuilder::new();
    document
        .append("_id", number)
        .append("next", number + 1)
        .append("text", format!("{number}{}", "y".repeat(MEGABYTE)).as_str());
    document.finish()
}

/// A stage, again and again.
fn again(times: usize, stage: &str) -> String {
    format!("[{}]", vec![stage; times].join(", "))
}

fn aggregate(pipeline: &str) -> String {
    format!("{{'aggregate': 'c', 'pipeline': {pipeline}, 'cursor': {{}}}}")
}

/// A projection of `c` that is one expression.
fn project(expression: &str) -> String {
    aggregate(&format!("[{{'$project': {{'x': {expression}}}}}]"))
}

fn update(update: &str) -> String {
    format!("{{'update': 'c', 'updates': [{{'q': {{}}, 'u': {update}}}]}}")
}

/// Thirty strings of a megabyte, no two of them the same.
const OF_STRINGS: &str = "{'$map': {'input': {'$slice': ['$list', 30]}, 'in': {'$concat': ['$pad', {'$toString': {'$rand': {}}}]}}}";

/// A document that gets a number of fields of ten megabytes, one around the other.
fn set_fields(count: usize) -> String {
    let value = "{'$map': {'input': {'$slice': ['$list', 10]}, 'in': '$pad'}}";
    (0..count).fold("{}".to_owned(), |input, number| {
        format!("{{'$setField': {{'field': 'f{number}', 'input': {input}, 'value': {value}}}}}")
    })
}

/// Commands that would take all memory, each with the code that it ends with.
fn bombs() -> Vec<(String, i32)> {
    let doubled = "{'$set': {'pad': {'$concat': ['$pad', '$pad']}}}";
    let forty = vec!["'$pad'"; 40].join(", ");
    let mut nested = "{'$concat': ['$$v', '$$v']}".to_owned();
    for _ in 0..24 {
        nested = format!(
            "{{'$let': {{'vars': {{'v': {{'$concat': ['$$v', '$$v']}}}}, 'in': {nested}}}}}"
        );
    }
    let wide = "w".repeat(100_000);
    let mut all: Vec<(String, i32)> = [
        // Strings.
        (aggregate(&again(24, doubled)), 16493),
        (project(&format!("{{'$concat': [{forty}]}}")), 16493),
        (project(&format!("{{'$strLenBytes': {{'$concat': [{forty}]}}}}")), 16493),
        (project("{'$replaceAll': {'input': '$words', 'find': 'a', 'replacement': '$pad'}}"), 16493),
        (project("{'$replaceAll': {'input': '$words', 'find': '', 'replacement': '$words'}}"), 16493),
        (aggregate(&again(24, "{'$set': {'pad': {'$replaceOne': {'input': '$pad', 'find': 'x', 'replacement': '$pad'}}}}")), 16493),
        (project("{'$reduce': {'input': '$list', 'initialValue': '$pad', 'in': {'$concat': ['$$value', '$$value']}}}"), 16493),
        (project("{'$reduce': {'input': '$list', 'initialValue': '', 'in': {'$concat': ['$$value', '$pad']}}}"), 16493),
        (project("{'$reduce': {'input': '$list', 'initialValue': '', 'in': {'$concat': ['$pad', '$$value']}}}"), 16493),
        (project(&format!("{{'$let': {{'vars': {{'v': '$pad'}}, 'in': {nested}}}}}")), 16493),
        // Arrays.
        (project("{'$reduce': {'input': '$list', 'initialValue': [1], 'in': {'$concatArrays': ['$$value', '$$value']}}}"), 146),
        (project("{'$reduce': {'input': '$list', 'initialValue': [], 'in': {'$concatArrays': ['$$value', ['$pad']]}}}"), 146),
        (project("{'$reduce': {'input': '$list', 'initialValue': [1], 'in': ['$$value', '$$value', '$pad']}}"), 10334),
        (aggregate(&again(30, "{'$set': {'list': {'$concatArrays': ['$list', '$list']}}}")), 146),
        (aggregate(&again(24, "{'$set': {'list': ['$list', '$list', '$pad']}}")), 10334),
        (project(&format!("[{}]", vec!["{'$concat': ['$pad', '$pad', '$pad']}"; 60].join(", "))), 10334),
        (project("{'$map': {'input': '$list', 'in': '$pad'}}"), 146),
        (project("{'$size': {'$map': {'input': '$list', 'in': '$$ROOT'}}}"), 146),
        (project("{'$map': {'input': '$list', 'in': {'$range': [0, {'$add': ['$n', 100000]}]}}}"), 146),
        (project("{'$zip': {'inputs': ['$list', []], 'useLongestLength': true, 'defaults': [0, '$pad']}}"), 146),
        (project(&format!("{{'$zip': {{'inputs': [{}]}}}}", vec!["{'$map': {'input': {'$slice': ['$list', 4]}, 'in': '$pad'}}"; 40].join(", "))), 146),
        (project("{'$range': [0, 2147483647]}"), 146),
        (project("{'$range': ['$n', 2147483647]}"), 146),
        (project("{'$map': {'input': '$list', 'in': {'$split': ['$words', ' ']}}}"), 146),
        (project("{'$map': {'input': '$list', 'in': {'$regexFindAll': {'input': {'$substrBytes': ['$words', 0, 20000]}, 'regex': 'a'}}}}"), 146),
        (project("{'$map': {'input': '$list', 'in': {'$objectToArray': '$$ROOT'}}}"), 146),
        (project("{'$map': {'input': '$list', 'in': {'$reverseArray': {'$setUnion': [['$pad'], '$list']}}}}"), 146),
        (project("{'$sortArray': {'input': {'$map': {'input': '$list', 'in': '$pad'}}, 'sortBy': 1}}"), 146),
        // Documents.
        (aggregate(&again(24, "{'$set': {'root': '$$ROOT'}}")), 10334),
        (aggregate(&again(24, "{'$replaceWith': {'a': '$$ROOT', 'b': '$$ROOT'}}")), 10334),
        (aggregate(&again(24, "{'$replaceWith': {'$mergeObjects': ['$$ROOT', {'root': '$$ROOT'}]}}")), 10334),
        (aggregate(&again(24, "{'$replaceWith': {'$setField': {'field': 'root', 'input': '$$ROOT', 'value': '$$ROOT'}}}")), 10334),
        (project("{'$arrayToObject': {'$map': {'input': '$list', 'in': {'k': {'$toString': '$$this'}, 'v': '$pad'}}}}"), 146),
        (project("{'$reduce': {'input': '$list', 'initialValue': {}, 'in': {'$mergeObjects': ['$$value', {'$arrayToObject': [[[{'$toString': '$$this'}, '$pad']]]}]}}}"), 10334),
        (aggregate("[{'$set': {'list.x': '$pad'}}]"), 10334),
        (project(&set_fields(12)), 10334),
        (project(&format!("{{'$size': {{'$setUnion': [{}]}}}}", [OF_STRINGS; 5].join(", "))), 146),
        (project(&format!("{{'$size': {{'$setDifference': [{{'$concatArrays': [{}]}}, []]}}}}", [OF_STRINGS; 5].join(", "))), 146),
        (project(&format!("{{'$function': {{'body': 'f', 'args': [{}], 'lang': 'js'}}}}", vec!["'$pad'"; 20].join(", "))), 10334),
        (aggregate("[{'$project': {'list': {'x': '$pad', 'y': '$pad'}}}]"), 10334),
        // Stages.
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$push': '$pad'}}}]"), 146),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$push': '$$ROOT'}}}, {'$unwind': '$x'}]"), 146),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$addToSet': '$$ROOT'}}}]"), 146),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': '$n', 'x': {'$push': {'$range': [0, {'$add': ['$list', 100000]}]}}}}]"), 146),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': '$$ROOT'}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': '$list', 'x': {'$first': '$pad'}}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$firstN': {'n': 100000, 'input': '$pad'}}}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$topN': {'n': 100000, 'sortBy': {'list': 1}, 'output': '$pad'}}}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$maxN': {'n': 100000, 'input': ['$list', '$pad']}}}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$group': {'_id': null, 'x': {'$mergeObjects': {'$arrayToObject': [[[{'$toString': '$list'}, '$pad']]]}}}}]"), 10334),
        (aggregate("[{'$unwind': '$list'}, {'$sort': {'list': -1}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$sample': {'size': 2000}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$bucketAuto': {'groupBy': '$list', 'buckets': 2, 'output': {'x': {'$push': '$pad'}}}}]"), 292),
        (aggregate("[{'$unwind': '$list'}, {'$unset': 'pad'}, {'$bucketAuto': {'groupBy': '$n', 'buckets': 1, 'output': {'x': {'$push': {'$range': [0, {'$add': ['$list', 100000]}]}}}}}]"), 146),
        (aggregate("[{'$unwind': '$list'}, {'$bucket': {'groupBy': '$list', 'boundaries': [0, 5000], 'output': {'x': {'$push': '$pad'}}}}]"), 146),
        (aggregate("[{'$unwind': '$list'}, {'$setWindowFields': {'sortBy': {'list': 1}, 'output': {'x': {'$push': '$pad'}}}}]"), 292),
        (aggregate("[{'$facet': {'a': [{'$unwind': '$list'}]}}]"), 4_031_700),
        (aggregate("[{'$unwind': '$list'}, {'$facet': {'a': [{'$sort': {'list': 1}}]}}]"), 292),
        (aggregate("[{'$lookup': {'from': 'c', 'pipeline': [{'$unwind': '$list'}], 'as': 'x'}}]"), 4568),
        (aggregate("[{'$unwind': '$list'}, {'$lookup': {'from': 'many', 'pipeline': [], 'as': 'x'}}, {'$unwind': '$x'}, {'$group': {'_id': null, 'x': {'$push': '$x'}}}]"), 4568),
        (aggregate("[{'$lookup': {'from': 'many', 'pipeline': [], 'as': 'x'}}]"), 4568),
        (aggregate("[{'$graphLookup': {'from': 'many', 'startWith': '$n', 'connectFromField': 'next', 'connectToField': '_id', 'as': 'x'}}]"), 40099),
        (aggregate("[{'$densify': {'field': 'n', 'range': {'step': 1, 'bounds': [0, 2000000000]}}}, {'$count': 'n'}]"), 5_897_900),
        (aggregate("[{'$unwind': '$list'}, {'$limit': 20}, {'$group': {'_id': null, 'x': {'$push': '$$ROOT'}}}, {'$out': 'o'}]"), 10334),
        (aggregate("[{'$unwind': '$list'}, {'$limit': 20}, {'$group': {'_id': null, 'x': {'$push': '$$ROOT'}}}, {'$merge': 'o'}]"), 10334),
        (aggregate("[{'$unwind': '$list'}, {'$limit': 20}, {'$group': {'_id': null, 'x': {'$push': '$$ROOT'}}}]"), 10334),
        // Queries.
        ("{'find': 'c', 'sort': {'list': 1, 'pad': 1}}".to_owned(), 201),
        ("{'distinct': 'many', 'key': 'text'}".to_owned(), 17217),
        (format!("{{'find': 'c', 'projection': {{'x': {{'$concat': [{forty}]}}}}}}"), 16493),
        (format!("{{'find': 'c', 'filter': {{'$expr': {{'$eq': [{{'$concat': [{forty}]}}, '']}}}}}}"), 16493),
        // Updates.
        (update(&again(24, doubled)), 16493),
        (update("[{'$set': {'list': {'$map': {'input': '$list', 'in': '$pad'}}}}]"), 146),
        (update("[{'$set': {'r': '$$ROOT'}}, {'$set': {'r': ['$$ROOT', '$$ROOT', '$$ROOT', '$$ROOT', '$$ROOT', '$$ROOT', '$$ROOT', '$$ROOT']}}, {'$set': {'r': '$$ROOT'}}]"), 17419),
        (update(&format!("{{'$set': {{'list.$[]': '{wide}'}}}}")), 17419),
        (update(&format!("{{'$set': {{'list.$[].x.y': '{wide}'}}}}")), 28),
        (format!("{{'findAndModify': 'c', 'update': {}}}", again(24, doubled)), 16493),
        // Index keys.
        ("{'createIndexes': 'c', 'indexes': [{'key': {'list': 1, 'pad': 1}, 'name': 'i'}]}".to_owned(), 201),
        ("{'createIndexes': 'named', 'indexes': [{'key': {'$**': 1}, 'name': 'i'}]}".to_owned(), 201),
    ]
    .into();
    let pushes = vec![format!("{{'q': {{}}, 'u': {{'$push': {{'n': '{wide}'}}}}}}"); 4].join(", ");
    // `n` is a number: nothing is pushed, however often it is tried.
    all.push((format!("{{'update': 'c', 'updates': [{pushes}]}}"), 2));
    all
}

#[test]
fn no_command_takes_all_memory() {
    let mut engine = engine();
    for number in 0..MANY {
        engine.insert("many", [link(number)]);
    }
    let bombs = bombs();
    assert!(bombs.len() >= 40, "{} commands are tried", bombs.len());
    let mut wrong = Vec::new();
    for (command, code) in &bombs {
        let shown: String = command.chars().take(160).collect();
        let done = engine.run_text(command);
        if std::env::var_os("QUIRE_SHOW").is_some() {
            println!(
                "{} MB at once, {} MB taken, {} steps, code {}: {shown}",
                done.peak >> 20,
                done.taken >> 20,
                done.asked,
                done.code()
            );
        }
        if done.code() != *code || done.peak > MOST_HELD {
            let text: String = done.text().chars().take(300).collect();
            wrong.push(format!(
                "{shown}\n  is to fail with {code}, gave {} and held {} MB: {text}",
                done.code(),
                done.peak >> 20
            ));
        }
        let after = engine.pipeline(
            "[{'$project': {'p': {'$strLenBytes': '$pad'}, 'l': {'$size': '$list'}, 'n': 1}}]",
        );
        assert!(
            after
                .text()
                .contains("[{\"_id\":1,\"n\":1,\"p\":1048576,\"l\":2000}]"),
            "after {shown}: {}",
            after.text()
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let done = engine.run_text("{'validate': 'c', 'full': true}");
    assert!(done.text().contains("\"valid\":true"), "{}", done.text());
}

/// The most bytes of a piece of memory that a sort or a build asks for, with the room of its reply.
const MOST_IN_PIECE: usize = 3 << 20;

#[test]
fn what_is_sorted_and_collected_lies_in_pieces() {
    let mut engine = Counted::new();
    // 40 000 keys in 48 MB.
    for number in 0..16 {
        let documents = (0..50).map(|position| {
            let n = number * 50 + position;
            let mut document = DocumentBuilder::new();
            document.append("_id", n).append("k", n * 7919 % 800);
            document.append("a", &numbers(n..n + 50));
            document.append("s", "x".repeat(60_000).as_str());
            document.finish()
        });
        engine.insert("large", documents);
    }
    let all = 800 * 60_000;
    for (command, held) in [
        ("{'find': 'large', 'sort': {'k': 1}, 'batchSize': 1}", all),
        (
            "{'find': 'large', 'sort': {'k': -1}, 'limit': 790, 'batchSize': 1}",
            all,
        ),
        (
            "{'aggregate': 'large', 'pipeline': [{'$sort': {'k': 1}}, {'$limit': 790}], 'cursor': {'batchSize': 1}}",
            all,
        ),
        (
            "{'explain': {'find': 'large', 'sort': {'k': 1}}, 'verbosity': 'executionStats'}",
            all,
        ),
        (
            "{'createIndexes': 'large', 'indexes': [{'key': {'s': 1, 'k': 1}, 'name': 'i'}]}",
            all * 2,
        ),
        (
            "{'createIndexes': 'large', 'indexes': [{'key': {'k': 1, 's': 1}, 'name': 'u', 'unique': true}]}",
            all * 2,
        ),
        (
            "{'createIndexes': 'large', 'indexes': [{'key': {'$**': 1}, 'name': 'w'}]}",
            all * 2,
        ),
    ] {
        let done = engine.run_text(command);
        assert_eq!(done.code(), 0, "{command}: {}", done.text());
        assert!(
            done.largest <= MOST_IN_PIECE,
            "{command} asked for {} bytes at once",
            done.largest
        );
        // The sorted documents are there, and not twice.
        let range = held..held + held / 2;
        assert!(
            range.contains(&done.peak),
            "{command} held {} bytes",
            done.peak
        );
    }
    let done = engine.run_text("{'validate': 'large', 'full': true}");
    assert!(done.text().contains("\"valid\":true"), "{}", done.text());
    engine.insert("c", [json("{'_id': 1, 'n': 50000}")]);
    let ranges = vec!["{'$range': [0, '$n']}"; 40].join(", ");
    for (expression, most) in [
        // The ranges themselves take a megabyte each, and each column's list took two.
        (
            format!("{{'$size': {{'$setUnion': [{ranges}]}}}}"),
            60 << 20,
        ),
        (
            format!("{{'$size': {{'$zip': {{'inputs': [[1, 2], {ranges}]}}}}}}"),
            60 << 20,
        ),
    ] {
        let done = engine.pipeline(&format!("[{{'$project': {{'x': {expression}}}}}]"));
        assert_eq!(done.code(), 0, "{expression}: {}", done.text());
        assert!(done.peak <= most, "{expression} held {} bytes", done.peak);
    }
}
