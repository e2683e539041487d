//! What an update changed in a document, as an oplog's `$v: 2` entries tell it.
//!
//! `{d: {removed: false}, u: {updated: …}, i: {added: …}, sFIELD: {below…}}`; of an array `{a: true, l: new length,
//! uINDEX: …, sINDEX: …}`. Of operators the values at their paths are told. Of a pipeline the documents are compared,
//! as the server does. Invariant: the document before, changed so, is the document after.

use crate::bson::builder::write_value;
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, Element, ValueRef};
use crate::catalog::ModifiedPaths;

/// The bytes that the server counts for the frame of such an entry.
const FRAME: usize = 15;

/// A path below a value, and whether its update only appends items.
type Rest<'p> = (&'p str, bool);

/// The parts of one level.
#[derive(Default)]
struct Level {
    removed: DocumentBuilder,
    updated: DocumentBuilder,
    added: DocumentBuilder,
    below: DocumentBuilder,
}

impl Level {
    fn finish(self) -> DocumentBuf {
        let mut whole = DocumentBuilder::new();
        let parts = [("d", self.removed), ("u", self.updated), ("i", self.added)];
        for (name, part) in parts {
            if !part.is_empty() {
                whole.append(name, &part.finish());
            }
        }
        whole.append_all(self.below.finish().as_document());
        whole.finish()
    }
}

/// The changes that operators at these paths made.
pub fn of_operators(
    before: Document<'_>,
    after: Document<'_>,
    paths: &ModifiedPaths,
) -> DocumentBuf {
    let paths: Vec<Rest<'_>> = paths.written().collect();
    in_document(before, after, Some(&paths)).unwrap_or_default()
}

/// The changes that lead from one document to another; `None` where the other document is told in less.
pub fn computed(before: Document<'_>, after: Document<'_>) -> Option<DocumentBuf> {
    { in_document(before, after, None) }
        .filter(|delta| delta.as_bytes().len() + FRAME <= after.as_bytes().len())
}

/// The paths below a part, and whether one of them ends there.
fn below<'p>(paths: &[Rest<'p>], is_part: impl Fn(&str) -> bool) -> (Vec<Rest<'p>>, Option<bool>) {
    let (mut rests, mut end) = (Vec::new(), None);
    for (path, appends) in paths {
        let (part, rest) = path.split_once('.').unwrap_or((path, ""));
        if is_part(part) {
            match rest.is_empty() {
                true => end = Some(*appends),
                false => rests.push((rest, *appends)),
            }
        }
    }
    (rests, end)
}

