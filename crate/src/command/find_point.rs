//! The `find` that names one document by one value: recognised before its fields are read one by one, and answered
//! without compiling, planning and stages.
//!
//! Invariants: only fields that cannot change the answer stand beside the filter; whatever else a command carries, or
//! carries twice, goes the long way, where it is read, checked and refused. The answer is what the express plan gives.

use super::batch;
use super::context::{CommandContext, CommandResult};
use super::params::{Request, is_generic};
use super::reply::finish_ok;
use crate::bson::{Document, ValueRef};
use crate::exec::express::look_up_document;
use crate::exec::usage;
use crate::planner::express;
use std::rc::Rc;

/// One value of one field, and whether any document of that value will do.
struct Point<'a> {
    path: &'a str,
    value: ValueRef<'a>,
    first_is_enough: bool,
}

impl<'a> Point<'a> {
    /// `None`: the command is another, or has more to say.
    fn read(request: &Request<'a>) -> Option<Self> {
        let mut filter = None;
        let mut limit = None;
        let mut seen = 0_u8;
        for (position, element) in request.document.raw_elements().enumerate() {
            let bit = match (element.name, element.value()) {
                (b"filter", ValueRef::Document(given)) => {
                    filter = Some(given);
                    1
                }
                (b"limit", ValueRef::Int32(given)) if given >= 0 => {
                    limit = Some(given);
                    2
                }
                (b"singleBatch", ValueRef::Boolean(_)) => 4,
                // One document is a batch of any size but none.
                (b"batchSize", ValueRef::Int32(given)) if given > 0 => 8,
                (b"$db", _) => 0,
                _ if position == 0 => 0,
                (name, _) if std::str::from_utf8(name).is_ok_and(is_generic) => 0,
                _ => return None,
            };
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
        }
        let (path, value) = express::point_filter(filter?)?;
        Some(Self {
            path,
            value,
            first_is_enough: limit == Some(1),
        })
    }
}

/// Answers a `find` of one document by one value of an index. `None`: the find is another, and nothing was counted.
///
/// # Errors
/// Storage errors.
pub(super) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    namespace: &str,
) -> Option<CommandResult> {
    let point = Point::read(request)?;
    let collection = Rc::clone(context.deployment.catalog.collection(namespace)?);
    let position = express::index_for(
        &collection,
        point.path,
        point.first_is_enough,
        point.value,
        &collection.options.collation,
    )?;
    let index = collection.indexes.get(position)?;
    let pager = &context.deployment.pager;
    usage::note_index(&collection, position, pager.accounting());
    let descending = index.definition.leads_descending();
    let found = look_up_document(pager, &collection, &index.tree, point.value, descending);
    Some(found.map(|found| {
        let document = found
            .as_ref()
            .map(|(_, bytes)| Document::from_valid_bytes(bytes));
        finish_ok(batch::point_batch(context, document, namespace))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    /// What is recognised of `{find: "c", filter: {a: 5}, ..., $db: "d"}`: the limit's meaning.
    fn read(more: impl FnOnce(&mut DocumentBuilder)) -> Option<bool> {
        let mut builder = DocumentBuilder::new();
        builder.append("find", "c");
        builder.begin_document("filter").append("a", 5).end();
        more(&mut builder);
        builder.append("$db", "d");
        let document = builder.finish();
        let request = Request {
            document: document.as_document(),
            name: "find",
            argument: ValueRef::String("c"),
            database: "d",
            nesting: 2,
            max_time_millis: 0,
            comment: ValueRef::Missing,
            session: ValueRef::Missing,
            write_concern: ValueRef::Missing,
        };
        let point = Point::read(&request)?;
        assert_eq!(point.path, "a");
        assert!(matches!(point.value, ValueRef::Int32(5)));
        Some(point.first_is_enough)
    }

    #[test]
    fn what_cannot_change_the_answer_may_stand_beside_the_filter() {
        assert_eq!(read(|_| {}), Some(false));
        assert_eq!(
            read(|command| {
                command.append("limit", 1);
            }),
            Some(true)
        );
        assert_eq!(
            read(|command| {
                command.append("limit", 2).append("singleBatch", true);
                command.append("batchSize", 1).append("comment", "x");
            }),
            Some(false)
        );
    }

    #[test]
    fn whatever_is_to_be_read_or_refused_goes_the_long_way() {
        assert_eq!(
            read(|command| {
                command.append("skip", 1);
            }),
            None
        );
        assert_eq!(
            read(|command| {
                command.append("bogus", 1);
            }),
            None
        );
        assert_eq!(
            read(|command| {
                command.append("limit", -1);
            }),
            None
        );
        assert_eq!(
            read(|command| {
                command.append("limit", "one");
            }),
            None
        );
        assert_eq!(
            read(|command| {
                command.append("batchSize", 0);
            }),
            None
        );
        assert_eq!(
            read(|command| {
                command.append("limit", 1).append("limit", 1);
            }),
            None
        );
        assert_eq!(
            read(|command| {
                command.begin_document("filter").end();
            }),
            None
        );
    }
}
