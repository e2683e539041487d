//! Strings of any bytes: stored as they are, compared by their bytes, indexed, given back unchanged, as on a server.
//!
//! Commands and answers are Extended JSON, in which a sign from U+E000 on stands for a byte (`support/bytes.rs`).
//! Answers are compared by their own bytes: one that lost some would hold U+FFFD. Expressions follow the server byte by
//! byte, with its errors (`substr_utils.cpp`, `str_trim_utils.cpp`, `evaluate_string.cpp`).

use crate::support::bytes::{with_bytes, with_signs};
use quire::bson::extended_json::{Format, parse_document, to_string};
use quire::bson::{Document, DocumentBuf, ValueRef, validate};
use quire::engine::Engine;
use quire::env::native::NativeEnv;

/// Documents whose strings ascend by their bytes; `\ue0…` are no UTF-8.
const DOCUMENTS: &str = r#"
    {"_id": 1, "s": "a"},
    {"_id": 2, "s": "a\ue080"},
    {"_id": 3, "s": "é"},
    {"_id": 4, "s": "\ue0fe"},
    {"_id": 5, "s": "\ue0ff"},
    {"_id": 6, "s": "\ue0ffa"}"#;

struct Deployment {
    engine: Engine,
    env: NativeEnv,
}

impl Deployment {
    fn new() -> Self {
        let env = NativeEnv::fixed(1_767_225_600_000, 1);
        let engine = Engine::create(&env).expect("an empty deployment opens");
        Self { engine, env }
    }

