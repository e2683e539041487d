//! Every query operator over every kind of value: the frozen values against each other, held against the naive model.
//!
//! Each value is stored as a field, in arrays and in documents, and is the operand of each operator that takes any
//! value; operators that take only some operands get the edges of those. Answers of the matcher, of a collection scan
//! and of an index must all be the model's. Operands that the server refuses must be refused.

use crate::support::bytes::with_bytes;
use crate::support::frozen::VALUES;
use crate::support::naive;
use crate::support::naive::Tree;
use quire::bson::extended_json::parse_document;
use quire::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::expr::CompileContext;
use quire::query::Matcher;

/// How a value is stored; `@` stands for it.
const FORMS: &[&str] = &[
    r#"{"a": @}"#,
    r#"{"a": [@]}"#,
    r#"{"a": [[@]]}"#,
    r#"{"a": [7, @]}"#,
    r#"{"a": {"b": @}}"#,
    r#"{"a": [{"b": @}, {"b": 7}]}"#,
];
/// Filters that take any value; `@` stands for it.
const OPERATORS: &[&str] = &[
    r#"{"PATH": @}"#,
    r#"{"PATH": {"$eq": @}}"#,
    r#"{"PATH": {"$ne": @}}"#,
    r#"{"PATH": {"$gt": @}}"#,
    r#"{"PATH": {"$gte": @}}"#,
    r#"{"PATH": {"$lt": @}}"#,
    r#"{"PATH": {"$lte": @}}"#,
    r#"{"PATH": {"$in": [@]}}"#,
    r#"{"PATH": {"$in": [@, 7]}}"#,
    r#"{"PATH": {"$nin": [@, "a"]}}"#,
    r#"{"PATH": {"$all": [@]}}"#,
    r#"{"PATH": {"$all": [7, @]}}"#,
    r#"{"PATH": {"$not": {"$gt": @}}}"#,
    r#"{"PATH": {"$not": {"$lte": @}}}"#,
    r#"{"PATH": {"$elemMatch": {"$gte": @}}}"#,
    r#"{"PATH": {"$elemMatch": {"$eq": @}}}"#,
    r#"{"PATH": {"$elemMatch": {"$ne": @}}}"#,
    r#"{"a": {"$elemMatch": {"b": @}}}"#,
];
const PATHS: &[&str] = &["a", "a.b", "a.0"];
/// Filters with operands of their own.
const OTHERS: &[&str] = &[
    r#"{"PATH": {"$exists": true}}"#,
    r#"{"PATH": {"$exists": false}}"#,
    r#"{"PATH": {"$size": 0}}"#,
    r#"{"PATH": {"$size": 1}}"#,
    r#"{"PATH": {"$size": 2}}"#,
    r#"{"PATH": {"$mod": [2, 1]}}"#,
    r#"{"PATH": {"$mod": [1, 0]}}"#,
    r#"{"PATH": {"$mod": [-3, -1]}}"#,
    r#"{"PATH": {"$mod": [4.9, 3]}}"#,
    r#"{"PATH": {"$mod": [{"$numberLong": "9223372036854775807"}, 0]}}"#,
    r#"{"PATH": {"$mod": [-1, 0]}}"#,
    r#"{"PATH": {"$bitsAllSet": [0]}}"#,
    r#"{"PATH": {"$bitsAllSet": [0, 1, 8]}}"#,
    r#"{"PATH": {"$bitsAllClear": [0, 63]}}"#,
    r#"{"PATH": {"$bitsAnySet": [7, 200]}}"#,
    r#"{"PATH": {"$bitsAnyClear": [0, 1]}}"#,
    r#"{"PATH": {"$regex": "^a"}}"#,
    r#"{"PATH": {"$regex": "b"}}"#,
    r#"{"PATH": {"$not": {"$regex": "^a"}}}"#,
    r#"{"PATH": {"$type": "number"}}"#,
    r#"{"PATH": {"$type": -1}}"#,
];

