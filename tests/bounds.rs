//! Commands take about as many steps as they have items, and can be interrupted after each few of them.
//!
//! Steps are counted as questions whether to go on (`Env::checkpoint`), and copies as memory taken: never by time.
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/counted.rs"]
mod counted;

use counted::{Counted, TICK, numbers};
use quire::bson::DocumentBuilder;

/// How many items the long arrays of these tests have.
const MANY: i32 = 20_000;
/// The most bytes of a list of their items.
const MOST_IN_PIECE: usize = 3 << 20;
/// The most steps of N log N work for them, with something to spare. N² / 64 would be forty times as much.
const NEARLY_LINEAR: u64 = MANY as u64 * 8;

/// An engine with one document `{_id: 1, a: [0, 1…], b: [N / 2…], s: ["item 0"…], d: [{n: 0}…]}` in `c`.
fn with_long_arrays() -> Counted {
    let mut engine = Counted::new();
    let mut document = DocumentBuilder::new();
    document
        .append("_id", 1)
        .append("a", &numbers(0..MANY))
        .append("b", &numbers((0..MANY).rev().map(|n| n + MANY / 2)))
        .begin_array("s");
    for number in 0..MANY {
        document.push_item(number as usize, format!("item {number}").as_str());
    }
    document.end();
    document.begin_array("d");
    for number in 0..MANY {
        document
            .begin_document(&number.to_string())
            .append("n", number)
            .end();
    }
    document.end();
    engine.insert("c", std::iter::once(document.finish()));
    engine
}

#[test]
fn looking_for_many_values_in_many_takes_few_steps() {
    let mut engine = with_long_arrays();
    let half = (MANY / 2).to_string();
    let whole = MANY.to_string();
    for (expression, expected) in [
        ("{'$size': {'$setDifference': ['$a', '$b']}}", half.as_str()),
        ("{'$size': {'$setUnion': ['$a', '$b']}}", "30000"),
        ("{'$size': {'$setIntersection': ['$a', '$b']}}", &half),
        ("{'$setIsSubset': ['$b', '$a']}", "false"),
        ("{'$setEquals': ['$a', {'$reverseArray': '$a'}]}", "true"),
        (
            "{'$size': {'$filter': {'input': '$a', 'cond': {'$in': ['$$this', '$b']}}}}",
            &half,
        ),
        (
            "{'$size': {'$filter': {'input': '$b', 'cond': {'$in': ['$$this', '$$ROOT.a']}}}}",
            &half,
        ),
        (
            "{'$let': {'vars': {'v': {'$slice': ['$a', 10000]}}, 'in': {'$size': {'$filter': \
              {'input': '$a', 'cond': {'$in': ['$$this', '$$v']}}}}}}",
            &half,
        ),
        (
            "{'$sum': {'$map': {'input': '$s', 'in': {'$indexOfArray': ['$s', '$$this']}}}}",
            "199990000",
        ),
        (
            "{'$size': {'$reduce': {'input': '$a', 'initialValue': [], 'in': {'$concatArrays': ['$$value', ['$$this']]}}}}",
            &whole,
        ),
    ] {
        let done = engine.pipeline(&format!(
            "[{{'$project': {{'_id': 0, 'x': {expression}}}}}]"
        ));
        let text = done.text();
        let wanted = format!("\"firstBatch\":[{{\"x\":{expected}}}]");
        assert!(text.contains(&wanted), "{expression}: {text}");
        assert!(
            done.asked >= MANY as u64 / 64,
            "{expression}: {} steps",
            done.asked
        );
        assert!(
            done.asked < NEARLY_LINEAR,
            "{expression}: {} steps",
            done.asked
        );
        assert!(
            done.largest < MOST_IN_PIECE,
            "{expression}: {} bytes at once",
            done.largest
        );
    }
}

/// A search inside of one string asks nothing while it runs, so it has to be linear: where each position compares half
/// a token, these would take hours.
#[test]
fn looking_for_a_long_string_in_a_longer_one_ends() {
    const LENGTH: usize = 5_000_000;
    let mut engine = Counted::new();
    let token = "a".repeat(LENGTH) + "b";
    let text = "a".repeat(LENGTH) + &token;
    let mut document = DocumentBuilder::new();
    document.append("_id", 1).append("t", text.as_str());
    document.append("k", token.as_str());
    engine.insert("c", std::iter::once(document.finish()));
    for (expression, expected) in [
        ("{'$indexOfBytes': ['$t', '$k']}", LENGTH),
        ("{'$indexOfBytes': ['$t', '$k', 1]}", LENGTH),
        ("{'$indexOfCP': ['$t', '$k']}", LENGTH),
        ("{'$size': {'$split': ['$t', '$k']}}", 2),
        (
            "{'$strLenBytes': {'$replaceAll': {'input': '$t', 'find': '$k', 'replacement': ''}}}",
            LENGTH,
        ),
    ] {
        let done = engine.pipeline(&format!(
            "[{{'$project': {{'_id': 0, 'x': {expression}}}}}]"
        ));
        let wanted = format!("\"firstBatch\":[{{\"x\":{expected}}}]");
        assert!(
            done.text().contains(&wanted),
            "{expression}: {}",
            done.text()
        );
    }
}

