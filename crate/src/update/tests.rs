//! Tests of whole updates: the documents that operators make, and the updates that are refused.

use super::{ApplyContext, Update, UpdateScratch, document_for_upsert};
use crate::bson::{DocumentBuf, ValueRef, validate};
use crate::expr::CompileContext;
use crate::query::testing::{TestEnv, document, matcher};
use crate::query::{MatchDetails, Matcher};
use crate::storage::LogicalClock;

fn compiled(update: &str, filters: &str) -> Result<Update, String> {
    let update = document(update);
    let filters = document(&format!("{{f: {filters}}}"));
    Update::compile(
        update.as_document(),
        filters.get("f").as_array(),
        &CompileContext::new(&TestEnv, 5_000),
    )
    .map_err(|error| format!("{}: {}", error.code, error.message))
}

thread_local! {
    static TIMESTAMPS: &'static LogicalClock = Box::leak(Box::default());
}

fn context(array_index: Option<u32>) -> ApplyContext<'static> {
    ApplyContext {
        env: &TestEnv,
        now_millis: 5_000,
        timestamps: TIMESTAMPS.with(|clock| *clock),
        array_index,
        is_insert: false,
    }
}

/// The updated document's text, `same`, or the error.
fn run(subject: &str, update: &str, filters: &str, array_index: Option<u32>) -> String {
    let subject = document(subject);
    let update = match compiled(update, filters) {
        Ok(update) => update,
        Err(error) => return error,
    };
    let mut scratch = UpdateScratch::default();
    let result = update.apply(subject.as_document(), &context(array_index), &mut scratch);
    match result {
        Ok(Some(updated)) => {
            assert!(validate(updated.as_bytes()).is_ok());
            updated.to_string()
        }
        Ok(None) => "same".to_owned(),
        Err(error) => format!("{}: {}", error.code, error.message),
    }
}

fn check(subject: &str, update: &str, expected: &str) {
    let expected = match expected.starts_with('{') {
        true => document(expected).as_document().to_string(),
        false => expected.to_owned(),
    };
    assert_eq!(run(subject, update, "[]", None), expected, "{update}");
}

#[test]
fn sets_and_unsets() {
    check("{_id: 1, a: 1}", "{$set: {a: 2}}", "{_id: 1, a: 2}");
    check("{_id: 1, a: 1}", "{$set: {a: 1}}", "same");
    check("{_id: 1, a: 1}", "{$set: {a: 1.0}}", "{_id: 1, a: 1.0}");
    check(
        "{_id: 1}",
        "{$set: {\"z.y\": 1, b: 2, \"z.a\": 3, \"10\": 1, \"9\": 1}}",
        "{_id: 1, \"9\": 1, \"10\": 1, b: 2, z: {a: 3, y: 1}}",
    );
    check(
        "{_id: 1, a: {b: 1, c: 2}}",
        "{$set: {\"a.b\": {x: 1}}}",
        "{_id: 1, a: {b: {x: 1}, c: 2}}",
    );
    check(
        "{_id: 1, a: [1, 2]}",
        "{$set: {\"a.1\": 5}}",
        "{_id: 1, a: [1, 5]}",
    );
    check(
        "{_id: 1, a: [1]}",
        "{$set: {\"a.3\": 5, \"a.2\": 4}}",
        "{_id: 1, a: [1, null, 4, 5]}",
    );
    check(
        "{_id: 1, a: []}",
        "{$set: {\"a.0.x\": 5}}",
        "{_id: 1, a: [{x: 5}]}",
    );
    check(
        "{_id: 1, a: 5}",
        "{$set: {\"a.b\": 1}}",
        "28: Cannot create field 'b' in element {a: 5}",
    );
    check(
        "{_id: 1, a: [1]}",
        "{$set: {\"a.b\": 1}}",
        "28: Cannot create field 'b' in element {a: [ 1 ]}",
    );
    check(
        "{_id: 1, a: 1, b: 2}",
        "{$unset: {a: \"\", x: 1, \"b.c\": 1}}",
        "{_id: 1, b: 2}",
    );
    check(
        "{_id: 1, a: [1, 2]}",
        "{$unset: {\"a.0\": 1, \"a.9\": 1}}",
        "{_id: 1, a: [null, 2]}",
    );
    check("{_id: 1}", "{$unset: {\"a.b\": 1}}", "same");
    check(
        "{_id: 1}",
        "{$set: {\"a.1500002\": 1}}",
        "{_id: 1, a: {\"1500002\": 1}}",
    );
    check(
        "{_id: 1, a: []}",
        "{$set: {\"a.1500001\": 1}}",
        "34: can't backfill more than 1500000 elements",
    );
    check("{_id: 1}", "{$set: {}}", "same");
}

