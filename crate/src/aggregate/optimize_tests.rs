//! Random pipelines over random documents: optimised and narrowed they give the same documents as the ones written.
//!
//! Invariant: seeded by `QUIRE_SEED`, `QUIRE_CASES` pipelines each; a failure prints its case, which is enough to see
//! it again.

use super::pipeline::Pipeline;
use super::stage::paths_touch;
use super::testing::{TestNamespaces, array, context, documents, list, pull};
use crate::bson::{DocumentBuf, ValueRef};
use crate::env::testing::given;
use crate::error::CommandError;
use crate::exec::{Documents, Stage};
use crate::expr::testing::show;
use std::rc::Rc;

const CASES: u64 = 10_000;
const SEED: u64 = 0x5eed_0f91;

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

const PATHS: &[&str] = &["a", "b", "c", "c.d", "t", "t.d", "x", "_id", "o.n"];
const VALUES: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "null",
    "'s'",
    "[]",
    "[1, 2]",
    "[1, [2], {d: 1}]",
    "{d: 1}",
    "{d: [2, 0]}",
    "[{d: 1}, {d: 2}]",
    "true",
];

fn document(random: &mut Random, id: usize) -> String {
    let mut fields = vec![format!("_id: {id}")];
    for name in ["a", "b", "c", "t"] {
        if random.below(4) > 0 {
            fields.push(format!("{name}: {}", random.of(VALUES)));
        }
    }
    format!("{{{}}}", fields.join(", "))
}

fn predicate(random: &mut Random) -> String {
    let path = random.of(PATHS);
    let value = random.of(VALUES);
    match random.below(9) {
        0 => format!("{{'{path}': {{$gt: {value}}}}}"),
        1 => format!("{{'{path}': {{$ne: {value}}}}}"),
        2 => format!(
            "{{'{path}': {{$exists: {}}}}}",
            random.of(&["true", "false"])
        ),
        3 => format!("{{'{path}': {{$in: [{value}, 1]}}}}"),
        4 => format!("{{$or: [{{'{path}': {value}}}, {}]}}", predicate(random)),
        5 => format!("{{'{path}': {value}, {}: 1}}", random.of(&["a", "b"])),
        6 => format!("{{$expr: {{$lt: ['${path}', 2]}}}}"),
        7 => format!("{{'{path}': {{$not: {{$lte: {value}}}}}}}"),
        _ => format!("{{'{path}': {value}}}"),
    }
}

fn expression(random: &mut Random) -> String {
    let path = random.of(PATHS);
    match random.below(6) {
        0 => format!("{{$ifNull: ['${path}', 0]}}"),
        1 => format!("{{$type: '${path}'}}"),
        2 => "'$$ROOT'".to_owned(),
        3 => format!("{{$eq: ['${path}', {}]}}", random.of(VALUES)),
        _ => format!("'${path}'"),
    }
}

