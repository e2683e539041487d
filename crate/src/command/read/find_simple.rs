//! The `find` whose fields are few and plain: read in one pass, for the short ways that answer one.
//!
//! Invariant: only what a short way can answer, and what cannot change an answer, stands in such a command; whatever else it
//! carries, or carries twice, goes the long way, where it is read, checked and refused.

use crate::bson::{Document, ValueRef};
use crate::command::request::Request;
use crate::command::request::params::is_generic;

/// A `find` of a filter, perhaps a sort, and how many documents are wanted.
#[derive(Debug, Clone, Copy)]
pub(in crate::command) struct SimpleFind<'a> {
    pub filter: Document<'a>,
    /// Empty: none.
    pub sort: Document<'a>,
    /// 0: no limit.
    pub limit: u64,
    pub batch_size: Option<u64>,
}

impl<'a> SimpleFind<'a> {
    /// `None`: the command is another, or has more to say.
    pub fn read(request: &Request<'a>) -> Option<Self> {
        let mut filter = None;
        let mut find = Self {
            filter: Document::EMPTY,
            sort: Document::EMPTY,
            limit: 0,
            batch_size: None,
        };
        let mut seen = 0_u8;
        for (position, element) in request.document.raw_elements().enumerate() {
            let bit = match (element.name, element.value()) {
                (b"filter", ValueRef::Document(given)) => {
                    filter = Some(given);
                    1
                }
                (b"limit", ValueRef::Int32(given)) if given >= 0 => {
                    find.limit = given as u64;
                    2
                }
                (b"singleBatch", ValueRef::Boolean(_)) => 4,
                // An empty batch is asked for to get a cursor.
                (b"batchSize", ValueRef::Int32(given)) if given > 0 => {
                    find.batch_size = Some(given as u64);
                    8
                }
                (b"sort", ValueRef::Document(given)) => {
                    find.sort = given;
                    16
                }
                (b"$db", _) => 0,
                _ if position == 0 => 0,
                (name, _) if is_generic(name) => 0,
                _ => return None,
            };
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
        }
        find.filter = filter?;
        Some(find)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    /// What is recognised of `{find: "c", filter: {a: 5}, ..., $db: "d"}`: the limit, and the batch's size.
    fn read(more: impl FnOnce(&mut DocumentBuilder)) -> Option<(u64, Option<u64>)> {
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
            session: None,
        };
        let find = SimpleFind::read(&request)?;
        assert_eq!(find.filter.get("a").as_exact_i64(), Some(5));
        Some((find.limit, find.batch_size))
    }

    #[test]
    fn what_cannot_change_the_answer_may_stand_beside_the_filter() {
        assert_eq!(read(|_| {}), Some((0, None)));
        assert_eq!(
            read(|command| {
                command.append("limit", 1);
            }),
            Some((1, None))
        );
        assert_eq!(
            read(|command| {
                command.append("limit", 2).append("singleBatch", true);
                command.append("batchSize", 1).append("comment", "x");
                command.begin_document("sort").append("a", 1).end();
            }),
            Some((2, Some(1)))
        );
    }

    #[test]
    fn whatever_is_to_be_read_or_refused_goes_the_long_way() {
        type More = fn(&mut DocumentBuilder);
        let others: [More; 7] = [
            |command| {
                command.append("skip", 1);
            },
            |command| {
                command.append("bogus", 1);
            },
            |command| {
                command.append("limit", -1);
            },
            |command| {
                command.append("limit", "one");
            },
            |command| {
                command.append("batchSize", 0);
            },
            |command| {
                command.append("limit", 1).append("limit", 1);
            },
            |command| {
                command.begin_document("filter").end();
            },
        ];
        for more in others {
            assert_eq!(read(more), None);
        }
    }
}
