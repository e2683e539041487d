//! The `find` of one field's value or range, perhaps in its order: answered from the one index there is for it, without
//! compiling, planning and stages.
//!
//! Invariant: the answer, its order and what is counted are those of the plan that `planner::choose` would give; where
//! the first batch would not be all of it, nothing is answered here, because a cursor needs that plan.

use super::batch::{DEFAULT_FIRST_BATCH, end_cursor};
use super::find_simple::SimpleFind;
use crate::bson::{Document, DocumentBuilder, MAX_DOCUMENT_SIZE};
use crate::catalog::{Collection, Index};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::error::CommandError;
use crate::exec::usage;
use crate::planner::memory;
use crate::planner::one_range::{EncodedRange, FieldRange};
use crate::storage::Direction;
use crate::storage::accounting::bump;
use std::ops::Bound;
use std::rc::Rc;

/// A RecordId as the records' keys have it.
type RecordKey = [u8; 8];

/// Answers a `find` of one field's value or range. `None`: the find is another, and nothing was counted.
///
/// # Errors
/// Storage errors, and the deadline.
pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    find: &SimpleFind<'_>,
    namespace: &str,
) -> Option<CommandResult> {
    let range = FieldRange::of(find.filter)?;
    let backward = backward(find, &range)?;
    let collection = Rc::clone(context.deployment.catalog.collection(namespace)?);
    let position = range.index_in(&collection, backward.is_some())?;
    let index = collection.indexes.get(position)?;
    if memory::has_filters(&collection) {
        return None;
    }
    let descending = index.definition.leads_descending();
    let keys = range.encode(descending)?;
    let direction = match backward {
        Some(backward) if backward != descending => Direction::Backward,
        _ => Direction::Forward,
    };
    let records = match record_keys(context, find, index, &keys, direction) {
        Ok(Some(records)) => records,
        Ok(None) => return None,
        Err(error) => return Some(Err(error)),
    };
    match batch(context, &collection, &records, namespace) {
        Ok(Some(reply)) => {
            usage::note_index(&collection, position, context.deployment.pager.accounting());
            Some(Ok(finish_ok(reply)))
        }
        Ok(None) => None,
        Err(error) => Some(Err(error)),
    }
}

/// Whether the documents are wanted from the highest value down; `Some(None)`: in no order, `None`: in another one.
fn backward(find: &SimpleFind<'_>, range: &FieldRange<'_>) -> Option<Option<bool>> {
    let mut fields = find.sort.iter();
    let Some(only) = fields.next() else {
        return Some(None);
    };
    if only.name != range.path || fields.next().is_some() || range.is_point {
        return None;
    }
    match only.value.as_exact_i64() {
        Some(1) => Some(Some(false)),
        Some(-1) => Some(Some(true)),
        _ => None,
    }
}

/// The records of the keys in a range, in order; `None` when the first batch might not hold them all.
fn record_keys(
    context: &CommandContext<'_>,
    find: &SimpleFind<'_>,
    index: &Index,
    keys: &EncodedRange,
    direction: Direction,
) -> Result<Option<Vec<RecordKey>>, CommandError> {
    let batch = find.batch_size.unwrap_or(DEFAULT_FIRST_BATCH);
    let limit = Some(find.limit).filter(|limit| *limit > 0 && *limit <= batch);
    let most = limit.unwrap_or(batch);
    let exec = context.exec_context();
    let (start, end) = (Bound::Included(&*keys.start), Bound::Excluded(&*keys.end));
    let mut cursor = index.tree.range(start, end, direction);
    let mut records = Vec::new();
    while (records.len() as u64) < most {
        context.env.checkpoint()?;
        if !cursor.next(exec.pager)? {
            break;
        }
        records.extend(cursor.key().last_chunk::<8>());
    }
    Ok((limit.is_some() || (records.len() as u64) < batch).then_some(records))
}

