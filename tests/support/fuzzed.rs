//! The bodies of the fuzz targets, so that tests replay found inputs without a fuzzer.
//!
//! Text inputs hold one Extended JSON document a line, in which some signs stand for bytes (`bytes.rs`); lines that do
//! not parse are passed over. An input that begins
//! with the byte 255, which no text has, is a list of choices: documents are put together of names and values by it.
//! Every function stops on a broken promise: a panic, a reply that is no BSON, an error that says that an invariant
//! broke, data that does not check out.
#![allow(dead_code)]

#[path = "bytes.rs"]
pub mod bytes;

use bytes::with_bytes;
use quire::bson::extended_json::{Format, parse_document, to_string};
use quire::bson::{
    Document, DocumentBuf, DocumentBuilder, MAX_NESTING, ValueRef, compare, validate, values_equal,
};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::expr::CompileContext;
use quire::keycode::{Decoder, TypeBits, component_length, encode};
use quire::pattern::{Pattern, Stopped};
use quire::query::Matcher;

/// The server's error code for broken invariants.
const INTERNAL_ERROR: i64 = 1;
/// Documents that commands and filters meet, beside the input's own.
const STORED: &[&str] = &[
    r#"{"_id": 1, "a": 1, "b": [1, 2, {"c": 3}], "s": "text", "n": null}"#,
    r#"{"_id": 2, "a": [{"b": 1, "c": [1, [2]]}, {"b": 2}], "d": {"$date": {"$numberLong": "0"}}}"#,
    r#"{"_id": "x", "a": {"b": {"c": 1.5}, "0": 1}, "l": {"$numberLong": "9223372036854775807"}}"#,
    r#"{"_id": {"k": 1}, "a": {"$numberDecimal": "0.10"}, "e": [], "o": {"$oid": "0123456789abcdef01234567"}}"#,
];

/// The first byte of a list of choices.
const CHOICES: u8 = 255;
/// Values that choices name, beside small numbers.
const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "\"\"",
    "\"a\"",
    "\"$a\"",
    "\"$$ROOT\"",
    "\"$$this\"",
    "\"$a.b\"",
    "\"UTC\"",
    "\"day\"",
    "\"%Y-%m\"",
    "1.5",
    "{\"$numberLong\": \"9223372036854775807\"}",
    "{\"$numberDouble\": \"NaN\"}",
    "{\"$numberDouble\": \"-0.0\"}",
    "{\"$numberDecimal\": \"1E+6144\"}",
    "{\"$numberDecimal\": \"0.1\"}",
    "{\"$date\": {\"$numberLong\": \"0\"}}",
    "{\"$date\": {\"$numberLong\": \"-9223372036854775808\"}}",
    "{\"$oid\": \"0123456789abcdef01234567\"}",
    "{\"$minKey\": 1}",
    "{\"$maxKey\": 1}",
    "{\"$undefined\": true}",
    "{\"$regularExpression\": {\"pattern\": \"^a\", \"options\": \"i\"}}",
    "{\"$binary\": {\"base64\": \"AAEC\", \"subType\": \"00\"}}",
    "{\"$timestamp\": {\"t\": 1, \"i\": 1}}",
    "\"\\ue0ff\"",
    "\"$a\\ue0ff\"",
    "\"é\\ue0e2\\ue082\"",
    "{\"$regularExpression\": {\"pattern\": \"\\ue0ff\", \"options\": \"\"}}",
];
/// Names of fields and arguments, beside those of COMPAT.md.
const FIELDS: &[&str] = &[
    "a",
    "b",
    "a.b",
    "a.0",
    "s",
    "_id",
    "x",
    "a.$",
    "a.$[]",
    "a.$[x]",
    "input",
    "as",
    "in",
    "cond",
    "initialValue",
    "date",
    "unit",
    "timezone",
    "format",
    "startOfWeek",
    "binSize",
    "amount",
    "startDate",
    "endDate",
    "find",
    "replacement",
    "chars",
    "regex",
    "options",
    "field",
    "value",
    "vars",
    "then",
    "else",
    "branches",
    "default",
    "case",
    "n",
    "sortBy",
    "output",
    "window",
    "documents",
    "range",
    "partitionBy",
    "path",
    "preserveNullAndEmptyArrays",
    "includeArrayIndex",
    "from",
    "localField",
    "foreignField",
    "let",
    "pipeline",
    "into",
    "on",
    "whenMatched",
    "groupBy",
    "boundaries",
    "buckets",
    "granularity",
    "step",
    "bounds",
    "method",
    "to",
    "onError",
    "onNull",
    "p",
    "inputs",
    "useLongestLength",
    "defaults",
    "startWith",
    "connectFromField",
    "connectToField",
    "maxDepth",
    "newRoot",
    "coll",
    "size",
    "$db",
    "c",
    "filter",
    "sort",
    "limit",
    "skip",
    "projection",
    "hint",
    "min",
    "max",
    "cursor",
    "batchSize",
    "query",
    "update",
    "new",
    "remove",
    "upsert",
    "multi",
    "q",
    "u",
    "updates",
    "deletes",
    "key",
    "name",
    "indexes",
    "unique",
    "sparse",
    "partialFilterExpression",
    "expireAfterSeconds",
    "index",
    "validator",
    "capped",
    "arrayFilters",
];