#[test]
fn keeps_the_id() {
    let refused =
        "66: Performing an update on the path '_id' would modify the immutable field '_id'";
    check("{_id: 1, a: 1}", "{$set: {_id: 2}}", refused);
    check("{_id: 1, a: 1}", "{$unset: {_id: 2}}", refused);
    check("{_id: 1, a: 1}", "{$set: {_id: 1}}", "same");
    check("{_id: 1, a: 1}", "{$set: {_id: 1, a: 2}}", "{_id: 1, a: 2}");
    check(
        "{_id: {x: 1}}",
        "{$inc: {\"_id.x\": 1}}",
        "66: Performing an update on the path '_id.x' would modify the immutable field '_id'",
    );
    check(
        "{_id: 1, a: 1}",
        "{_id: 2, b: 1}",
        "66: After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2",
    );
}

#[test]
fn replaces() {
    check("{_id: 1, a: 1}", "{b: 1, c: 2}", "{_id: 1, b: 1, c: 2}");
    check("{_id: 1, a: 1}", "{b: 1, _id: 1}", "{_id: 1, b: 1}");
    check("{_id: 1, a: 1}", "{_id: 1, a: 1}", "same");
    check("{_id: 1, a: 1}", "{}", "{_id: 1}");
    assert!(run("{_id: 1}", "{a: 1, $set: {b: 1}}", "[]", None).starts_with("52: The dollar ($)"));
}

#[test]
fn computes_numbers() {
    check("{_id: 1, n: 1}", "{$inc: {n: 2}}", "{_id: 1, n: 3}");
    check("{_id: 1, n: 1}", "{$inc: {n: 0}}", "same");
    check(
        "{_id: 1}",
        "{$inc: {\"a.b\": long(5)}}",
        "{_id: 1, a: {b: long(5)}}",
    );
    check(
        "{_id: 1, n: 2147483647}",
        "{$inc: {n: 1}}",
        "{_id: 1, n: long(2147483648)}",
    );
    check("{_id: 1, n: 1}", "{$inc: {n: 0.5}}", "{_id: 1, n: 1.5}");
    check(
        "{_id: 1, n: 1}",
        "{$inc: {n: dec(0.10)}}",
        "{_id: 1, n: dec(1.10)}",
    );
    check(
        "{_id: 1, n: long(9223372036854775807)}",
        "{$inc: {n: 1}}",
        "2: Failed to apply $inc operations to current value ((NumberLong)9223372036854775807) for document {_id: 1}",
    );
    check(
        "{_id: 1, n: \"x\"}",
        "{$inc: {n: 1}}",
        "14: Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'n' of non-numeric type string",
    );
    check(
        "{_id: 1}",
        "{$inc: {n: \"x\"}}",
        "14: Cannot increment with non-numeric argument: {n: \"x\"}",
    );
    check(
        "{_id: 1, n: 3}",
        "{$mul: {n: 2, m: 5}}",
        "{_id: 1, n: 6, m: 0}",
    );
    check(
        "{_id: 1, n: 3}",
        "{$mul: {m: 5.5}}",
        "{_id: 1, n: 3, m: 0.0}",
    );
    check(
        "{_id: 1, n: 3}",
        "{$min: {n: 2, m: 1}, $max: {x: 4}}",
        "{_id: 1, n: 2, m: 1, x: 4}",
    );
    check("{_id: 1, n: 3}", "{$min: {n: 5}}", "same");
    check("{_id: 1, n: 3}", "{$max: {n: \"a\"}}", "{_id: 1, n: \"a\"}");
    check(
        "{_id: 1, n: 12}",
        "{$bit: {n: {and: 10, or: 1}, m: {xor: 5}}}",
        "{_id: 1, n: 9, m: 5}",
    );
    check(
        "{_id: 1, n: 1}",
        "{$bit: {n: {or: long(2)}}}",
        "{_id: 1, n: long(3)}",
    );
    check(
        "{_id: 1}",
        "{$currentDate: {a: true}}",
        "{_id: 1, a: date(5000)}",
    );
    assert!(
        run(
            "{_id: 1}",
            "{$currentDate: {a: {$type: \"timestamp\"}}}",
            "[]",
            None
        )
        .contains("Timestamp(5, 1)")
    );
}

