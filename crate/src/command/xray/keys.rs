//! Keys of trees as values: the bytes of a key decoded.
//!
//! Invariant: a separator of a branch may be cut off anywhere, so the bytes that cannot be decoded are left out, and
//! the reader is told.

use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::Index;

use crate::keycode::Decoder;
use crate::storage::Pager;

/// The bytes of a RecordId.
const RECORD_ID: usize = 8;

/// How the keys of a tree are read.
pub(super) enum Keys<'k> {
    /// RecordIds.
    Record,
    /// The components of an index and a RecordId.
    Index(&'k Index),
    /// Text, under a name.
    Text(&'static str),
    /// Numbers of eight bytes each, under these names.
    Numbers(&'static [&'static str]),
}

/// The number in bytes that may be cut off.
fn number(bytes: &[u8]) -> i64 {
    let mut whole = [0; RECORD_ID];
    for (to, from) in whole.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_be_bytes(whole) as i64
}

impl Keys<'_> {
    /// Appends a decoded key: `key`, `recordId`, and `isCut` where bytes of it are left out.
    pub(super) fn append(
        &self,
        pager: &Pager,
        (key, bits): (&[u8], &[u8]),
        builder: &mut DocumentBuilder,
    ) {
        match self {
            Self::Record => {
                builder.append("recordId", ValueRef::Int64(number(key)));
            }
            Self::Text(name) => {
                let text = String::from_utf8_lossy(key);
                builder.begin_document("key").append(name, &*text).end();
            }
            Self::Numbers(names) => {
                builder.begin_document("key");
                for (name, bytes) in names.iter().zip(key.chunks(RECORD_ID)) {
                    builder.append(name, ValueRef::Int64(number(bytes)));
                }
                builder.end();
            }
            Self::Index(index) => append_index_key(pager, index, (key, bits), builder),
        }
    }
}

fn append_index_key(
    pager: &Pager,
    index: &Index,
    (key, bits): (&[u8], &[u8]),
    builder: &mut DocumentBuilder,
) {
    let mut decoder = Decoder::new(key, bits);
    let mut read = 0;
    let mut fields = 0;
    builder.begin_document("key");
    for field in &index.definition.fields {
        let mut component = DocumentBuilder::new();
        let mut path = field.path.as_ref();
        let mut decoded = Ok(());
        let met;
        if field.kind.has_path() {
            // Two components: the path that was met, and its value.
            let mut name = DocumentBuilder::new();
            decoded = decoder.next_into(field.descending, "path", &mut name);
            met = name.finish();
            path = met.get("path").as_str().unwrap_or(path);
        }
        let decoded =
            decoded.and_then(|()| decoder.next_into(field.descending, path, &mut component));
        if decoded.is_err() {
            break;
        }
        (read, fields) = (decoder.position(), fields + 1);
        append_component(pager, index, component.finish().as_document(), builder);
    }
    builder.end();
    let rest = key.get(read..).unwrap_or_default();
    let is_whole = fields == index.definition.fields.len();
    if is_whole && rest.len() == RECORD_ID {
        builder.append("recordId", ValueRef::Int64(number(rest)));
    } else if !is_whole || !rest.is_empty() {
        builder.append("isCut", true);
    }
}

/// Appends the value of a component; of a label the string that it stands for.
fn append_component(
    pager: &Pager,
    index: &Index,
    component: Document<'_>,
    builder: &mut DocumentBuilder,
) {
    for element in component.iter() {
        let text = match element.value {
            ValueRef::String(label) if !index.definition.collation.is_simple() => {
                let found = index.labels.get(pager, label.as_bytes());
                found.ok().flatten().map(|text| text.to_vec())
            }
            _ => None,
        };
        match text {
            Some(text) => builder.append(element.name, &*String::from_utf8_lossy(&text)),
            None => builder.append(element.name, element.value),
        };
    }
}