/// Documents put together by a list of choices; every list makes some.
struct Choices<'a> {
    left: &'a [u8],
    names: Vec<&'static str>,
}

impl Choices<'_> {
    fn next(&mut self) -> usize {
        match self.left.split_first() {
            Some((first, rest)) => {
                self.left = rest;
                usize::from(*first)
            }
            None => 0,
        }
    }

    fn name(&mut self) -> &'static str {
        let choice = self.next() * 256 + self.next();
        // Half of them operators and commands.
        match choice % 2 {
            0 => FIELDS[choice / 2 % FIELDS.len()],
            _ => self.names[choice / 2 % self.names.len()],
        }
    }

    fn value(&mut self, name: &str, depth: usize, out: &mut DocumentBuilder) {
        match self.next() % if depth == 0 { 4 } else { 8 } {
            0 | 1 => {
                out.append(name, self.next() as i32 - 3);
            }
            2 | 3 => {
                let text = format!("{{\"v\": {}}}", SCALARS[self.next() % SCALARS.len()]);
                let holder = parse_document(&text).expect("the texts above are values");
                let holder = with_bytes(holder.as_document());
                out.append(name, holder.as_document().get("v"));
            }
            4 => {
                out.begin_array(name);
                for position in 0..self.next() % 4 {
                    self.value(&position.to_string(), depth - 1, out);
                }
                out.end();
            }
            _ => {
                out.begin_document(name);
                self.fields(depth - 1, out);
                out.end();
            }
        }
    }

    fn fields(&mut self, depth: usize, out: &mut DocumentBuilder) {
        for _ in 0..self.next() % 5 {
            let name = self.name();
            self.value(name, depth, out);
        }
    }
}

fn chosen(input: &[u8]) -> Vec<DocumentBuf> {
    let names = include_str!("../../COMPAT.md")
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0))
        .collect();
    let mut choices = Choices { left: input, names };
    let mut documents = Vec::new();
    while documents.len() < 4 && !choices.left.is_empty() {
        let mut out = DocumentBuilder::new();
        choices.fields(5, &mut out);
        documents.push(out.finish());
    }
    documents
}

fn documents(input: &[u8]) -> Vec<DocumentBuf> {
    if let Some((&CHOICES, rest)) = input.split_first() {
        return chosen(rest);
    }
    std::str::from_utf8(input)
        .unwrap_or_default()
        .lines()
        .take(4)
        .filter_map(|line| Some(with_bytes(parse_document(line).ok()?.as_document())))
        .collect()
}

/// BSON: valid bytes are readable to their end, equal themselves, and survive canonical Extended JSON.
pub fn bson(input: &[u8]) {
    let Ok(nesting) = validate(input) else {
        return;
    };
    let document = Document::from_valid_bytes(input);
    visit(document.into());
    assert!(values_equal(document.into(), document.into()));
    for format in [Format::Canonical, Format::Relaxed] {
        let text = to_string(document.into(), format);
        if nesting > MAX_NESTING {
            continue;
        }
        // Field names that look like wrappers (`$oid`) are read as such, or refused.
        let Ok(again) = parse_document(&text) else {
            continue;
        };
        assert!(validate(again.as_bytes()).is_ok(), "{text}");
    }
}

fn visit(value: ValueRef<'_>) {
    match value {
        ValueRef::Document(document) => document.iter().for_each(|element| {
            assert!(element.name.len() < usize::MAX);
            visit(element.value);
        }),
        ValueRef::Array(array) => array.iter().for_each(visit),
        _ => {
            let _ = value.to_string();
        }
    }
}