fn stage(random: &mut Random) -> String {
    let path = random.of(PATHS);
    let other = random.of(&["x", "y", "a", "b"]);
    match random.below(34) {
        0..=4 => format!("{{$match: {}}}", predicate(random)),
        5 => format!(
            "{{$sort: {{'{path}': {}, _id: 1}}}}",
            random.of(&["1", "-1"])
        ),
        6 => format!("{{$skip: {}}}", random.below(4)),
        7 => format!("{{$limit: {}}}", 1 + random.below(5)),
        8 => format!(
            "{{$project: {{'{path}': 1, {other}: {}}}}}",
            expression(random)
        ),
        9 => format!("{{$project: {{'{path}': 1}}}}"),
        10 => format!("{{$project: {{'{path}': 0}}}}"),
        11 | 12 => format!("{{$addFields: {{{other}: {}}}}}", expression(random)),
        13 => format!("{{$addFields: {{'{path}': {}}}}}", expression(random)),
        14 => format!("{{$unset: '{path}'}}"),
        15 => format!("{{$unwind: '${path}'}}"),
        16 => format!(
            "{{$unwind: {{path: '${path}', preserveNullAndEmptyArrays: true, includeArrayIndex: '{other}'}}}}"
        ),
        17 => format!(
            "{{$group: {{_id: '${path}', x: {{$push: '${other}'}}, a: {{$first: '$a'}}, n: {{$sum: 1}}}}}}"
        ),
        18 => format!(
            "{{$lookup: {{from: 'others', localField: '{path}', foreignField: '{}', as: '{}'}}}}",
            random.of(&["a", "_id", "_id"]),
            random.of(&["o", "x", "c", "c.d"])
        ),
        19 => format!("{{$replaceWith: {{$mergeObjects: ['$$ROOT', {{{other}: '${path}'}}]}}}}"),
        20 => format!(
            "{{$unionWith: {{coll: 'others', pipeline: [{{$match: {}}}]}}}}",
            predicate(random)
        ),
        21 => format!("{{$sortByCount: '${path}'}}"),
        22 => format!(
            "{{$lookup: {{from: 'others', localField: '{path}', foreignField: 'a', as: '{0}'}}}}, \
             {{$unwind: {{path: '${0}', preserveNullAndEmptyArrays: {1}}}}}, {{$match: {{'{0}.{2}': {3}, {other}: {4}}}}}",
            random.of(&["o", "x", "c", "c.d"]),
            random.of(&["true", "false", "false"]),
            random.of(&["a", "n", "a.d"]),
            random.of(VALUES),
            random.of(&["1", "{$exists: true}", "{$ne: 2}"]),
        ),
        23 => format!(
            "{{$lookup: {{from: 'others', let: {{v: '${path}'}}, pipeline: [{{$match: {{$expr: {{$gte: ['$a', '$$v']}}}}}}], \
             as: 'o'}}}}, {{$unwind: {{path: '$o', includeArrayIndex: '{other}'}}}}, {{$match: {{'o.a': {{$gt: 0}}, b: 1}}}}",
        ),
        24 => format!(
            "{{$group: {{_id: {{k: '${other}', l: '${path}'}}, n: {{$sum: 1}}}}}}, {{$match: {{'_id.{}': {}}}}}",
            random.of(&["k", "l", "k.d"]),
            random.of(&["1", "null", "{$exists: true}", "{$type: 'int'}", "{$gt: 0}"]),
        ),
        25 => format!(
            "{{$group: {{_id: '${other}', n: {{$sum: 1}}}}}}, {{$match: {{'_id{}': {}}}}}",
            random.of(&["", "", ".d"]),
            random.of(&[
                "1",
                "null",
                "{$exists: false}",
                "{$elemMatch: {d: 1}}",
                "{$gt: 0}",
                "{$ne: null}"
            ]),
        ),
        26 => format!(
            "{{$addFields: {{{other}: '${0}'}}}}, {{$match: {{'{other}{1}': {2}, $expr: {{$lt: ['${other}{1}', 2]}}}}}}",
            random.of(&["a", "c", "c.d", "_id"]),
            random.of(&["", ".d"]),
            random.of(&["1", "null", "{$gt: 0}", "{$elemMatch: {d: 1}}"]),
        ),
        27 => format!(
            "{{$project: {{{other}: '${0}', c: 1}}}}, {{$match: {{$or: [{{{other}: 1}}, {{'c.d': {{$ne: 1}}}}]}}}}",
            random.of(&["a", "c", "t"]),
        ),
        28 => format!(
            "{{$redact: {{$cond: [{{$eq: ['$d', 1]}}, '$$PRUNE', '$$DESCEND']}}}}, {{$match: {}}}",
            predicate(random)
        ),
        30..=33 => {
            let other = random.of(&["y", "z"]);
            grouped(random, other)
        }
        _ => format!(
            "{{$match: {{$nor: [{}, {}]}}}}",
            predicate(random),
            predicate(random)
        ),
    }
}