#[test]
fn what_grows_turn_by_turn_is_not_copied_each_turn() {
    let mut engine = with_long_arrays();
    let mut stored = 0;
    for (body, initial, measure) in [
        ("{'$concat': ['$$value', '$$this']}", "''", "$strLenBytes"),
        (
            "{'$concat': ['$$value', {'$cond': [{'$eq': ['$$value', '']}, '', ', ']}, '$$this']}",
            "''",
            "$strLenBytes",
        ),
        (
            "{'$cond': [{'$eq': ['$$value', '']}, '$$this', {'$concat': ['$$value', ', ', '$$this']}]}",
            "''",
            "$strLenBytes",
        ),
        (
            "{'$switch': {'branches': [{'case': {'$eq': ['$$this', 'item 7']}, 'then': '$$value'}], \
              'default': {'$concatArrays': ['$$value', ['$$this', {'$isArray': '$$value'}]]}}}",
            "[]",
            "$size",
        ),
    ] {
        let done = engine.pipeline(&format!(
            "[{{'$project': {{'x': {{'{measure}': {{'$reduce': {{'input': '$s', 'initialValue': {initial}, 'in': {body}}}}}}}}}}}]"
        ));
        assert_eq!(done.code(), 0, "{body}: {}", done.text());
        stored = stored.max(done.peak);
        // Each turn makes some small values; a copy of all that is there would be hundreds of megabytes.
        assert!(done.taken < 40_000_000, "{body}: {} bytes", done.taken);
    }
    assert!(stored < 8_000_000, "{stored} bytes at once");
}

#[test]
fn updates_of_long_arrays_take_few_steps() {
    let mut engine = with_long_arrays();
    let update = |operator: &str| {
        let mut builder = DocumentBuilder::new();
        builder.append("update", "c").begin_array("updates");
        builder.begin_document("0").begin_document("q").end();
        builder.begin_document("u").begin_document(operator);
        let values = numbers((0..MANY).map(|n| n * 2));
        match operator {
            "$addToSet" => {
                builder.begin_document("a").append("$each", &values).end();
            }
            "$pull" => {
                builder.begin_document("a").append("$in", &values).end();
            }
            _ => {
                builder.append("a", &values);
            }
        }
        builder.end().end().end().end().append("$db", "d");
        builder.finish()
    };
    for (operator, size) in [
        ("$addToSet", MANY + MANY / 2),
        ("$pullAll", MANY / 2),
        ("$addToSet", MANY + MANY / 2),
        ("$pull", MANY / 2),
    ] {
        let done = engine.run(&update(operator));
        assert!(
            done.text().contains("\"nModified\":1"),
            "{operator}: {}",
            done.text()
        );
        assert!(
            done.asked >= MANY as u64 / 64,
            "{operator}: {} steps",
            done.asked
        );
        assert!(
            done.asked < NEARLY_LINEAR,
            "{operator}: {} steps",
            done.asked
        );
        let done = engine.pipeline("[{'$project': {'n': {'$size': '$a'}}}]");
        assert!(
            done.text().contains(&format!("\"n\":{size}}}")),
            "{operator}: {}",
            done.text()
        );
    }
}

/// How many documents the collection `many` has.
const DOCUMENTS: i32 = 3000;