/// The changes of a document; `None` where they take more than the document.
fn in_document(
    before: Document<'_>,
    after: Document<'_>,
    paths: Option<&[Rest<'_>]>,
) -> Option<DocumentBuf> {
    let mut level = Level::default();
    match paths {
        Some(paths) => {
            for old in before.iter().filter(|old| after.get(old.name).is_missing()) {
                level.removed.append(old.name, false);
            }
            for new in after.iter() {
                let old = before.iter().find(|old| old.name == new.name);
                match old {
                    None => {
                        level.added.append_raw(new.raw);
                    }
                    Some(old) if old.raw == new.raw => {}
                    Some(old) => {
                        let (rests, end) = below(paths, |part| part == new.name);
                        let sub = guided(old.value, new.value, &rests, end);
                        tell_change(&mut level, new, sub);
                    }
                }
            }
        }
        None => compare(before, after, &mut level),
    }
    let delta = level.finish();
    let is_short = paths.is_some() || delta.as_bytes().len() <= after.as_bytes().len();
    is_short.then_some(delta)
}

/// A field behind one that the other document lacks at this place counts as added anew, at the end.
fn compare(before: Document<'_>, after: Document<'_>, level: &mut Level) {
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    let mut removed = Vec::new();
    while let (Some(was), Some(is)) = (old.peek(), new.peek()) {
        if was.name != is.name {
            removed.push(was.name);
            old.next();
            continue;
        }
        if was.raw != is.raw {
            let sub = compared(was.value, is.value);
            tell_change(level, *is, sub);
        }
        old.next();
        new.next();
    }
    removed.extend(old.map(|was| was.name));
    let added: Vec<Element<'_>> = new.collect();
    for name in removed {
        if !added.iter().any(|is| is.name == name) {
            level.removed.append(name, false);
        }
    }
    for is in added {
        level.added.append_raw(is.raw);
    }
}

/// Tells a field that changed: below it, where that is known, else as a whole.
fn tell_change(level: &mut Level, new: Element<'_>, sub: Option<DocumentBuf>) {
    match sub {
        Some(sub) => level.below.append(&format!("s{}", new.name), &sub),
        None => level.updated.append_raw(new.raw),
    };
}

/// The changes below a value that operators changed.
fn guided(
    old: ValueRef<'_>,
    new: ValueRef<'_>,
    rests: &[Rest<'_>],
    end: Option<bool>,
) -> Option<DocumentBuf> {
    match (old, new, end) {
        (ValueRef::Array(old), ValueRef::Array(new), Some(true)) => appended(old, new),
        (_, _, Some(_)) => None,
        (ValueRef::Document(old), ValueRef::Document(new), None) => {
            in_document(old, new, Some(rests))
        }
        (ValueRef::Array(old), ValueRef::Array(new), None) => {
            let mut told = DocumentBuilder::new();
            told.append("a", true);
            let mut old = old.iter();
            for (position, item) in new.iter().enumerate() {
                let was = old.next();
                if was.is_some_and(|was| is_same(was, item)) {
                    continue;
                }
                let name = position.to_string();
                let (deeper, end) = below(rests, |part| part == name || part.starts_with('$'));
                // Items that were put before a new one to reach its position are not told.
                if !deeper.is_empty() || end.is_some() {
                    let sub = was.and_then(|was| guided(was, item, &deeper, end));
                    tell_item(&mut told, position, item, sub);
                }
            }
            Some(told.finish())
        }
        _ => None,
    }
}

/// Whether two values have the same bytes.
fn is_same(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    let bytes = |value: ValueRef<'_>| {
        let mut bytes = Vec::new();
        write_value(&mut bytes, value);
        bytes
    };
    left.bson_type() == right.bson_type() && bytes(left) == bytes(right)
}

/// Tells an item that changed: below it, where that is known, else as a whole.
fn tell_item(
    told: &mut DocumentBuilder,
    position: usize,
    item: ValueRef<'_>,
    sub: Option<DocumentBuf>,
) {
    match sub {
        Some(sub) => told.append(&format!("s{position}"), &sub),
        None => told.append(&format!("u{position}"), item),
    };
}

/// The items that were appended to an array; `None` where it had none, or others.
fn appended(old: Array<'_>, new: Array<'_>) -> Option<DocumentBuf> {
    let mut told = DocumentBuilder::new();
    told.append("a", true);
    let mut was = old.iter();
    for (position, item) in new.iter().enumerate() {
        match was.next() {
            Some(was) if is_same(was, item) => {}
            Some(_) => return None,
            None => tell_item(&mut told, position, item, None),
        }
    }
    (!old.is_empty() && was.next().is_none()).then(|| told.finish())
}

/// The changes that lead from one value to another, where both are documents, or both arrays, and the changes take
/// less than the other one.
fn compared(old: ValueRef<'_>, new: ValueRef<'_>) -> Option<DocumentBuf> {
    match (old, new) {
        (ValueRef::Document(old), ValueRef::Document(new)) => in_document(old, new, None),
        (ValueRef::Array(old), ValueRef::Array(new)) => {
            let mut told = DocumentBuilder::new();
            told.append("a", true);
            let (old_len, new_len) = (old.len(), new.len());
            if new_len < old_len {
                told.append("l", new_len as i32);
            }
            let mut was = old.iter();
            for (position, item) in new.iter().enumerate() {
                match was.next() {
                    Some(was) if is_same(was, item) => {}
                    Some(was) => tell_item(&mut told, position, item, compared(was, item)),
                    None => tell_item(&mut told, position, item, None),
                }
            }
            let told = told.finish();
            (told.as_bytes().len() <= new.as_bytes().len()).then_some(told)
        }
        _ => None,
    }
}