/// Arrays unwound and grouped, so that items and their positions are bound and not written.
fn grouped(random: &mut Random, other: &str) -> String {
    const ARRAYS: &[&str] = &["c", "c", "t", "c.d", "t.d", "a"];
    let mut stages = Vec::new();
    for _ in 0..1 + random.below(2) {
        let path = random.of(ARRAYS);
        stages.push(match random.below(4) {
            0 => format!("{{$unwind: {{path: '${path}', preserveNullAndEmptyArrays: true}}}}"),
            1 => format!(
                "{{$unwind: {{path: '${path}', includeArrayIndex: '{}', preserveNullAndEmptyArrays: {}}}}}",
                random.of(&["x", "y", "b", "c", "t.d", "y.z"]),
                random.of(&["true", "false"]),
            ),
            _ => format!("{{$unwind: '${path}'}}"),
        });
    }
    const READ: &[&str] = &[
        "a", "b", "c", "c.d", "t", "t.d", "x", "y", "x.d", "_id", "y.z",
    ];
    let key = match random.below(4) {
        0 => format!("{{k: '${}', l: {}}}", random.of(READ), expression(random)),
        1 => "null".to_owned(),
        _ => format!("'${}'", random.of(READ)),
    };
    let pushed = match random.below(4) {
        0 => format!(
            "{{$map: {{input: [1], as: 'm', in: ['$$m', '${}', '$$ROOT.{}']}}}}",
            random.of(READ),
            random.of(READ)
        ),
        1 => format!(
            "{{$ifNull: ['${}', '${}']}}",
            random.of(READ),
            random.of(READ)
        ),
        _ => format!("'${}'", random.of(READ)),
    };
    stages.push(format!(
        "{{$group: {{_id: {key}, x: {{$push: {pushed}}}, {other}: {{$push: '${}'}}, n: {{$sum: 1}}, s: {{$sum: '${}'}}}}}}",
        random.of(READ),
        random.of(READ),
    ));
    stages.join(", ")
}

/// Joined documents read by expressions, so that they are bound and not written, and sometimes otherwise too.
fn joined(random: &mut Random) -> Vec<String> {
    const OUTPUTS: &[&str] = &["o", "o", "o", "x", "c", "c.d", "_id", "a"];
    let output = random.of(OUTPUTS);
    let unwind = match random.below(6) {
        0 => format!("{{$unwind: '${output}'}}"),
        1 => format!("{{$unwind: {{path: '${output}', preserveNullAndEmptyArrays: true}}}}"),
        2 => format!("{{$unwind: {{path: '${output}', includeArrayIndex: 'y'}}}}"),
        _ => String::new(),
    };
    let is_array = unwind.is_empty();
    let read = |random: &mut Random| {
        let below = random.of(&["", ".a", ".a", ".n", ".a.d", ".t.d", ".t", "._id", ".z"]);
        let path = format!("{output}{below}");
        match random.below(12) {
            0..=2 if is_array => format!("{{$first: '${path}'}}"),
            3 if is_array => format!("{{$arrayElemAt: ['${path}', 0]}}"),
            4 if is_array => format!("{{$size: '${path}'}}"),
            5 => format!("{{$map: {{input: [1], as: 'm', in: ['$$m', '$$ROOT.{path}']}}}}"),
            6 => format!("{{$ifNull: ['${path}', '${output}']}}"),
            7 => format!("{{$type: '${path}'}}"),
            8 if random.below(4) == 0 => "'$$ROOT'".to_owned(),
            9 => format!("'${}'", random.of(PATHS)),
            _ => format!("'${path}'"),
        }
    };
    let names = ["y", "z", output, "a", "c.z"];
    let mut used = vec![random.of(&names)];
    let mut fields = vec![format!("'{}': {}", used[0], read(random))];
    for name in [random.of(&names), random.of(PATHS)] {
        if used.iter().any(|used| paths_touch(used, name)) {
            continue;
        }
        used.push(name);
        match random.below(3) {
            0 => fields.push(format!("'{name}': {}", read(random))),
            1 => fields.push(format!("'{name}': 1")),
            _ => {}
        }
    }
    let fields = fields.join(", ");
    let mut stages = vec![
        format!(
            "{{$lookup: {{from: 'others', localField: '{}', foreignField: '{}', as: '{output}'}}}}",
            random.of(&["a", "b", "c", "c.d", "t"]),
            random.of(&["_id", "_id", "a"]),
        ),
        unwind,
        match random.below(3) {
            0 => format!("{{$addFields: {{{fields}}}}}"),
            _ => format!("{{$project: {{{fields}}}}}"),
        },
        match random.below(4) {
            0 => format!("{{$project: {{y: 1, z: 1, '{output}': 1}}}}"),
            1 => "{$project: {y: 1, k: {$ifNull: ['$z', '$a']}}}".to_owned(),
            2 => format!("{{$group: {{_id: '$y', n: {{$push: '${output}'}}}}}}"),
            _ => String::new(),
        },
    ];
    stages.retain(|stage| !stage.is_empty());
    stages
}

