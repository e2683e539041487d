//! Projections as a whole: kinds, nesting, order, refusals, dependencies.

use super::Projection;
use crate::bson::DocumentBuilder;
use crate::expr::CompileContext;
use crate::query::testing::{TestEnv, document, matcher, projected};

const SUBJECT: &str = "{_id: 1, a: 2, b: {c: 3, d: 4}, e: [{f: 5, g: 6}, 7, [{f: 8}]]}";

fn of(projection: &str) -> String {
    projected(projection, "{}", SUBJECT)
}

#[test]
fn inclusion_keeps_the_named_fields_in_document_order() {
    assert_eq!(of("{b: 1, a: 1}"), "{ _id: 1, a: 2, b: { c: 3, d: 4 } }");
    assert_eq!(of("{_id: 0, a: true}"), "{ a: 2 }");
    assert_eq!(of("{a: 1, _id: 1}"), "{ _id: 1, a: 2 }");
    assert_eq!(of("{_id: 1}"), "{ _id: 1 }");
    assert_eq!(of("{z: 1}"), "{ _id: 1 }");
    assert_eq!(of("{\"b.d\": 1}"), "{ _id: 1, b: { d: 4 } }");
    assert_eq!(of("{b: {d: 1}}"), "{ _id: 1, b: { d: 4 } }");
    assert_eq!(
        of("{\"e.f\": 1}"),
        "{ _id: 1, e: [ { f: 5 }, [ { f: 8 } ] ] }"
    );
    assert_eq!(of("{\"a.x\": 1, \"b.x\": 1}"), "{ _id: 1, b: {} }");
}

#[test]
fn exclusion_keeps_the_rest() {
    assert_eq!(of("{a: 0, e: 0}"), "{ _id: 1, b: { c: 3, d: 4 } }");
    assert_eq!(of("{_id: 0, b: 0, e: 0}"), "{ a: 2 }");
    assert_eq!(of("{\"b.c\": 0, e: 0}"), "{ _id: 1, a: 2, b: { d: 4 } }");
    assert_eq!(
        of("{a: 0, b: 0, \"e.f\": 0}"),
        "{ _id: 1, e: [ { g: 6 }, 7, [ {} ] ] }"
    );
    assert_eq!(
        of("{_id: 0, \"e.f\": 0.0, a: false, b: 0}"),
        "{ e: [ { g: 6 }, 7, [ {} ] ] }"
    );
    assert_eq!(of("{_id: 1, b: 0, e: 0}"), "{ _id: 1, a: 2 }");
}

#[test]
fn computed_fields_follow_in_the_order_of_the_specification() {
    assert_eq!(of("{z: \"$a\", a: 1}"), "{ _id: 1, a: 2, z: 2 }");
    assert_eq!(of("{a: \"$b.c\"}"), "{ _id: 1, a: 3 }");
    assert_eq!(of("{z: \"text\"}"), "{ _id: 1, z: \"text\" }");
    assert_eq!(of("{z: \"$absent\"}"), "{ _id: 1 }");
    assert_eq!(of("{_id: 0, z: {$add: [\"$a\", 1]}}"), "{ z: 3 }");
    assert_eq!(of("{z: {y: \"$a\"}}"), "{ _id: 1, z: { y: 2 } }");
    assert_eq!(
        of("{\"b.z\": \"$a\", \"b.c\": 1}"),
        "{ _id: 1, b: { c: 3, z: 2 } }"
    );
}

#[test]
fn elem_match_keeps_the_first_matching_item() {
    let subject = "{_id: 1, a: [{b: 1}, {b: 2, c: 3}], d: 4}";
    assert_eq!(
        projected("{a: {$elemMatch: {b: {$gt: 1}}}}", "{}", subject),
        "{ _id: 1, a: [ { b: 2, c: 3 } ] }"
    );
    assert_eq!(
        projected("{a: {$elemMatch: {b: 9}}, d: 1}", "{}", subject),
        "{ _id: 1, d: 4 }"
    );
    assert_eq!(
        projected("{a: {$elemMatch: {b: 1}}, d: 1}", "{}", subject),
        "{ _id: 1, d: 4, a: [ { b: 1 } ] }"
    );
}