#[test]
fn changes_arrays() {
    check("{_id: 1}", "{$push: {a: 1}}", "{_id: 1, a: [1]}");
    check(
        "{_id: 1, a: [1]}",
        "{$push: {a: [2]}}",
        "{_id: 1, a: [1, [2]]}",
    );
    check(
        "{_id: 1, a: [1]}",
        "{$push: {a: {$each: [3, 2]}}}",
        "{_id: 1, a: [1, 3, 2]}",
    );
    check(
        "{_id: 1, a: [1, 2]}",
        "{$push: {a: {$each: [9], $position: 1}}}",
        "{_id: 1, a: [1, 9, 2]}",
    );
    check(
        "{_id: 1, a: [1, 2]}",
        "{$push: {a: {$each: [9], $position: -1}}}",
        "{_id: 1, a: [1, 9, 2]}",
    );
    check(
        "{_id: 1, a: [1, 2]}",
        "{$push: {a: {$each: [9], $slice: -2}}}",
        "{_id: 1, a: [2, 9]}",
    );
    check(
        "{_id: 1, a: [3, 1]}",
        "{$push: {a: {$each: [2], $sort: -1, $slice: 2}}}",
        "{_id: 1, a: [3, 2]}",
    );
    check(
        "{_id: 1, a: [{s: 2, n: 1}, {s: 1, n: 2}]}",
        "{$push: {a: {$each: [{n: 3}], $sort: {s: 1}}}}",
        "{_id: 1, a: [{n: 3}, {s: 1, n: 2}, {s: 2, n: 1}]}",
    );
    check(
        "{_id: 1, a: 5}",
        "{$push: {a: 1}}",
        "2: The field 'a' must be an array but is of type int in document {_id: 1}",
    );
    check(
        "{_id: 1}",
        "{$push: {a: {$each: 5}}}",
        "2: The argument to $each in $push must be an array but it was of type: int",
    );
    check("{_id: 1, a: [1]}", "{$addToSet: {a: 1.0}}", "same");
    check(
        "{_id: 1, a: [1]}",
        "{$addToSet: {a: {$each: [2, 1, 2]}}}",
        "{_id: 1, a: [1, 2]}",
    );
    check(
        "{_id: 1}",
        "{$addToSet: {a: {x: 1}}}",
        "{_id: 1, a: [{x: 1}]}",
    );
    check(
        "{_id: 1, a: [1, 2, 3]}",
        "{$pop: {a: 1}}",
        "{_id: 1, a: [1, 2]}",
    );
    check(
        "{_id: 1, a: [1, 2, 3]}",
        "{$pop: {a: -1, b: 1}}",
        "{_id: 1, a: [2, 3]}",
    );
    check(
        "{_id: 1}",
        "{$pop: {a: 5}}",
        "9: $pop expects 1 or -1, found: 5",
    );
    check(
        "{_id: 1, a: [1, 2, 1.0]}",
        "{$pull: {a: 1}}",
        "{_id: 1, a: [2]}",
    );
    check(
        "{_id: 1, a: [1, 5, 9]}",
        "{$pull: {a: {$gte: 5}}}",
        "{_id: 1, a: [1]}",
    );
    check(
        "{_id: 1, a: [1, 5, 9]}",
        "{$pull: {a: {$in: [1, 9]}}}",
        "{_id: 1, a: [5]}",
    );
    check(
        "{_id: 1, a: [\"ab\", \"c\"]}",
        "{$pull: {a: /^a/}}",
        "{_id: 1, a: [\"c\"]}",
    );
    check(
        "{_id: 1, a: [{s: 5, i: \"x\"}, {s: 9, i: \"x\"}, 7]}",
        "{$pull: {a: {s: {$gt: 5}, i: \"x\"}}}",
        "{_id: 1, a: [{s: 5, i: \"x\"}, 7]}",
    );
    check(
        "{_id: 1, a: [1, 2, 1]}",
        "{$pullAll: {a: [1, 7]}}",
        "{_id: 1, a: [2]}",
    );
    check(
        "{_id: 1, a: 5}",
        "{$pull: {a: 1}}",
        "2: Cannot apply $pull to a non-array value",
    );
}