fn answer(
    running: Box<dyn Stage>,
    others: &Rc<Vec<DocumentBuf>>,
    finds_equal: bool,
) -> Result<String, CommandError> {
    let mut namespaces = TestNamespaces::with_others(Rc::clone(others));
    namespaces.finds_equal = finds_equal;
    let output = pull(running, &namespaces)?;
    Ok(show(ValueRef::from(&output.finish())))
}

#[test]
fn optimised_pipelines_give_what_they_give_as_written() {
    agree(0, &|random| {
        (0..1 + random.below(5)).map(|_| stage(random)).collect()
    });
}

#[test]
fn unwound_items_that_are_bound_give_what_their_documents_give() {
    agree(0xabc, &|random| {
        let mut stages = Vec::new();
        if random.below(4) == 0 {
            stages.push(stage(random));
        }
        let other = random.of(&["y", "z"]);
        stages.push(grouped(random, other));
        stages
    });
}

#[test]
fn joined_documents_that_are_bound_give_what_written_ones_give() {
    agree(0xdef, &joined);
}

fn agree(kind: u64, pipeline: &dyn Fn(&mut Random) -> Vec<String>) {
    let mut random = Random((given("QUIRE_SEED", SEED) ^ kind).max(1));
    let cases = given("QUIRE_CASES", CASES);
    let others = Rc::new(documents(
        "[{_id: 1, a: 1, z: 0}, {_id: 2, a: [1, 2], t: [{d: 1, e: 2}, {d: [3]}]}, {_id: 3, n: 1}, {_id: 4, a: {d: 1, e: 2}}, \
         {_id: 0, a: [{d: 1}, 5, [{d: 2}]], t: {d: {e: 1}}}, {_id: 's', a: 1, t: {}}]",
    ));
    let mut agreed = 0_u64;
    for case in 0..cases {
        let count = random.below(7);
        let input: Vec<String> = (0..count).map(|id| document(&mut random, id)).collect();
        let input = format!("[{}]", input.join(", "));
        let stages = pipeline(&mut random);
        let text = format!("[{}]", stages.join(", "));
        let stages = list(&text);
        let documents = Rc::new(documents(&input));
        let source = || -> Box<dyn Stage> { Box::new(Documents::new(Rc::clone(&documents))) };
        let context = context();
        let Ok(written) = Pipeline::compile_nested(array(&stages), &context, None) else {
            continue;
        };
        let plain = written
            .stages
            .into_iter()
            .fold(source(), |input, plan| plan.start(input));
        let optimised = Pipeline::compile(array(&stages), &context)
            .unwrap_or_else(|error| panic!("case {case}: {text}: {error}"))
            .start(source());
        // A filter that runs earlier may spare a document that some stage refuses.
        let (Ok(plain), Ok(optimised)) = (
            answer(plain, &others, false),
            answer(optimised, &others, true),
        ) else {
            continue;
        };
        assert_eq!(optimised, plain, "case {case}: {text} over {input}");
        agreed += 1;
    }
    assert!(agreed > cases * 9 / 10, "only {agreed} cases ran");
}