#[test]
fn wrong_specifications_are_refused() {
    for (projection, expected) in [
        (
            "{a: 1, b: 0}",
            "31254: Cannot do exclusion on field b in inclusion projection",
        ),
        (
            "{a: 0, b: 1}",
            "31253: Cannot do inclusion on field b in exclusion projection",
        ),
        (
            "{a: 1, \"a.b\": 1}",
            "31249: Path collision at a.b remaining portion b",
        ),
        ("{\"a.b\": 1, a: 1}", "31250: Path collision at a"),
        ("{a: 1, a: 1}", "31250: Path collision at a"),
        (
            "{a: 0, b: \"$c\"}",
            "31252: Cannot use expression other than $meta in exclusion projection",
        ),
        (
            "{a: {}}",
            "51270: An empty sub-projection is not a valid value. Found empty object at path a",
        ),
        (
            "{\"a.b\": {$elemMatch: {c: 1}}}",
            "31275: Cannot use $elemMatch projection on a nested field.",
        ),
        (
            "{a: {$elemMatch: 5}}",
            "31274: elemMatch: Invalid argument, object required, but got int",
        ),
        (
            "{a: {$meta: \"nonsense\"}}",
            "17308: Unsupported argument to $meta: nonsense",
        ),
    ] {
        assert_eq!(of(projection), expected, "{projection}");
    }
    assert!(of("{$a: 1}").starts_with("16410: "));
    assert!(of("{\"a.\": 1}").starts_with("40353: "));
}

#[test]
fn tells_what_it_needs() {
    let compile = |projection: &str| {
        let projection = document(projection);
        let filter = matcher("{}").expect("a valid filter");
        Projection::compile(
            projection.as_document(),
            &filter,
            &CompileContext::new(&TestEnv, 0),
        )
        .expect("a valid projection")
    };
    let projection = compile("{a: 1, \"b.c\": 1, _id: 0}");
    assert_eq!(projection.dependencies().paths, ["a", "b.c"]);
    assert!(projection.is_covered_by(&["b.c", "a"]));
    assert!(!projection.is_covered_by(&["a"]));
    assert!(!projection.is_simple());
    let with_id = compile("{a: 1}");
    assert!(with_id.is_simple());
    assert!(!with_id.is_covered_by(&["a"]));
    assert!(with_id.is_covered_by(&["a", "_id"]));
    assert!(compile("{a: 0}").dependencies().whole_document);
    let computed = compile("{_id: 0, z: {$add: [\"$a\", \"$b.c\"]}}");
    assert!(computed.is_covered_by(&["a", "b.c"]));
    assert!(compile("{}").is_empty());
}

#[test]
fn stages_and_added_fields() {
    let context = CompileContext::new(&TestEnv, 0);
    let run = |projection: Result<Projection, crate::error::CommandError>| {
        let subject = document(SUBJECT);
        let mut output = DocumentBuilder::new();
        projection
            .and_then(|projection| projection.apply(subject.as_document(), &mut output, &TestEnv))
            .map(|()| output.finish().as_document().to_string())
            .map_err(|error| error.code)
    };
    let add = |text: &str| {
        run(Projection::compile_add_fields(
            document(text).as_document(),
            &context,
        ))
    };
    assert_eq!(
        add("{a: \"$b.c\", e: 1, z: {y: 0}}").as_deref(),
        Ok("{ _id: 1, a: 3, b: { c: 3, d: 4 }, e: 1, z: { y: 0 } }")
    );
    assert_eq!(
        add("{\"b.c\": \"x\", \"e.h\": true, a: \"$absent\"}").as_deref(),
        Ok("{ _id: 1, b: { c: \"x\", d: 4 }, \
             e: [ { f: 5, g: 6, h: true }, { h: true }, [ { f: 8, h: true } ] ] }")
    );
    assert_eq!(add("{a: 1, \"a.b\": 1}"), Err(40176));
    let stage = |text: &str| {
        run(Projection::compile_stage(
            document(text).as_document(),
            &context,
        ))
    };
    assert_eq!(stage("{a: 1}").as_deref(), Ok("{ _id: 1, a: 2 }"));
    assert_eq!(stage("{}"), Err(51272));
}