#[test]
fn renames() {
    check(
        "{_id: 1, a: 1, b: 2}",
        "{$rename: {a: \"c\"}}",
        "{_id: 1, b: 2, c: 1}",
    );
    check(
        "{_id: 1, a: {x: 1, y: 2}}",
        "{$rename: {\"a.x\": \"z.x\"}}",
        "{_id: 1, a: {y: 2}, z: {x: 1}}",
    );
    check(
        "{_id: 1, a: 1, b: 2}",
        "{$rename: {a: \"b\"}}",
        "{_id: 1, b: 1}",
    );
    check("{_id: 1}", "{$rename: {a: \"b\"}}", "same");
    check(
        "{_id: 1}",
        "{$rename: {a: \"a\"}}",
        "2: The source and target field for $rename must differ: a: \"a\"",
    );
    check(
        "{_id: 1, a: [{x: 1}]}",
        "{$rename: {\"a.0.x\": \"b\"}}",
        "2: The source field cannot be an array element, 'a.0.x' in doc with _id: 1 has an array field called 'a'",
    );
    check(
        "{_id: 1, a: 1}",
        "{$rename: {a: \"b\"}, $set: {b: 1}}",
        "40: Updating the path 'b' would create a conflict at 'b'",
    );
}

#[test]
fn refuses_what_conflicts_or_is_unknown() {
    check(
        "{_id: 1}",
        "{$set: {a: 1}, $inc: {a: 1}}",
        "40: Updating the path 'a' would create a conflict at 'a'",
    );
    check(
        "{_id: 1}",
        "{$set: {\"a.b\": 1, a: 1}}",
        "40: Updating the path 'a' would create a conflict at 'a'",
    );
    check(
        "{_id: 1}",
        "{$set: {a: 1, \"a.b\": 1}}",
        "40: Updating the path 'a.b' would create a conflict at 'a'",
    );
    check(
        "{_id: 1}",
        "{$foo: {a: 1}}",
        "9: Unknown modifier: $foo. Expected a valid update modifier or pipeline-style update specified as an array",
    );
    check(
        "{_id: 1}",
        "{$set: 5}",
        "9: Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$set: 5}",
    );
    check(
        "{_id: 1}",
        "{$set: {\"\": 1}}",
        "56: An empty update path is not valid.",
    );
    check(
        "{_id: 1}",
        "{$set: {\"a..b\": 1}}",
        "56: The update path 'a..b' contains an empty field name, which is not allowed.",
    );
    assert!(run("{_id: 1}", "{$set: {$a: 1}}", "[]", None).starts_with("52: "));
    check("{_id: 1}", "{$set: {\"a.$b\": 1}}", "{_id: 1, a: {$b: 1}}");
}