/// Commands over `many`, whose documents are `{_id, a, t: [1, 2, 3]}`, each with the questions that are asked at least.
fn long_commands() -> Vec<(String, u64)> {
    let documents = DOCUMENTS as u64;
    // A plain scan asks one question for each page.
    let pages = documents / 400;
    let rows =
        |stages: &str| format!("{{'aggregate': 'many', 'pipeline': [{stages}], 'cursor': {{}}}}");
    let update = |update: &str| {
        format!("{{'update': 'many', 'updates': [{{'q': {{}}, 'u': {update}, 'multi': true}}]}}")
    };
    let each = |expression: &str| {
        format!(
            "{{'aggregate': 'c', 'pipeline': [{{'$project': {{'x': {{'$size': {expression}}}}}}}], 'cursor': {{}}}}"
        )
    };
    let items = MANY as u64;
    vec![
        ("{'count': 'many', 'query': {'a': {'$gt': 5}}}".to_owned(), pages),
        ("{'distinct': 'many', 'key': 'a'}".to_owned(), pages),
        ("{'find': 'many', 'filter': {'a': -1}}".to_owned(), pages),
        ("{'find': 'many', 'sort': {'a': -1}}".to_owned(), pages),
        ("{'find': 'many', 'filter': {'$expr': {'$in': [-1, {'$map': {'input': '$t', 'in': '$$this'}}]}}}".to_owned(), documents),
        (rows("{'$unwind': '$t'}, {'$match': {'t': -1}}"), documents * 3),
        (rows("{'$unwind': '$t'}, {'$group': {'_id': '$t', 'n': {'$sum': 1}}}"), documents * 3),
        (rows("{'$group': {'_id': '$a', 'n': {'$sum': 1}}}, {'$match': {'n': -1}}"), documents / 2),
        (rows("{'$sort': {'a': -1, '_id': 1}}, {'$group': {'_id': null, 'n': {'$push': '$a'}}}"), pages),
        (rows("{'$lookup': {'from': 'many', 'let': {'a': '$_id'}, 'pipeline': [{'$match': {'$expr': {'$lt': ['$a', '$$a']}}}, {'$limit': 3}], 'as': 'x'}}, {'$match': {'x': 5}}"), documents),
        (rows("{'$limit': 40}, {'$lookup': {'from': 'many', 'pipeline': [], 'let': {'v': '$a'}, 'as': 'x'}}, {'$match': {'x': 5}}"), documents),
        (rows("{'$lookup': {'from': 'many', 'localField': 'a', 'foreignField': '_id', 'as': 'x'}}, {'$match': {'x': 5}}"), documents),
        (rows("{'$match': {'_id': 0}}, {'$graphLookup': {'from': 'many', 'startWith': '$_id', 'connectFromField': 'next', 'connectToField': '_id', 'maxDepth': 200, 'as': 'x'}}, {'$project': {'n': {'$size': '$x'}}}"), 200),
        (rows("{'$facet': {'a': [{'$match': {'a': -1}}], 'b': [{'$unwind': '$t'}, {'$match': {'t': -1}}]}}"), documents * 3),
        (rows("{'$bucketAuto': {'groupBy': '$a', 'buckets': 3}}"), documents),
        (rows("{'$bucket': {'groupBy': '$a', 'boundaries': [0, 10000]}}"), pages),
        (rows("{'$setWindowFields': {'sortBy': {'_id': 1}, 'output': {'s': {'$sum': '$a', 'window': {'documents': [-9, 0]}}}}}, {'$match': {'s': -1}}"), documents * 10),
        (rows("{'$sample': {'size': 1000}}, {'$match': {'a': -1}}"), documents),
        (rows("{'$match': {'_id': {'$in': [0, 1]}}}, {'$densify': {'field': '_id', 'range': {'step': 1, 'bounds': [0, 9000]}}}, {'$match': {'a': -1}}"), 9000),
        (rows("{'$unionWith': {'coll': 'many', 'pipeline': [{'$unwind': '$t'}]}}, {'$match': {'t': -1}}"), documents * 3),
        (rows("{'$project': {'n': {'$size': {'$map': {'input': '$t', 'in': '$$this'}}}}}, {'$match': {'n': -1}}"), documents * 3),
        (rows("{'$out': 'other'}"), pages),
        (rows("{'$merge': 'other'}"), documents),
        (update("{'$set': {'b.c': 1}}"), documents),
        (update("{'$push': {'t': {'$each': [4, 5], '$sort': 1}}}"), documents),
        (update("{'$pull': {'t': 4}}"), documents),
        (update("[{'$set': {'n': {'$size': '$t'}}}]"), documents),
        ("{'createIndexes': 'many', 'indexes': [{'key': {'t': 1, 'a': 1}, 'name': 'i'}]}".to_owned(), documents),
        ("{'validate': 'many', 'full': true}".to_owned(), documents),
        (each("{'$setUnion': ['$a', '$b']}"), items),
        (each("{'$setDifference': ['$a', '$b']}"), items),
        (each("{'$setIntersection': ['$a', '$b']}"), items),
        (each("{'$sortArray': {'input': '$b', 'sortBy': 1}}"), items / 64),
        (each("{'$percentile': {'input': '$b', 'p': [0.5], 'method': 'approximate'}}"), items / 64),
        (each("{'$filter': {'input': '$a', 'cond': {'$gt': ['$$this', 5]}}}"), items),
        (each("{'$map': {'input': '$a', 'in': {'$add': ['$$this', 5]}}}"), items),
        (each("{'$reduce': {'input': '$a', 'initialValue': [], 'in': {'$setUnion': [['$$this']]}}}"), items),
        (each("{'$zip': {'inputs': ['$a', '$b']}}"), items),
        (each("{'$range': [0, {'$add': ['$_id', 20000]}]}"), items),
        (each("{'$concatArrays': ['$a', '$b']}"), items),
        (each("{'$reverseArray': '$a'}"), items),
        (each("{'$split': [{'$reduce': {'input': '$s', 'initialValue': '', 'in': {'$concat': ['$$value', '$$this']}}}, ' ']}"), items * 2),
        (each("{'$regexFindAll': {'input': {'$reduce': {'input': '$s', 'initialValue': '', 'in': {'$concat': ['$$value', '$$this']}}}, 'regex': 'm'}}"), items * 2),
        (each("{'$objectToArray': {'$arrayToObject': {'$map': {'input': '$s', 'in': ['$$this', 1]}}}}"), items * 3),
        (each("{'$maxN': {'n': 5, 'input': '$b'}}"), items / 64),
        (each("{'$filter': {'input': ['x'], 'cond': {'$ne': [{'$replaceAll': {'input': {'$reduce': {'input': '$s', 'initialValue': '', 'in': {'$concat': ['$$value', '$$this']}}}, 'find': 'm', 'replacement': 'n'}}, '']}}}"), items * 2),
        (format!("{{'count': 'c', 'query': {{'s': {{'$all': [{}]}}}}}}", (0..300).map(|n| format!("'item {}'", n * 7)).collect::<Vec<_>>().join(", ")), 280),
        ("{'count': 'c', 'query': {'s': {'$regularExpression': {'pattern': 'm [0-9]+x$', 'options': ''}}}}".to_owned(), items),
        ("{'count': 'c', 'query': {'$jsonSchema': {'properties': {'d': {'uniqueItems': true}}}}}".to_owned(), items),
        ("{'count': 'many', 'query': {'$jsonSchema': {'properties': {'t': {'uniqueItems': true}}}}}".to_owned(), pages),
        ("{'delete': 'many', 'deletes': [{'q': {'a': {'$lt': 5}}, 'limit': 0}]}".to_owned(), pages),
    ]
}

