//! `quirePage`: one page opened to its bytes, as `docs/format.md` words them; page 0 is the header record.
//!
//! `{quirePage: 7}` gives `bytes`, the `fields` of the page's header, and of a tree page its `cells` with decoded keys
//! and values. Invariant: offsets and lengths are those of the bytes that are given.

use super::keys::Keys;
use super::trees::{self, Held};
use crate::bson::{Document, DocumentBuilder, Timestamp, ValueRef, validate};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError, StorageError};
use crate::storage::btree::NodeView;
use crate::storage::map::{flag, owner};
use crate::storage::page::{PageKind, number_of};
use crate::storage::{PageNumber, Pager, Tree};

/// Longer values are shown by their beginning: the `_id` of a document.
const MOST_SHOWN: u64 = 2048;

/// The fields of a page's header: offset, length, name.
const PAGE_FIELDS: [(usize, usize, &str); 13] = [
    (0, 8, "checksum"),
    (8, 8, "number"),
    (16, 8, "born"),
    (24, 2, "magic"),
    (26, 1, "kind"),
    (27, 1, "level"),
    (28, 2, "count"),
    (30, 2, "lowestCell"),
    (32, 2, "garbage"),
    (34, 2, "shared"),
    (36, 4, "deployment"),
    (40, 4, "link"),
    (44, 4, "linkBorn"),
];

/// The fields of the header record that are numbers.
const HEADER_FIELDS: [(usize, usize, &str); 13] = [
    (0, 8, "magic"),
    (8, 4, "version"),
    (12, 4, "pageSize"),
    (16, 8, "checksum"),
    (24, 8, "sequence"),
    (32, 8, "pageCount"),
    (40, 4, "freeFirst"),
    (44, 4, "freeBorn"),
    (48, 8, "freePages"),
    (104, 8, "lineage"),
    (208, 4, "deployment"),
    (216, 8, "unmarked"),
    (224, 8, "time"),
];

/// The tree handles of the header record.
const HEADER_TREES: [(usize, &str); 3] = [(56, "catalog"), (112, "moments"), (160, "lists")];
/// The header record's free delta goes from here to its end.
const DELTA_AT: usize = 232;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    params.finish()?;
    let asked = request.argument().as_exact_i64();
    let Some(number) = asked.and_then(|number| PageNumber::try_from(number).ok()) else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            "quirePage takes a page's number, or 0 for the header",
        ));
    };
    let store = context.unit.store_mut();
    let mut reply = DocumentBuilder::new();
    reply.append_integer("page", number as i64);
    if number == 0 {
        append_header(store.pages, &mut reply);
        return Ok(finish_ok(reply));
    }
    let all = trees::all(store.catalog, store.pages);
    let handles: Vec<Tree> = all.iter().map(|owned| owned.tree).collect();
    let map = store.pages.map_pages(&handles, context.env)?;
    let Some(by) = map.owners.get(number as usize).copied() else {
        return Err(CommandError::new(
            Code::BadValue,
            format!("the deployment has no page {number}"),
        ));
    };
    let owned = all.get(usize::from(by.wrapping_sub(owner::FIRST_TREE)));
    reply.begin_document("owner");
    match owned {
        Some(owned) => owned.held.append_to(&mut reply),
        None => {
            let kind = super::quire_pages::OTHERS.get(usize::from(by));
            reply.append("kind", kind.copied().unwrap_or_default());
        }
    }
    reply.end();
    if by == owner::FREE {
        // Nothing of it is kept in memory.
        return Ok(finish_ok(reply));
    }
    let pager = store.pages;
    let (bytes, kind, level) = pager.shown_page(number)?;
    let flags = map.flags[number as usize];
    reply.append("isSealed", flags & flag::UNSEALED == 0);
    reply.append("isOfMoment", flags & flag::OF_A_MOMENT != 0);
    append_fields(bytes, &PAGE_FIELDS, &mut reply);
    if matches!(kind, Some(PageKind::Leaf | PageKind::Branch)) {
        let keys = match (owned, by) {
            (Some(owned), _) => owned.held.keys(),
            (None, owner::MOMENTS) => Keys::Numbers(&["moment"]),
            (None, owner::LISTS) => Keys::Numbers(&["moment", "counter"]),
            // The tree that an older state had it in is not known.
            _ => Keys::Numbers(&[]),
        };
        let holds_documents =
            owned.is_some_and(|owned| matches!(owned.held, Held::Catalog | Held::Records(_)));
        let cells = Cells {
            pager,
            keys,
            holds_documents,
            is_text: owned.is_some_and(|owned| matches!(owned.held, Held::Labels(..))),
        };
        cells.append(number, level, &mut reply)?;
    }
    reply.append("bytes", ValueRef::Binary { subtype: 0, bytes });
    Ok(finish_ok(reply))
}

/// The little-endian number in some bytes.
fn number_in(bytes: &[u8]) -> u64 {
    let fold = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    bytes.iter().rev().fold(0, fold)
}