#[test]
fn positional_operators_find_their_items() {
    let index_of = |filter: &str, subject: &str| {
        let mut details = MatchDetails::default();
        let subject = document(subject);
        let matched = matcher(filter)
            .expect("the filter compiles")
            .matches_with_details(subject.as_document(), &TestEnv, &mut details);
        assert_eq!(matched.ok(), Some(true));
        details.array_index
    };
    let subject = "{_id: 1, g: [{n: 1}, {n: 2}]}";
    let index = index_of("{\"g.n\": 2}", subject);
    assert_eq!(
        run(subject, "{$set: {\"g.$.m\": 5}}", "[]", index),
        document("{_id: 1, g: [{n: 1}, {n: 2, m: 5}]}")
            .as_document()
            .to_string()
    );
    assert_eq!(
        run(subject, "{$set: {\"g.$.m\": 5}}", "[]", None),
        "2: The positional operator did not find the match needed from the query."
    );
    assert_eq!(
        run("{_id: 1, g: [1, 2]}", "{$inc: {\"g.$[]\": 10}}", "[]", None),
        document("{_id: 1, g: [11, 12]}").as_document().to_string()
    );
    assert_eq!(
        run(
            "{_id: 1, g: [{n: 1, x: [1, 9]}, {n: 5, x: [9]}]}",
            "{$set: {\"g.$[i].x.$[big]\": 0, \"g.$[i].m\": 1}}",
            "[{\"i.n\": {$lt: 3}}, {big: {$gt: 5}}]",
            None
        ),
        document("{_id: 1, g: [{n: 1, x: [1, 0], m: 1}, {n: 5, x: [9]}]}")
            .as_document()
            .to_string()
    );
    assert_eq!(
        run(
            "{_id: 1, g: [{n: 1}]}",
            "{$set: {\"g.$[].a\": 1, \"g.$[i].b\": 2}}",
            "[{\"i.n\": 1}]",
            None
        ),
        document("{_id: 1, g: [{n: 1, a: 1, b: 2}]}")
            .as_document()
            .to_string()
    );
    assert_eq!(
        run("{_id: 1}", "{$set: {\"g.$[i]\": 1}}", "[]", None),
        "2: No array filter found for identifier 'i' in path 'g.$[i]'"
    );
    assert!(
        run("{_id: 1}", "{$set: {g: 1}}", "[{i: 1}]", None)
            .starts_with("9: The array filter for identifier 'i' was not used")
    );
    assert_eq!(
        run("{_id: 1}", "{$set: {\"g.$[]\": 1}}", "[]", None),
        "2: The path 'g' must exist in the document in order to apply array updates."
    );
}

fn upsert(query: &str, update: &str) -> Result<DocumentBuf, String> {
    let query: Matcher = matcher(query)?;
    document_for_upsert(
        &compiled(update, "[]")?,
        &query,
        &context(None),
        &mut UpdateScratch::default(),
        &mut || [9; 12],
    )
    .map_err(|error| format!("{}: {}", error.code, error.message))
}

#[test]
fn upserts_take_the_equalities_of_the_query() {
    let expect = |query: &str, update: &str, expected: &str| {
        let made = upsert(query, update).map(|made| made.as_document().to_string());
        assert_eq!(
            made,
            Ok(document(expected).as_document().to_string()),
            "{query}"
        );
    };
    expect(
        "{_id: 1, a: 2, b: {$gt: 5}}",
        "{$set: {c: 1}, $setOnInsert: {d: 2}}",
        "{_id: 1, a: 2, c: 1, d: 2}",
    );
    expect(
        "{\"x.b\": 2, \"x.a\": 1, _id: 7}",
        "{$inc: {\"x.n\": 1}}",
        "{_id: 7, x: {a: 1, b: 2, n: 1}}",
    );
    expect("{a: 5, _id: 1}", "{b: 1}", "{_id: 1, b: 1}");
    expect(
        "{$and: [{a: 1}, {b: 2}], _id: 3}",
        "{$unset: {q: 1}}",
        "{_id: 3, a: 1, b: 2}",
    );
    expect("{a: 1}", "{$set: {_id: 4}}", "{_id: 4, a: 1}");
    let made = upsert("{a: 1}", "{$set: {b: 1}}").expect("the upsert is valid");
    assert!(matches!(made.get("_id"), ValueRef::ObjectId(id) if id == [9; 12]));
    assert_eq!(
        upsert("{a: 1, \"a.b\": 1}", "{$set: {c: 1}}")
            .err()
            .as_deref(),
        Some("54: cannot infer query fields to set, both paths 'a' and 'a.b' are matched")
    );
    assert_eq!(
        upsert("{_id: 1}", "{$set: {_id: 2}}").err().as_deref(),
        Some("66: Performing an update on the path '_id' would modify the immutable field '_id'")
    );
}