    /// A deployment with the documents above in `d.c`.
    fn filled() -> Self {
        let mut deployment = Self::new();
        deployment.ok(&format!(r#"{{"insert": "c", "documents": [{DOCUMENTS}]}}"#));
        deployment
    }

    fn reply(&mut self, command: &str) -> DocumentBuf {
        let text = command.trim_end().strip_suffix('}').unwrap_or(command);
        let parsed = parse_document(&format!("{text}, \"$db\": \"d\"}}"));
        let parsed = parsed.unwrap_or_else(|error| panic!("{command}: {error:?}"));
        let command = with_bytes(parsed.as_document());
        let reply = self.engine.run(command.as_bytes(), &self.env).reply;
        assert!(validate(&reply).is_ok());
        with_signs(Document::from_valid_bytes(&reply))
    }

    /// The reply of a command that succeeds.
    fn ok(&mut self, command: &str) -> DocumentBuf {
        let reply = self.reply(command);
        let failed = !reply.get("writeErrors").is_missing();
        assert!(
            reply.get("ok").is_truthy() && !failed,
            "{command}: {}",
            reply.as_document()
        );
        reply
    }

    /// What a command finds.
    fn found(&mut self, command: &str) -> String {
        let reply = self.ok(command);
        let cursor = reply.get("cursor").as_document();
        let batch = cursor.map_or(reply.get("values"), |cursor| cursor.get("firstBatch"));
        to_string(batch, Format::Relaxed)
    }

    /// The code and the message of a command that fails, or of its first write error.
    fn refused(&mut self, command: &str) -> String {
        let reply = self.reply(command);
        let errors = reply.get("writeErrors").as_array();
        let first = errors.and_then(|errors| errors.get(0).as_document());
        let failed = first.unwrap_or(reply.as_document());
        let code = failed.get("code").as_exact_i64();
        let code = code.unwrap_or_else(|| panic!("{command} succeeds"));
        format!(
            "{code}: {}",
            failed.get("errmsg").as_str().unwrap_or_default()
        )
    }

    /// The value of an expression over the document of that `_id`.
    fn value(&mut self, id: i32, expression: &str) -> String {
        let found = self.found(&one(id, expression));
        let value = found
            .strip_prefix(r#"[{"v":"#)
            .and_then(|text| text.strip_suffix("}]"));
        value.unwrap_or(&found).to_owned()
    }

    fn ids(&mut self, filter: &str) -> String {
        let found = self.found(&format!(
            r#"{{"find": "c", "filter": {filter}, "sort": {{"_id": 1}}, "projection": {{"_id": 1}}}}"#
        ));
        found.replace(r#"{"_id":"#, "").replace('}', "")
    }
}

fn one(id: i32, expression: &str) -> String {
    format!(
        r#"{{"aggregate": "c", "pipeline": [{{"$match": {{"_id": {id}}}}}, {{"$project": {{"_id": 0, "v": {expression}}}}}], "cursor": {{}}}}"#
    )
}

/// Signs as the JSON of an answer has them.
fn signs(text: &str) -> String {
    let parsed = parse_document(&format!(r#"{{"v": {text}}}"#)).expect("the text is JSON");
    to_string(parsed.as_document().get("v"), Format::Relaxed)
}

#[test]
fn strings_of_any_bytes_are_stored_and_given_back() {
    let mut deployment = Deployment::new();
    // Each type that holds a text, and the driver's own case: a sign cut in its middle.
    let document = r#"{"_id": 1, "s": "\ue0f0\ue09f", "n": {"a": ["\ue0ff", {"b": "é\ue0c3"}]}, "y": {"$symbol": "\ue080"},
        "c": {"$code": "\ue0fe"}, "w": {"$code": "\ue0fd", "$scope": {"x": "\ue0ff"}},
        "r": {"$regularExpression": {"pattern": "\ue0ff(", "options": "i"}},
        "p": {"$dbPointer": {"$ref": "d.\ue0ff", "$id": {"$oid": "0123456789abcdef01234567"}}}}"#;
    deployment.ok(&format!(r#"{{"insert": "c", "documents": [{document}]}}"#));
    let expected = parse_document(document).expect("the text is Extended JSON");
    let found = deployment.found(r#"{"find": "c"}"#);
    assert_eq!(
        found,
        format!("[{}]", to_string((&expected).into(), Format::Relaxed))
    );
    // As it passes through pipelines into another collection, and through updates.
    deployment.ok(
        r#"{"aggregate": "c", "pipeline": [{"$addFields": {"t": "$s"}}, {"$out": "o"}], "cursor": {}}"#,
    );
    deployment.ok(
        r#"{"update": "o", "updates": [{"q": {}, "u": {"$set": {"s": "\ue0ff", "l": ["\ue0ff", "\ue0fe"]}, "$unset": {"n": 1, "y": 1, "c": 1, "w": 1, "r": 1, "p": 1}}}]}"#,
    );
    deployment.ok(
        r#"{"update": "o", "updates": [{"q": {}, "u": {"$pull": {"l": "\ue0ff"}, "$rename": {"t": "u"}}}]}"#,
    );
    deployment.ok(
        r#"{"update": "o", "updates": [{"q": {}, "u": {"$addToSet": {"l": {"$each": ["\ue0fe", "\ue0fd"]}}}}]}"#,
    );
    assert_eq!(
        deployment.found(r#"{"find": "o"}"#),
        signs(r#"[{"_id": 1, "s": "\ue0ff", "l": ["\ue0fe", "\ue0fd"], "u": "\ue0f0\ue09f"}]"#)
    );
    // The same bytes are no change; others that look alike are one.
    for (text, modified) in [(r"\ue0ff", 0), (r"\ue0fe", 1), (r"\ufffd", 1)] {
        let update = format!(
            r#"{{"update": "o", "updates": [{{"q": {{}}, "u": {{"$set": {{"s": "{text}"}}}}}}]}}"#
        );
        let reply = deployment.ok(&update);
        assert_eq!(
            reply.get("nModified").as_exact_i64(),
            Some(modified),
            "{text}"
        );
    }
    let checked = deployment.ok(r#"{"validate": "c"}"#);
    assert!(checked.get("valid").is_truthy());
}

#[test]
fn bytes_decide_equality_and_order() {
    for index in [
        None,
        Some(r#"{"s": 1}"#),
        Some(r#"{"s": -1}"#),
        Some(r#"{"s": "hashed"}"#),
        Some(r#"{"$**": 1}"#),
    ] {
        let mut deployment = Deployment::filled();
        if let Some(key) = index {
            deployment.ok(&format!(
                r#"{{"createIndexes": "c", "indexes": [{{"key": {key}, "name": "i"}}]}}"#
            ));
        }
        for (filter, ids) in [
            (r#"{"s": "\ue0ff"}"#, "[5]"),
            (r#"{"s": "\ufffd"}"#, "[]"),
            (r#"{"s": {"$gt": "é"}}"#, "[4,5,6]"),
            (r#"{"s": {"$gte": "a\ue080", "$lt": "\ue0ff"}}"#, "[2,3,4]"),
            (
                r#"{"s": {"$in": ["\ue0fe", "a\ue080", "\ue0fd"]}}"#,
                "[2,4]",
            ),
            (r#"{"s": {"$ne": "\ue0ff"}}"#, "[1,2,3,4,6]"),
            (r#"{"s": {"$nin": ["\ue0ff", "\ue0ffa"]}}"#, "[1,2,3,4]"),
            (r#"{"s": {"$type": "string"}}"#, "[1,2,3,4,5,6]"),
            (r#"{"$expr": {"$eq": ["$s", "\ue0fe"]}}"#, "[4]"),
            (r#"{"$or": [{"s": "\ue0fe"}, {"s": "a"}]}"#, "[1,4]"),
            (
                r#"{"$jsonSchema": {"properties": {"s": {"maxLength": 1}}}}"#,
                "[1,2,3,4,5]",
            ),
            // The server's library for regular expressions refuses to look at such strings.
            (r#"{"s": {"$regex": "a"}}"#, "[1]"),
            (r#"{"s": {"$not": {"$regex": "a"}}}"#, "[2,3,4,5,6]"),
        ] {
            assert_eq!(deployment.ids(filter), ids, "{filter} by {index:?}");
        }
        let sorted = r#"{"find": "c", "sort": {"s": -1}, "projection": {"_id": 0, "s": 1}, "filter": {"s": {"$gt": "a"}}}"#;
        assert_eq!(
            deployment.found(sorted),
            signs(
                r#"[{"s": "\ue0ffa"}, {"s": "\ue0ff"}, {"s": "\ue0fe"}, {"s": "é"}, {"s": "a\ue080"}]"#
            )
        );
        let checked = deployment.ok(r#"{"validate": "c"}"#);
        assert!(checked.get("valid").is_truthy());
        deployment.ok(r#"{"delete": "c", "deletes": [{"q": {"s": "\ue0ff"}, "limit": 0}]}"#);
        assert_eq!(deployment.ids("{}"), "[1,2,3,4,6]");
    }
}

#[test]
fn groups_sets_and_joins_go_by_bytes() {
    let mut deployment = Deployment::filled();
    deployment.ok(r#"{"insert": "c", "documents": [{"_id": 7, "s": "\ue0ff"}]}"#);
    let distinct = deployment.found(r#"{"distinct": "c", "key": "s"}"#);
    assert_eq!(
        distinct,
        signs(r#"["a", "a\ue080", "é", "\ue0fe", "\ue0ff", "\ue0ffa"]"#)
    );
    for (stages, expected) in [
        (
            r#"{"$group": {"_id": "$s", "n": {"$sum": 1}}}, {"$match": {"n": 2}}"#,
            r#"[{"_id": "\ue0ff", "n": 2}]"#,
        ),
        (
            r#"{"$match": {"_id": {"$gte": 5}}}, {"$sortByCount": "$s"}"#,
            r#"[{"_id": "\ue0ff", "count": 2}, {"_id": "\ue0ffa", "count": 1}]"#,
        ),
        (
            r#"{"$match": {"_id": {"$gte": 4}}}, {"$group": {"_id": null, "l": {"$min": "$s"}, "m": {"$max": "$s"}, "f": {"$first": "$s"}}}"#,
            r#"[{"_id": null, "l": "\ue0fe", "m": "\ue0ffa", "f": "\ue0fe"}]"#,
        ),
        (
            r#"{"$match": {"_id": 5}}, {"$lookup": {"from": "c", "localField": "s", "foreignField": "s", "as": "j"}}, {"$project": {"_id": 0, "n": "$j._id"}}"#,
            r#"[{"n": [5, 7]}]"#,
        ),
        (
            r#"{"$match": {"_id": {"$in": [4, 5, 7]}}}, {"$setWindowFields": {"partitionBy": "$s", "sortBy": {"_id": 1}, "output": {"n": {"$sum": 1}}}}, {"$sort": {"_id": 1}}, {"$project": {"_id": 0, "n": 1}}"#,
            r#"[{"n": 1}, {"n": 2}, {"n": 2}]"#,
        ),
    ] {
        let command = format!(r#"{{"aggregate": "c", "pipeline": [{stages}], "cursor": {{}}}}"#);
        assert_eq!(deployment.found(&command), signs(expected), "{stages}");
    }
}

#[test]
fn unique_indexes_tell_bytes_apart() {
    let mut deployment = Deployment::filled();
    deployment.ok(
        r#"{"createIndexes": "c", "indexes": [{"key": {"s": 1}, "name": "s_1", "unique": true, "partialFilterExpression": {"s": {"$gte": "\ue0fe"}}}]}"#,
    );
    deployment.ok(
        r#"{"insert": "c", "documents": [{"_id": 7, "s": "a"}, {"_id": 8, "s": "\ue0fe\ue0fe"}]}"#,
    );
    // Messages are for people: there U+FFFD stands for bytes that are no text.
    assert_eq!(
        deployment.refused(r#"{"insert": "c", "documents": [{"_id": 9, "s": "\ue0ff"}]}"#),
        "11000: E11000 duplicate key error collection: d.c index: s_1 dup key: { s: \"\u{FFFD}\" }"
    );
    let reply = deployment.reply(r#"{"insert": "c", "documents": [{"_id": 9, "s": "\ue0ff"}]}"#);
    let errors = reply.get("writeErrors").as_array().expect("an error");
    let key = errors
        .get(0)
        .as_document()
        .map(|error| error.get("keyValue"));
    let key = to_string(key.unwrap_or(ValueRef::Missing), Format::Relaxed);
    assert_eq!(key, signs(r#"{"s": "\ue0ff"}"#));
    let indexes = deployment.found(r#"{"listIndexes": "c"}"#);
    assert!(
        indexes.contains(&signs(r#"{"s": {"$gte": "\ue0fe"}}"#)),
        "{indexes}"
    );
}

#[test]
fn expressions_follow_the_bytes() {
    let mut deployment = Deployment::filled();
    for (id, expression, expected) in [
        (
            5,
            r#"{"$concat": ["$s", "b", "\ue0fe"]}"#,
            r#""\ue0ffb\ue0fe""#,
        ),
        (6, r#"{"$toUpper": "$s"}"#, r#""\ue0ffA""#),
        (6, r#"{"$toLower": "\ue0ffÀB"}"#, r#""\ue0ffÀb""#),
        (6, r#"{"$strcasecmp": ["$s", "\ue0ffA"]}"#, "0"),
        (6, r#"{"$strcasecmp": ["$s", "\ue0feA"]}"#, "1"),
        (6, r#"{"$strLenBytes": "$s"}"#, "2"),
        (2, r#"{"$strLenBytes": "$s"}"#, "2"),
        (2, r#"{"$strLenCP": "$s"}"#, "1"),
        (6, r#"{"$strLenCP": "$s"}"#, "2"),
        (6, r#"{"$binarySize": "$s"}"#, "2"),
        (6, r#"{"$substrBytes": ["$s", 1, 1]}"#, r#""a""#),
        (6, r#"{"$substrBytes": ["$s", 0, 1]}"#, r#""\ue0ff""#),
        (2, r#"{"$substrCP": ["$s", 0, 1]}"#, r#""a""#),
        (1, r#"{"$substrCP": ["é\ue0c3", 1, 5]}"#, r#""\ue0c3""#),
        (6, r#"{"$indexOfBytes": ["$s", "a"]}"#, "1"),
        (6, r#"{"$indexOfBytes": ["é", "\ue0a9"]}"#, "1"),
        (6, r#"{"$indexOfBytes": ["é\ue0fe-", "-", 1]}"#, "3"),
        (6, r#"{"$indexOfCP": ["éa\ue0c3b", "\ue0c3b"]}"#, "2"),
        (6, r#"{"$indexOfCP": ["éa", "\ue0a9"]}"#, "-1"),
        (
            6,
            r#"{"$split": ["é\ue0ffb\ue0ff", "\ue0ff"]}"#,
            r#"["é", "b", ""]"#,
        ),
        (6, r#"{"$split": ["\ue0ff-b", "-"]}"#, r#"["\ue0ff", "b"]"#),
        (
            6,
            r#"{"$replaceOne": {"input": "$s", "find": "\ue0ff", "replacement": "\ue0fe"}}"#,
            r#""\ue0fea""#,
        ),
        (
            6,
            r#"{"$replaceAll": {"input": "\ue0ffé\ue0ff", "find": "\ue0ff", "replacement": "--"}}"#,
            r#""--é--""#,
        ),
        (6, r#"{"$trim": {"input": " \ue0ff "}}"#, r#""\ue0ff""#),
        (
            6,
            r#"{"$trim": {"input": "$s", "chars": "\ue0ff"}}"#,
            r#""a""#,
        ),
        (
            6,
            r#"{"$rtrim": {"input": "é\ue0ffaé\ue0ff", "chars": "\ue0ffé"}}"#,
            r#""é\ue0ffa""#,
        ),
        (5, r#"{"$toString": "$s"}"#, r#""\ue0ff""#),
        (5, r#"{"$cmp": ["$s", "\ue0fe"]}"#, "1"),
        (5, r#"{"$in": ["$s", ["\ue0fe", "\ue0ff"]]}"#, "true"),
        (
            5,
            r#"{"$setUnion": [["\ue0ff", "\ue0fe"], ["$s"]]}"#,
            r#"["\ue0fe", "\ue0ff"]"#,
        ),
        (5, r#"{"$ifNull": ["$s", 1]}"#, r#""\ue0ff""#),
        (5, r#"{"$literal": "$\ue0ff"}"#, r#""$\ue0ff""#),
        (
            5,
            r#"{"$arrayToObject": [[["k", "$s"]]]}"#,
            r#"{"k": "\ue0ff"}"#,
        ),
        (
            5,
            r#"{"$convert": {"input": "$s", "to": "int", "onError": "no"}}"#,
            r#""no""#,
        ),
        (
            5,
            r#"{"$dateFromString": {"dateString": "$s", "onError": "no"}}"#,
            r#""no""#,
        ),
    ] {
        assert_eq!(
            deployment.value(id, expression),
            signs(expected),
            "{expression}"
        );
    }
}

#[test]
fn what_needs_text_says_so() {
    let mut deployment = Deployment::filled();
    for (expression, expected) in [
        (r#"{"$substrBytes": ["a\ue080", 1, 1]}"#, "28656: "),
        (r#"{"$substrBytes": ["a\ue080", 0, 1]}"#, "28657: "),
        (
            r#"{"$substrCP": ["\ue080a", 1, 1]}"#,
            "34456: $substrCP: invalid UTF-8 string",
        ),
        (
            r#"{"$substrCP": ["\ue0ffa", 1, 1]}"#,
            "34457: $substrCP: invalid UTF-8 string",
        ),
        (
            r#"{"$substrCP": ["\ue080a", 0, 1]}"#,
            "34458: $substrCP: invalid UTF-8 string",
        ),
        (
            r#"{"$substrCP": ["\ue0ffa", 0, 1]}"#,
            "34459: $substrCP: invalid UTF-8 string",
        ),
        (
            r#"{"$indexOfCP": ["a\ue080", "b"]}"#,
            "40095: $indexOfCP found bad UTF-8 in the input",
        ),
        (
            r#"{"$trim": {"input": "a", "chars": "a\ue080"}}"#,
            "5156305: Failed to parse \"chars\" argument to $trim/$ltrim/$rtrim: Detected invalid UTF-8. Got \
             continuation byte when expecting the start of a new code point.",
        ),
        (
            r#"{"$trim": {"input": "a", "chars": "a\ue0c3"}}"#,
            "5156304: Failed to parse \"chars\" argument to $trim/$ltrim/$rtrim: Detected invalid UTF-8. Missing \
             expected continuation byte at end of string.",
        ),
        (
            r#"{"$regexMatch": {"input": "a\ue080", "regex": "a"}}"#,
            "51156: Error occurred while executing the regular expression in $regexMatch. Result code: UTF-8 error: \
             isolated byte with 0x80 bit set",
        ),
        (
            r#"{"$regexFind": {"input": "a", "regex": "\ue0ff"}}"#,
            "51111: Invalid Regex in $regexFind: UTF-8 error: illegal byte (0xfe or 0xff)",
        ),
        (
            r#"{"$toInt": "1\ue0ff"}"#,
            "241: Failed to parse number '1\u{FFFD}' in $convert with no onError value: Did not consume whole string.",
        ),
        (
            r#"{"$convert": {"input": "\ue0ff", "to": "binData", "format": "utf8"}}"#,
            "241: Failed to parse BinData '\u{FFFD}' in $convert with no onError value: Invalid UTF-8: \u{FFFD}",
        ),
        (
            r#"{"$dateToString": {"date": {"$date": "2026-01-01T00:00:00Z"}, "format": "\ue0ff"}}"#,
            "2: ",
        ),
        (
            r#"{"$dateToString": {"date": {"$date": "2026-01-01T00:00:00Z"}, "timezone": "\ue0ff"}}"#,
            "40485: ",
        ),
        // Names are UTF-8.
        (r#""$\ue0ff""#, "2: a text is not valid UTF-8: '$\u{FFFD}'"),
        (r#"{"$arrayToObject": [[["\ue0ff", 1]]]}"#, "2: "),
        (
            r#"{"$setField": {"field": "\ue0ff", "input": {}, "value": 1}}"#,
            "2: ",
        ),
    ] {
        let refusal = deployment.refused(&one(1, expression));
        let (code, text) = expected.split_once(": ").unwrap_or((expected, ""));
        let is_so = refusal.starts_with(&format!("{code}: ")) && refusal.ends_with(text);
        assert!(is_so, "{expression}: {refusal}");
    }
    for (command, expected) in [
        (
            r#"{"find": "c", "filter": {"s": {"$regex": "a\ue0ff"}}}"#,
            "51091: Regular expression is invalid: UTF-8 error: illegal byte (0xfe or 0xff)",
        ),
        (
            r#"{"find": "c", "filter": {"s": {"$regex": "a", "$options": "\ue0ff"}}}"#,
            "51108: ",
        ),
        (
            r#"{"find": "\ue0ff"}"#,
            "73: a text is not valid UTF-8: '\u{FFFD}'",
        ),
        (r#"{"insert": "\ue0ff", "documents": [{}]}"#, "73: "),
        (r#"{"create": "\ue0ff"}"#, "73: "),
        (
            r#"{"aggregate": "c", "pipeline": [{"$out": "\ue0ff"}], "cursor": {}}"#,
            "73: ",
        ),
        (
            r#"{"aggregate": "c", "pipeline": [{"$merge": "\ue0ff"}], "cursor": {}}"#,
            "73: ",
        ),
        (
            r#"{"aggregate": "c", "pipeline": [{"$unionWith": "\ue0ff"}], "cursor": {}}"#,
            "73: ",
        ),
        (r#"{"distinct": "c", "key": "\ue0ff"}"#, "2: "),
        (
            r#"{"update": "c", "updates": [{"q": {}, "u": {"$rename": {"s": "\ue0ff"}}}]}"#,
            "2: ",
        ),
        (
            r#"{"createIndexes": "c", "indexes": [{"key": {"s": 1}, "name": "\ue0ff"}]}"#,
            "2: ",
        ),
        (
            r#"{"createIndexes": "c", "indexes": [{"key": {"s": "\ue0ff"}, "name": "i"}]}"#,
            "67: ",
        ),
        (r#"{"find": "c", "collation": {"locale": "\ue0ff"}}"#, "2: "),
    ] {
        let refusal = deployment.refused(command);
        assert!(refusal.starts_with(expected), "{command}: {refusal}");
    }
    // A field's name is the one text that bytes from outside cannot bring in.
    let command =
        b"\x24\0\0\0\x02ping\0\x02\0\0\0x\0\x02\xff\0\x02\0\0\0x\0\x02$db\0\x02\0\0\0d\0\0"
            .to_vec();
    let mut command = command;
    let length = command.len() as u32;
    command[..4].copy_from_slice(&length.to_le_bytes());
    let reply = deployment.engine.run(&command, &deployment.env).reply;
    let code = Document::from_valid_bytes(&reply)
        .get("code")
        .as_exact_i64();
    assert_eq!(code, Some(22));
}

#[test]
fn a_collation_reads_bytes_as_the_replacement_sign() {
    let mut deployment = Deployment::filled();
    let spec = r#""collation": {"locale": "en", "strength": 2}"#;
    for index in [false, true] {
        if index {
            deployment.ok(&format!(
                r#"{{"createIndexes": "c", "indexes": [{{"key": {{"s": 1}}, "name": "s_1", {spec}}}]}}"#
            ));
        }
        for (filter, count) in [
            (r#"{"s": "\ue0fc"}"#, 2),
            (r#"{"s": "\ue0ffA"}"#, 1),
            (r#"{"s": "\ufffd"}"#, 2),
        ] {
            let found = deployment.ok(&format!(r#"{{"count": "c", "query": {filter}, {spec}}}"#));
            assert_eq!(found.get("n").as_exact_i64(), Some(count), "{filter}");
        }
        let checked = deployment.ok(r#"{"validate": "c"}"#);
        assert!(checked.get("valid").is_truthy());
    }
    // The bytes are given back.
    let found = deployment.found(&format!(
        r#"{{"find": "c", "filter": {{"s": "\ue0ffA"}}, "projection": {{"_id": 0, "s": 1}}, {spec}}}"#
    ));
    assert_eq!(found, signs(r#"[{"s": "\ue0ffa"}]"#));
}