fn parse(text: &str) -> DocumentBuf {
    let parsed = parse_document(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    with_bytes(parsed.as_document())
}

fn stored() -> Vec<DocumentBuf> {
    let mut all = vec![parse("{}")];
    for form in FORMS {
        all.extend(VALUES.iter().map(|value| parse(&form.replace('@', value))));
    }
    all
}

/// Whether the server refuses this operand of this operator.
fn is_refused(operator: &str, value: &str) -> bool {
    let undefined = value.contains("$undefined");
    let regex = value.contains("$regularExpression");
    // As a value of its own, an operand that looks like operators would be read as such; none here does.
    let ordered = ["$gt\"", "$gte\"", "$lt\"", "$lte\""]
        .iter()
        .any(|name| operator.contains(name));
    undefined || regex && (ordered || operator.contains("$ne\""))
}

fn filters() -> Vec<String> {
    let mut all = Vec::new();
    for path in PATHS {
        for operator in OPERATORS {
            for value in VALUES {
                all.push(operator.replace("PATH", path).replace('@', value));
            }
        }
        all.extend(OTHERS.iter().map(|filter| filter.replace("PATH", path)));
        for number in 1..=19 {
            all.push(format!(r#"{{"{path}": {{"$type": {number}}}}}"#));
        }
    }
    all
}

#[test]
fn every_operator_over_every_value_is_what_the_model_says() {
    let stored = stored();
    let trees: Vec<Tree> = stored
        .iter()
        .map(|document| Tree::decode(document.as_document().into()))
        .collect();
    let env = NativeEnv::fixed(0, 1);
    let context = CompileContext::new(&env, 0);
    let (mut refused, mut matched, mut asked) = (0, 0, 0);
    for path in PATHS {
        for operator in OPERATORS {
            for value in VALUES {
                let text = operator.replace("PATH", path).replace('@', value);
                let filter = parse(&text);
                let compiled = Matcher::compile(filter.as_document(), &context);
                assert_eq!(compiled.is_err(), is_refused(operator, value), "{text}");
                refused += usize::from(compiled.is_err());
            }
        }
    }
    for text in filters() {
        let filter = parse(&text);
        let Ok(matcher) = Matcher::compile(filter.as_document(), &context) else {
            continue;
        };
        let naive_filter = Tree::decode(filter.as_document().into());
        for (document, tree) in stored.iter().zip(&trees) {
            let view = document.as_document();
            let answer = matcher.matches(view, &env).expect("no expressions");
            let expected = naive::matches(tree, &naive_filter);
            assert_eq!(answer, expected, "{text} on {view}");
            matched += usize::from(answer);
            asked += 1;
        }
    }
    println!("{asked} answers, {matched} of them matches; {refused} operands refused");
    assert!(VALUES.len() >= 80 && matched > asked / 20 && refused > 100);
}

struct Deployment {
    engine: Engine,
    env: NativeEnv,
}

impl Deployment {
    fn run(&mut self, command: &DocumentBuf) -> DocumentBuf {
        let outcome = self.engine.run(command.as_bytes(), &self.env);
        Document::from_valid_bytes(&outcome.reply).to_buf()
    }

    /// The `_id`s that a find with a hint gives, in their order.
    fn ids(&mut self, filter: &DocumentBuf, hint: &str) -> Option<Vec<i64>> {
        let mut command = DocumentBuilder::new();
        command
            .append("find", "c")
            .append("filter", filter)
            .append("hint", &parse(hint))
            .append("batchSize", 10_000)
            .begin_document("projection")
            .append("_id", 1)
            .end()
            .append("$db", "d");
        let reply = self.run(&command.finish());
        let reply = reply.as_document();
        if !reply.get("ok").is_truthy() {
            return None;
        }
        let cursor = reply.get("cursor").as_document()?;
        let ValueRef::Array(batch) = cursor.get("firstBatch") else {
            return None;
        };
        let mut ids: Vec<i64> = batch
            .iter()
            .filter_map(|item| item.as_document()?.get("_id").as_exact_i64())
            .collect();
        ids.sort_unstable();
        Some(ids)
    }
}

#[test]
fn an_index_finds_what_a_scan_finds() {
    let env = NativeEnv::fixed(1_767_225_600_000, 1);
    let engine = Engine::create(&env).expect("an empty deployment opens");
    let mut deployment = Deployment { engine, env };
    let mut insert = DocumentBuilder::new();
    insert.append("insert", "c").begin_array("documents");
    for (position, document) in stored().iter().enumerate() {
        insert.begin_document(&position.to_string());
        insert.append("_id", position as i32);
        if let Some(field) = document.as_document().iter().next() {
            insert.append(field.name, field.value);
        }
        insert.end();
    }
    insert.end().append("$db", "d");
    let reply = deployment.run(&insert.finish());
    assert!(reply.as_document().get("writeErrors").is_missing());
    let reply = deployment.run(&parse(
        r#"{"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a"}, {"key": {"a.b": -1}, "name": "b"}, {"key": {"$**": 1}, "name": "all"}], "$db": "d"}"#,
    ));
    assert!(reply.as_document().get("ok").is_truthy(), "{reply:?}");
    let mut compared = 0;
    for text in filters() {
        let filter = parse(&text);
        let Some(scanned) = deployment.ids(&filter, r#"{"$natural": 1}"#) else {
            continue;
        };
        let key = match text.split('"').nth(1) {
            Some("a.b") => r#"{"a.b": -1}"#,
            _ => r#"{"a": 1}"#,
        };
        for hint in [key, r#"{"$**": 1}"#] {
            // A wildcard index refuses a hint for a filter that it cannot answer.
            if let Some(found) = deployment.ids(&filter, hint) {
                assert_eq!(found, scanned, "{text} through {hint}");
                compared += 1;
            }
        }
    }
    println!("{compared} indexed answers");
    assert!(compared > filters().len());
}
