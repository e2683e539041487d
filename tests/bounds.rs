//! Commands take about as many steps as they have items, and can be interrupted after each few of them.
//!
//! Steps are counted as questions whether to go on (`Env::checkpoint`), and copies as memory taken: never by time.
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/counted.rs"]
mod counted;

use counted::{Counted, numbers};
use quire::bson::DocumentBuilder;

/// How many items the long arrays of these tests have.
const MANY: i32 = 20_000;
/// What N log N may come to for them, with something to spare. N² / 64 would be forty times as much.
const NEARLY_LINEAR: u64 = MANY as u64 * 8;

/// An engine with one document `{_id: 1, a: [0, 1…], b: [N / 2…], s: ["item 0"…]}` in `c`.
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
