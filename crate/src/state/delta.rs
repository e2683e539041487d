//! What an update changed in a document, as an oplog's `$v: 2` entries tell it.
//!
//! `{d: {removed: false}, u: {updated: …}, i: {added: …}, sFIELD: {below…}}`; of an array `{a: true, l: new length,
//! uINDEX: …, sINDEX: …}`. Of operators the values at their paths are told. Of a pipeline the documents are compared,
//! as the server does. Invariant: the document before, changed so, is the document after.

use crate::bson::document::{RawElement, RawElements};
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

/// Paths by their first parts, in the order of those.
struct Parts<'p>(Vec<(&'p str, Rest<'p>)>);

impl<'p> Parts<'p> {
    fn of(paths: &[Rest<'p>]) -> Self {
        let mut parts: Vec<_> = { paths.iter() }
            .map(|(path, appends)| {
                let (part, rest) = path.split_once('.').unwrap_or((path, ""));
                (part, (rest, *appends))
            })
            .collect();
        parts.sort_by_key(|(part, _)| *part);
        Self(parts)
    }

    /// Adds the paths below a part, or below all parts that begin with it, and whether one of them ends there.
    fn below(&self, part: &str, begins: bool, found: &mut (Vec<Rest<'p>>, Option<bool>)) {
        let start = self.0.partition_point(|(first, _)| *first < part);
        for (first, (rest, appends)) in self.0.iter().skip(start) {
            if *first != part && !(begins && first.starts_with(part)) {
                break;
            }
            match rest.is_empty() {
                true => found.1 = Some(*appends),
                false => found.0.push((rest, *appends)),
            }
        }
    }
}

/// Fields by their names. A document that is asked for its fields in their order is read once.
struct Fields<'d> {
    ahead: usize,
    order: Vec<Element<'d>>,
    by_name: Vec<Element<'d>>,
}

impl<'d> Fields<'d> {
    fn of(document: Document<'d>) -> Self {
        Self {
            ahead: 0,
            order: document.iter().collect(),
            by_name: Vec::new(),
        }
    }

    fn find(&mut self, name: &str) -> Option<Element<'d>> {
        if let Some(next) = self.order.get(self.ahead)
            && next.name == name
        {
            self.ahead += 1;
            return Some(*next);
        }
        if self.by_name.is_empty() {
            self.by_name = self.order.clone();
            self.by_name.sort_by_key(|field| field.name);
        }
        let at = self.by_name.partition_point(|field| field.name < name);
        { self.by_name.get(at) }
            .filter(|field| field.name == name)
            .copied()
    }
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
            let parts = Parts::of(paths);
            let mut kept = Fields::of(after);
            for old in before.iter().filter(|old| kept.find(old.name).is_none()) {
                level.removed.append(old.name, false);
            }
            let mut fields = Fields::of(before);
            for new in after.iter() {
                match fields.find(new.name) {
                    None => {
                        level.added.append_raw(new.raw);
                    }
                    Some(old) if old.raw == new.raw => {}
                    Some(old) => {
                        let mut found = (Vec::new(), None);
                        parts.below(new.name, false, &mut found);
                        let sub = guided(old.value, new.value, &found.0, found.1);
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
    let mut names: Vec<&str> = added.iter().map(|is| is.name).collect();
    names.sort_unstable();
    for name in removed {
        if names.binary_search(&name).is_err() {
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
            let (mut old, parts) = (items(old), Parts::of(rests));
            for (position, item) in items(new).enumerate() {
                let was = old.next();
                if was.is_some_and(|was| is_same(&was, &item)) {
                    continue;
                }
                let (was, item) = (was.map(|was| was.value()), item.value());
                let mut found = (Vec::new(), None);
                parts.below("$", true, &mut found);
                parts.below(&position.to_string(), false, &mut found);
                let (deeper, end) = found;
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

/// The items of an array where they stand.
fn items(array: Array<'_>) -> RawElements<'_> {
    Document::from_valid_bytes(array.as_bytes()).raw_elements()
}

/// Whether two items have the same bytes.
fn is_same(left: &RawElement<'_>, right: &RawElement<'_>) -> bool {
    left.kind == right.kind && left.value_bytes == right.value_bytes
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
    let mut was = items(old);
    for (position, item) in items(new).enumerate() {
        match was.next() {
            Some(was) if is_same(&was, &item) => {}
            Some(_) => return None,
            None => tell_item(&mut told, position, item.value(), None),
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
            let mut was = items(old);
            for (position, item) in items(new).enumerate() {
                let sub = match was.next() {
                    Some(was) if is_same(&was, &item) => continue,
                    Some(was) => compared(was.value(), item.value()),
                    None => None,
                };
                tell_item(&mut told, position, item.value(), sub);
            }
            let told = told.finish();
            (told.as_bytes().len() <= new.as_bytes().len()).then_some(told)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(prefix: &str, count: i32, value: i32) -> DocumentBuf {
        let mut document = DocumentBuilder::new();
        for number in 0..count {
            document.append(&format!("{prefix}{number}"), value);
        }
        document.finish()
    }

    /// 40,000 look-ups of a field by its name, each over all fields, would take minutes.
    #[test]
    fn documents_of_very_many_fields_are_compared_in_one_pass() {
        const COUNT: i32 = 40_000;
        let (old, new) = (numbered("f", COUNT, 1), numbered("f", COUNT, 2));
        let (old, new) = (old.as_document(), new.as_document());
        let names: Vec<String> = (0..COUNT).map(|number| format!("f{number}")).collect();
        let paths: Vec<Rest<'_>> = names.iter().map(|name| (name.as_str(), false)).collect();
        let told = in_document(old, new, Some(&paths)).expect("told");
        let updated = told.get("u").as_document().expect("updated");
        assert_eq!(updated.as_bytes(), new.as_bytes());
        let other = numbered("g", COUNT, 1);
        let told = in_document(old, other.as_document(), Some(&[])).expect("told");
        let parts =
            ["d", "i"].map(|part| told.get(part).as_document().map(|all| all.iter().count()));
        assert_eq!(parts, [Some(COUNT as usize); 2]);
        assert_eq!(computed(old, other.as_document()), None);
    }
}