/// Appends the offset, length and name of a field, and leaves it open.
fn begin_field(position: usize, at: usize, length: usize, name: &str, reply: &mut DocumentBuilder) {
    reply.begin_document(&position.to_string());
    reply.append("at", at as i32);
    reply.append("length", length as i32);
    reply.append("name", name);
}

fn append_fields(bytes: &[u8], fields: &[(usize, usize, &str)], reply: &mut DocumentBuilder) {
    reply.begin_array("fields");
    append_numbers(bytes, fields, reply);
    reply.end();
}

fn append_numbers(bytes: &[u8], fields: &[(usize, usize, &str)], reply: &mut DocumentBuilder) {
    for (position, (at, length, name)) in fields.iter().enumerate() {
        let value = bytes.get(*at..at + length).unwrap_or_default();
        begin_field(position, *at, *length, name, reply);
        match *name {
            // Digests and names are no numbers to be read as such.
            "checksum" | "lineage" | "magic" | "deployment" => {
                let subtype = 0;
                reply.append(
                    "value",
                    ValueRef::Binary {
                        subtype,
                        bytes: value,
                    },
                );
            }
            "time" => {
                reply.append("value", Timestamp::from_bits(number_in(value)));
            }
            _ => {
                reply.append_integer("value", number_in(value) as i64);
            }
        }
        reply.end();
    }
}

fn append_header(pager: &Pager, reply: &mut DocumentBuilder) {
    let bytes = pager.shown_header();
    reply.begin_document("owner").append("kind", "header").end();
    reply.append("isSealed", !pager.has_changes());
    reply.begin_array("fields");
    append_numbers(&bytes, &HEADER_FIELDS, reply);
    for (position, (at, name)) in HEADER_TREES.iter().enumerate() {
        let length = Tree::ENCODED_LENGTH;
        begin_field(HEADER_FIELDS.len() + position, *at, length, name, reply);
        let tree = bytes.get(*at..at + length).map(Tree::decode);
        reply.begin_document("value");
        if let Some(Ok(tree)) = tree {
            super::quire_tree::append_handle(&tree, reply);
        }
        reply.end().end();
    }
    let position = HEADER_FIELDS.len() + HEADER_TREES.len();
    let rest = bytes.get(DELTA_AT..).unwrap_or_default();
    begin_field(position, DELTA_AT, rest.len(), "freeDelta", reply);
    let subtype = 0;
    reply.append(
        "value",
        ValueRef::Binary {
            subtype,
            bytes: rest,
        },
    );
    reply.end().end();
    reply.append(
        "bytes",
        ValueRef::Binary {
            subtype,
            bytes: &bytes,
        },
    );
}

/// How the cells of a page are read.
struct Cells<'c> {
    pager: &'c Pager,
    keys: Keys<'c>,
    holds_documents: bool,
    is_text: bool,
}

impl Cells<'_> {
    fn append(
        &self,
        number: PageNumber,
        level: u8,
        reply: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        let view = NodeView::open(self.pager, number, level)?;
        reply.append("used", view.used() as i32);
        reply.begin_array("cells");
        for index in 0..view.count() {
            let (at, length) = view.cell_range(index);
            let head = view.head(index);
            reply.begin_document(&index.to_string());
            reply
                .append("at", at as i32)
                .append("length", length as i32);
            reply.append_integer("head", i64::from(head));
            reply.append_integer("keyLength", view.key_length(index) as i64);
            let key = view.key(self.pager, index)?;
            match level {
                0 => self.append_entry(view, index, &key, reply)?,
                _ => {
                    self.keys.append(self.pager, (&key, &[]), reply);
                    reply.append_integer("child", view.child(index + 1) as i64);
                }
            }
            reply.end();
        }
        reply.end();
        Ok(())
    }

    fn append_entry(
        &self,
        view: NodeView<'_>,
        index: usize,
        key: &[u8],
        reply: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        let length = view.value_length(index);
        let is_index = matches!(self.keys, Keys::Index(_));
        let is_shown = length <= MOST_SHOWN;
        let value = match is_shown || self.holds_documents {
            true => Some(view.value(self.pager, index)?),
            false => None,
        };
        let bits = value.as_deref().filter(|_| is_index).unwrap_or_default();
        self.keys.append(self.pager, (key, bits), reply);
        reply.append_integer("valueLength", length as i64);
        if let Some((page, _)) = view.value_chain(index) {
            reply.append_integer("overflow", number_of(page) as i64);
        }
        let Some(value) = value else { return Ok(()) };
        if self.holds_documents && validate(&value).is_ok() {
            let document = Document::from_valid_bytes(&value);
            match is_shown {
                true => reply.append("value", document),
                false => reply
                    .begin_document("value")
                    .append("_id", document.get("_id"))
                    .end(),
            };
        } else if self.is_text {
            reply.append("value", &*String::from_utf8_lossy(&value));
        } else if !value.is_empty() {
            let (subtype, bytes) = (0, &value[..]);
            reply.append("value", ValueRef::Binary { subtype, bytes });
        }
        Ok(())
    }
}