/// Index keys: any bytes decode or are refused; values keep their order and come back, in both directions.
pub fn keycode(input: &[u8]) {
    let (bits, key) = input.split_at(input.len().min(4));
    for descending in [false, true] {
        let _ = component_length(key, descending);
        let mut decoder = Decoder::new(key, bits);
        let mut out = DocumentBuilder::new();
        while decoder.position() < key.len() {
            if decoder.next_into(descending, "v", &mut out).is_err() {
                break;
            }
        }
        assert!(validate(out.finish().as_bytes()).is_ok());
    }
    if validate(input).is_err() {
        return;
    }
    let values: Vec<ValueRef<'_>> = Document::from_valid_bytes(input)
        .iter()
        .map(|element| element.value)
        .take(8)
        .collect();
    for descending in [false, true] {
        let keys: Vec<(Vec<u8>, TypeBits)> = values
            .iter()
            .map(|value| {
                let (mut key, mut bits) = (Vec::new(), TypeBits::new());
                encode(*value, descending, &mut key, &mut bits);
                assert_eq!(component_length(&key, descending), Ok(key.len()));
                (key, bits)
            })
            .collect();
        for (value, (key, bits)) in values.iter().zip(&keys) {
            let mut out = DocumentBuilder::new();
            let decoded = Decoder::new(key, bits.as_bytes()).next_into(descending, "v", &mut out);
            assert_eq!(decoded, Ok(()), "{value}");
            let out = out.finish();
            assert!(
                compare(out.as_document().get("v"), *value).is_eq(),
                "{value} came back as {}",
                out.as_document()
            );
            for (other, (other_key, _)) in values.iter().zip(&keys) {
                let order = key.cmp(other_key);
                let order = if descending { order.reverse() } else { order };
                assert_eq!(order, compare(*value, *other), "{value} and {other}");
            }
        }
    }
}

/// Filters: the first line is the filter, the others are documents. A filter's canonical form means the same.
pub fn filter(input: &[u8]) {
    let lines = documents(input);
    let Some((filter, rest)) = lines.split_first() else {
        return;
    };
    let env = NativeEnv::fixed(1_767_225_600_000, 1);
    let context = CompileContext::new(&env, 1_767_225_600_000);
    let Ok(matcher) = Matcher::compile(filter.as_document(), &context) else {
        return;
    };
    let printed = matcher.root().to_bson();
    let canonical = Matcher::compile(printed.as_document(), &context);
    let stored: Vec<DocumentBuf> = STORED
        .iter()
        .map(|text| parse_document(text).expect("the texts above are documents"))
        .collect();
    for document in rest.iter().chain(&stored) {
        let answer = matcher.matches(document.as_document(), &env);
        let (Ok(answer), Ok(canonical)) = (answer, &canonical) else {
            continue;
        };
        if has_no_canonical_form(filter.as_document()) {
            continue;
        }
        if let Ok(again) = canonical.matches(document.as_document(), &env) {
            let (filter, document) = (filter.as_document(), document.as_document());
            let printed = printed.as_document();
            assert_eq!(answer, again, "{filter} is not {printed} on {document}");
        }
    }
}

/// Whether a filter draws random numbers, or asks for a field of a reference, which equals any value there.
fn has_no_canonical_form(filter: Document<'_>) -> bool {
    let text = to_string(filter.into(), Format::Relaxed);
    [
        "$rand",
        "$sampleRate",
        "$where",
        "$function",
        "\"$db\"",
        "\"$ref\"",
        "\"$id\"",
    ]
    .iter()
    .any(|name| text.contains(name))
}

/// Regular expressions: the first line is the pattern, behind options and a slash; the rest is a text. A match lies in
/// the text, is found again, and `is_match` agrees with it.
pub fn pattern(input: &[u8]) {
    let Some((first, text)) = std::str::from_utf8(input)
        .ok()
        .and_then(|input| input.split_once('\n'))
    else {
        return;
    };
    let (options, pattern) = first.split_once('/').unwrap_or(("", first));
    let env = NativeEnv::fixed(1_767_225_600_000, 1);
    let Ok(compiled) = Pattern::compile(pattern, options, &env) else {
        return;
    };
    let is_match = compiled.is_match(text, &env);
    let mut from = 0;
    for turn in 0..20 {
        let found = match compiled.find_at(text, from, &env) {
            Ok(found) => found,
            Err(Stopped::Limit(_)) => return,
            Err(Stopped::Command(error)) => panic!("nothing told it to end: {error:?}"),
        };
        let again = compiled.find_at(text, from, &env);
        assert_eq!(again.ok().flatten(), found, "/{pattern}/{options}");
        if turn == 0
            && let Ok(is_match) = is_match
        {
            assert_eq!(is_match, found.is_some(), "/{pattern}/{options}");
        }
        let Some(found) = found else {
            return;
        };
        let whole = Some((found.start, found.end));
        for (start, end) in found.groups.iter().flatten().chain(&whole) {
            assert!(text.get(*start..*end).is_some(), "/{pattern}/{options}");
        }
        from = match text.get(found.end..).and_then(|rest| rest.chars().next()) {
            Some(next) if found.end == found.start => found.end + next.len_utf8(),
            Some(_) => found.end,
            None => return,
        };
    }
}