#[test]
fn every_long_command_ends_soon_after_its_time() {
    let mut engine = with_long_arrays();
    let row = |number: i32| {
        let mut document = DocumentBuilder::new();
        document
            .append("_id", number)
            .append("a", number * 31 % DOCUMENTS)
            .append("next", number + 1)
            .append("t", &numbers(1..4));
        document.finish()
    };
    engine.insert("many", (0..DOCUMENTS).map(row));
    let mut wrong = Vec::new();
    for (command, least) in long_commands() {
        // First with a limit that comes in the middle, then to the end.
        let limit = (least / 2).max(2) as i64;
        let limited = format!(
            "{}, 'maxTimeMS': {}}}",
            &command[..command.len() - 1],
            limit * TICK
        );
        let stopped = engine.run_text(&limited);
        let whole = engine.run_text(&command);
        if std::env::var_os("QUIRE_SHOW").is_some() {
            println!(
                "{} questions, stopped after {}: {command}",
                whole.asked, stopped.asked
            );
        }
        let text: String = stopped.text().chars().take(200).collect();
        if stopped.code() != 50 {
            wrong.push(format!("{command}\n  is not stopped, but gives {text}"));
        }
        if stopped.asked > limit as u64 + 40 {
            wrong.push(format!(
                "{command}\n  goes on for {} questions, not {limit}",
                stopped.asked
            ));
        }
        // The first questions are not each looked at.
        if whole.code() != 0 || whole.asked + 16 < least {
            let text: String = whole.text().chars().take(200).collect();
            wrong.push(format!(
                "{command}\n  asks {} times, not {least}, and gives {text}",
                whole.asked
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn accumulators_of_many_values_are_not_copied_for_each() {
    let mut engine = with_long_arrays();
    for (accumulator, measure) in [
        (
            "{'$mergeObjects': {'$arrayToObject': [[['$s', 1]]]}}",
            "{'$objectToArray': '$x'}",
        ),
        ("{'$minN': {'n': 100000, 'input': '$s'}}", "'$x'"),
        ("{'$maxN': {'n': 100000, 'input': '$s'}}", "'$x'"),
        ("{'$lastN': {'n': 100000, 'input': '$s'}}", "'$x'"),
        (
            "{'$topN': {'n': 100000, 'sortBy': {'s': -1}, 'output': '$s'}}",
            "'$x'",
        ),
        (
            "{'$bottomN': {'n': 100000, 'sortBy': {'s': -1}, 'output': '$s'}}",
            "'$x'",
        ),
    ] {
        let done = engine.pipeline(&format!(
            "[{{'$unwind': '$s'}}, {{'$group': {{'_id': null, 'x': {accumulator}}}}}, {{'$project': {{'n': {{'$size': {measure}}}}}}}]"
        ));
        let text: String = done.text().chars().take(200).collect();
        assert!(
            text.contains(&format!("\"n\":{MANY}}}")),
            "{accumulator}: {text}"
        );
        // A copy for each of all that was there before would be gigabytes.
        assert!(
            done.taken < 60_000_000,
            "{accumulator}: {} bytes",
            done.taken
        );
        // The first questions are not each looked at.
        assert!(
            done.asked + 16 >= MANY as u64,
            "{accumulator}: {} steps",
            done.asked
        );
    }
}

/// How many documents of a kilobyte, so about one page for sixteen, and so many of an index over their text.
const WIDE: i32 = 2400;

/// An engine whose collection `wide` lies behind the pages of another that was dropped.
fn with_many_pages() -> Counted {
    let mut engine = Counted::new();
    let text = "t".repeat(1000);
    let row = |number: i32| {
        let mut document = DocumentBuilder::new();
        let text = format!("{:05}{text}", number * 7919 % WIDE);
        document
            .append("_id", number)
            .append("n", number)
            .append("text", text.as_str());
        document.finish()
    };
    engine.insert("first", (0..WIDE).map(row));
    engine.insert("wide", (0..WIDE).map(row));
    for command in [
        "{'createIndexes': 'wide', 'indexes': [{'key': {'text': 1}, 'name': 'text'}]}",
        "{'drop': 'first'}",
    ] {
        let done = engine.run_text(command);
        assert_eq!(done.code(), 0, "{}", done.text());
    }
    engine
}

#[test]
fn walks_over_pages_are_interrupted_anywhere_and_undone() {
    let pages = WIDE as u64 / 16;
    let mut engine = with_many_pages();
    // The last ones change stored documents.
    for (command, least) in [
        ("{'validate': 'wide', 'full': true}", pages * 2),
        ("{'validate': 'wide', 'repair': true}", pages * 2),
        ("{'compact': 'wide', 'dryRun': true}", pages * 2),
        ("{'compact': 'wide'}", pages * 4),
        (
            "{'delete': 'wide', 'deletes': [{'q': {'n': {'$mod': [2, 0]}}, 'limit': 0}]}",
            pages * 3,
        ),
        (
            "{'convertToCapped': 'wide', 'size': 10000000}",
            WIDE as u64 / 2,
        ),
        (
            "{'delete': 'wide', 'deletes': [{'q': {}, 'limit': 0}]}",
            pages / 2,
        ),
    ] {
        let before = engine.run_text("{'dbStats': 1}").text();
        for share in [8, 4, 2] {
            let limit = (least / share) as i64;
            let limited = format!(
                "{}, 'maxTimeMS': {}}}",
                &command[..command.len() - 1],
                limit * TICK
            );
            let done = engine.run_text(&limited);
            assert_eq!(done.code(), 50, "{limited}: {}", done.text());
            assert!(
                done.asked <= limit as u64 + 40,
                "{limited}: goes on for {} questions",
                done.asked
            );
            assert_eq!(
                engine.run_text("{'dbStats': 1}").text(),
                before,
                "{limited}"
            );
        }
        let valid = engine.run_text("{'validate': 'wide', 'full': true}");
        assert!(valid.text().contains("\"valid\":true"), "{}", valid.text());
        let done = engine.run_text(command);
        assert_eq!(done.code(), 0, "{command}: {}", done.text());
        assert!(
            done.asked + 16 >= least,
            "{command}: {} questions, not {least}",
            done.asked
        );
    }
    let valid = engine.run_text("{'validate': 'wide', 'full': true}");
    assert!(valid.text().contains("\"valid\":true"), "{}", valid.text());
}