/// The reply with the documents of records, without `ok`; `None` when one batch cannot hold them.
fn batch(
    context: &mut CommandContext<'_>,
    collection: &Collection,
    records: &[RecordKey],
    namespace: &str,
) -> Result<Option<DocumentBuilder>, CommandError> {
    let mut reply = context.reply();
    let pager = &context.deployment.pager;
    reply.begin_document("cursor").begin_array("firstBatch");
    let start = reply.len();
    let mut count = 0;
    let mut fits = true;
    let key = &|position: usize| records[position].as_slice();
    collection
        .records
        .get_each(pager, records.len(), key, &mut |_, bytes| {
            fits = fits && (count == 0 || reply.len() - start + bytes.len() <= MAX_DOCUMENT_SIZE);
            if fits {
                reply.push_item(count, Document::from_valid_bytes(bytes));
                count += 1;
            }
            Ok::<_, CommandError>(())
        })?;
    if !fits {
        return Ok(None);
    }
    reply.end();
    bump(&pager.accounting().keys_examined, records.len() as u64);
    bump(&pager.accounting().documents_examined, count as u64);
    context.deployment.counters.documents_returned += count as i64;
    end_cursor(&mut reply, 0, namespace);
    Ok(Some(reply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::bson::{DocumentBuf, extended_json};
    use crate::engine::Engine;
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

    /// Indexes of a collection and whether some finds of `a` can be answered here.
    const INDEXES: &[(&str, bool)] = &[
        (r#"{"key":{"a":1},"name":"a"}"#, true),
        (r#"{"key":{"a":-1},"name":"a"}"#, true),
        (r#"{"key":{"a":1},"name":"a","sparse":true}"#, true),
        (
            r#"{"key":{"a":1},"name":"a"},{"key":{"b":1,"a":1},"name":"b"}"#,
            true,
        ),
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

    /// What a command adds to the server's counts of keys and documents, and of documents returned; and its answer without
    /// the number of a cursor, which is random.
    fn answer(engine: &mut Engine, command: &str) -> (String, [i64; 3]) {
        let counts = |engine: &mut Engine| {
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
        };
        let before = counts(engine);
        let answer = reply(engine, command);
        let cursor = answer.get("cursor").as_document().expect("a find succeeds");
        let mut text =
            extended_json::to_string(cursor.get("firstBatch"), extended_json::Format::Canonical);
        if cursor.get("id").as_exact_i64() != Some(0) {
            text.push_str(" and more");
        }
        let after = counts(engine);
        (text, [0, 1, 2].map(|at| after[at] - before[at]))
    }

    #[test]
    fn answers_and_counts_as_the_planned_find_does() {
        let mut random = Random::new(5);
        for (indexes, may_answer) in INDEXES {
            let mut answered = 0;
            for scalars in [true, false] {
                let mut engine = Engine::create(&TestEnv).expect("an empty deployment opens");
                reply(
                    &mut engine,
                    &format!(r#"{{"createIndexes":"c","indexes":[{indexes}]}}"#),
                );
                let mut pick = |values: &[&'static str]| {
                    values[(random.next_u64() % values.len() as u64) as usize]
                };
                let documents: Vec<String> = (0..60)
                    .map(|number| {
                        loop {
                            let value = pick(VALUES);
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
                for _ in 0..150 {
                    let filter = match pick(&["=", "[", "[", "<", ">"]) {
                        "=" => pick(VALUES).to_owned(),
                        "<" => format!(r#"{{"{}":{}}}"#, pick(&["$lt", "$lte"]), pick(VALUES)),
                        ">" => format!(r#"{{"{}":{}}}"#, pick(&["$gt", "$gte"]), pick(VALUES)),
                        _ => format!(
                            r#"{{"{}":{},"{}":{}}}"#,
                            pick(&["$gt", "$gte"]),
                            pick(VALUES),
                            pick(&["$lt", "$lte"]),
                            pick(VALUES)
                        ),
                    };
                    let more = pick(&[
                        "",
                        r#","limit":3"#,
                        r#","batchSize":2"#,
                        r#","limit":2,"batchSize":2"#,
                    ]);
                    let sort = pick(&[
                        "",
                        "",
                        r#","sort":{"a":1}"#,
                        r#","sort":{"a":-1}"#,
                        r#","sort":{"b":1}"#,
                    ]);
                    let find = format!(r#"{{"find":"c","filter":{{"a":{filter}}}{more}{sort}"#);
                    let (short, long) = (
                        format!("{find}}}"),
                        format!("{find},\"allowDiskUse\":false}}"),
                    );
                    let parsed =
                        extended_json::parse_document(&short).expect("the test's JSON is valid");
                    if let Some(range) = FieldRange::of(
                        parsed
                            .get("filter")
                            .as_document()
                            .unwrap_or(Document::EMPTY),
                    ) && let Some(collection) = engine.deployment_mut().catalog.collection("d.c")
                        && range.index_in(collection, !sort.is_empty()).is_some()
                    {
                        answered += 1;
                    }
                    let (found, counts) = answer(&mut engine, &short);
                    let (wanted, planned) = answer(&mut engine, &long);
                    assert_eq!(found, wanted, "{short} with {indexes}");
                    // Where there are several plans there are trial runs, which count too.
                    if *may_answer && !sort.contains('b') {
                        assert_eq!(counts, planned, "{short} with {indexes}");
                    }
                }
            }
            assert_eq!(answered > 20, *may_answer, "{indexes}: {answered}");
        }
    }
}