/// Updates: query, update, and documents that they meet, through the command.
pub fn update(input: &[u8]) {
    let lines = documents(input);
    let [query, change, rest @ ..] = lines.as_slice() else {
        return;
    };
    with_engine(rest, |engine, env| {
        for (multi, upsert) in [(true, false), (false, true)] {
            let mut command = DocumentBuilder::new();
            command.append("update", "c");
            command
                .begin_array("updates")
                .begin_document("0")
                .append("q", query)
                .append("u", change)
                .append("multi", multi)
                .append("upsert", upsert)
                .end()
                .end();
            command.append("$db", "d");
            answer(engine, env, command.finish().as_bytes());
        }
    });
}

/// Pipelines: each line is a stage.
pub fn pipeline(input: &[u8]) {
    let stages = documents(input);
    with_engine(&[], |engine, env| {
        for explain in [false, true] {
            let mut command = DocumentBuilder::new();
            command.append("aggregate", "c").begin_array("pipeline");
            for (position, stage) in stages.iter().enumerate() {
                command.append(&position.to_string(), stage);
            }
            command.end().begin_document("cursor").end();
            if explain {
                command.append("explain", true);
            }
            command.append("$db", "d");
            answer(engine, env, command.finish().as_bytes());
        }
    });
}

/// Commands: each line is one; bytes that are no text are given to the engine as they are.
pub fn command(input: &[u8]) {
    with_engine(&[], |engine, env| {
        answer(engine, env, input);
        for command in documents(input) {
            answer(engine, env, command.as_bytes());
            let mut with_database = DocumentBuilder::new();
            for element in command.as_document().iter() {
                with_database.append(element.name, element.value);
            }
            with_database.append("$db", "d");
            answer(engine, env, with_database.finish().as_bytes());
        }
    });
}

/// Runs a command and holds its reply to the promises of every reply.
fn answer(engine: &mut Engine, env: &NativeEnv, command: &[u8]) {
    let outcome = engine.run(command, env);
    assert!(validate(&outcome.reply).is_ok(), "the reply is no BSON");
    let reply = Document::from_valid_bytes(&outcome.reply);
    if !reply.get("ok").is_truthy() {
        let code = reply.get("code").as_exact_i64();
        assert!(code.is_some(), "{reply}");
        assert_ne!(code, Some(INTERNAL_ERROR), "{reply}");
    }
}

/// A small deployment with indexes, checked after `work`.
fn with_engine(documents: &[DocumentBuf], work: impl FnOnce(&mut Engine, &NativeEnv)) {
    let env = NativeEnv::fixed(1_767_225_600_000, 1);
    let mut engine = Engine::create(&env).expect("an empty deployment opens");
    let mut insert = DocumentBuilder::new();
    insert.append("insert", "c").begin_array("documents");
    for (position, text) in STORED.iter().enumerate() {
        let document = parse_document(text).expect("the texts above are documents");
        insert.append(&position.to_string(), &document);
    }
    insert.end().append("$db", "d");
    answer(&mut engine, &env, insert.finish().as_bytes());
    for document in documents {
        let mut insert = DocumentBuilder::new();
        insert.append("insert", "c").begin_array("documents");
        insert.append("0", document);
        insert.end().append("$db", "d");
        answer(&mut engine, &env, insert.finish().as_bytes());
    }
    let indexes = r#"{"createIndexes": "c", "indexes": [{"key": {"a.b": 1, "s": -1}, "name": "ab"}, {"key": {"$**": 1}, "name": "all"}], "$db": "d"}"#;
    let indexes = parse_document(indexes).expect("the text above is a document");
    answer(&mut engine, &env, indexes.as_bytes());
    work(&mut engine, &env);
    let check = r#"{"validate": "c", "full": true, "$db": "d"}"#;
    let check = parse_document(check).expect("the text above is a document");
    let outcome = engine.run(check.as_bytes(), &env);
    let reply = Document::from_valid_bytes(&outcome.reply);
    if reply.get("ok").is_truthy() {
        assert_eq!(reply.get("valid").as_bool(), Some(true), "{reply}");
    }
}
