//! `$unwind`: one document for each item of an array.
//!
//! Follows the manual's "$unwind" page. Invariant: of an incoming document only the fields that are read later are
//! copied, once, and where the items lie is found once; an item's document is written from that copy. For a
//! stage that only reads paths no document is written: the item is bound to its path (`unwound`).

use super::super::kept::{Kept, write_element};
use super::super::output::Output;
use super::super::stage::{Flow, Following, Part, StagePlan, paths_touch};
use super::unwound::Binder;
use crate::bson::{BsonType, Document, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage, Visitor};
use crate::expr::{CompileContext, Dependencies, FieldPath};
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$unwind`.
pub struct UnwindPlan {
    pub(super) path: FieldPath,
    pub(super) index: Option<FieldPath>,
    pub(super) preserve: bool,
    /// The top-level fields that are read after the stage or by it; `None` for all.
    kept: Option<Kept>,
    /// Binds the items to their path, where the next stage reads values and its paths are known.
    binder: Option<Binder>,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let mut path = ValueRef::Missing;
    let mut index = None;
    let mut preserve = false;
    match specification {
        ValueRef::String(_) => path = specification,
        ValueRef::Document(fields) => {
            for field in fields.iter() {
                match field.name {
                    "path" => path = field.value,
                    "preserveNullAndEmptyArrays" => {
                        preserve = field.value.as_bool().ok_or_else(|| {
                            CommandError::location(
                                28809,
                                format!(
                                    "expected a boolean for the preserveNullAndEmptyArrays option to \
                                     $unwind stage, got {}",
                                    field.value.type_name()
                                ),
                            )
                        })?;
                    }
                    "includeArrayIndex" => index = Some(index_path(field.value)?),
                    other => {
                        return Err(CommandError::location(
                            28811,
                            format!("unrecognized option to $unwind stage: {other}"),
                        ));
                    }
                }
            }
        }
        other => {
            return Err(CommandError::location(
                15981,
                format!(
                    "expected either a string or an object as specification for $unwind stage, got \
                     {}",
                    other.type_name()
                ),
            ));
        }
    }
    let path = match path {
        ValueRef::Missing => {
            return Err(CommandError::location(
                28812,
                "no path specified to $unwind stage",
            ));
        }
        ValueRef::String(path) => path.checked()?,
        other => {
            return Err(CommandError::location(
                28808,
                format!(
                    "expected a string as the path for $unwind stage, got {}",
                    other.type_name()
                ),
            ));
        }
    };
    let Some(path) = path.strip_prefix('$') else {
        return Err(CommandError::location(
            28818,
            format!("path option to $unwind stage should be prefixed with a '$': {path}"),
        ));
    };
    Ok(vec![Box::new(UnwindPlan {
        path: FieldPath::parse(path)?,
        index,
        preserve,
        kept: None,
        binder: None,
    })])
}

fn index_path(value: ValueRef<'_>) -> Result<FieldPath> {
    let ValueRef::String(path) = value else {
        return Err(CommandError::location(
            28810,
            format!(
                "expected a non-empty string for the includeArrayIndex  option to $unwind stage, \
                 got {}",
                value.type_name()
            ),
        ));
    };
    let path = path.checked()?;
    if path.is_empty() {
        return Err(CommandError::location(
            28810,
            "expected a non-empty string for the includeArrayIndex  option to $unwind stage",
        ));
    }
    if path.starts_with('$') {
        return Err(CommandError::location(
            28822,
            format!(
                "includeArrayIndex option to $unwind stage should not be prefixed with a '$': {path}"
            ),
        ));
    }
    FieldPath::parse(path)
}

impl StagePlan for UnwindPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(UnwindStage {
            input,
            unwinder: Unwinder {
                plan: self,
                document: Output::default(),
                items: Vec::new(),
                next: 0,
                output: Output::default(),
                element: Vec::new(),
            },
        })
    }

    fn narrow(&mut self, after: Following<'_>) {
        let mut needed = after.needed();
        if needed.whole_document {
            return;
        }
        if self.can_bind(&needed)
            && let Some(paths) = after.reads_values()
        {
            self.binder = Binder::new(self, &paths);
        }
        needed.add(&self.path.dotted());
        self.kept = Kept::of(needed.paths.iter().map(String::as_str));
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$unwind");
        builder.append("path", format!("${}", self.path.dotted()).as_str());
        if self.preserve {
            builder.append("preserveNullAndEmptyArrays", true);
        }
        if let Some(index) = &self.index {
            builder.append("includeArrayIndex", index.dotted().as_str());
        }
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.add(&self.path.dotted());
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Unwind(self)
    }

    fn reads_values(&self) -> Option<Vec<FieldPath>> {
        Some(self.binder.as_ref()?.reads().to_vec())
    }

    fn path_before(&self, path: &str) -> Option<String> {
        let touched = |held: &FieldPath| paths_touch(&held.dotted(), path);
        let is_made = touched(&self.path) || self.index.as_ref().is_some_and(touched);
        (!is_made).then(|| path.to_owned())
    }
}

impl UnwindPlan {
    /// Whether nothing reads a value that an item or its position lies within.
    fn can_bind(&self, needed: &Dependencies) -> bool {
        let path = self.path.dotted();
        let index_is_apart = self.index.as_ref().is_none_or(|index| {
            // Deeper in, the position may take the place of an array or a plain value.
            index.parts().len() == 1 && !paths_touch(&index.dotted(), &path)
        });
        let is_within = |outer: &String| paths_touch(&path, outer) && outer.len() < path.len();
        index_is_apart && !needed.paths.iter().any(is_within)
    }
}

struct UnwindStage {
    input: Box<dyn Stage>,
    unwinder: Unwinder,
}

/// The output of one document after the other.
struct Unwinder {
    plan: Box<UnwindPlan>,
    /// The parts kept of the incoming document.
    document: Output,
    /// Type and place, within that document, of each item.
    items: Vec<(BsonType, Range<usize>)>,
    next: usize,
    output: Output,
    element: Vec<u8>,
}

impl Unwinder {
    /// Whether items of the last document are left.
    fn has_more(&self) -> bool {
        self.next < self.items.len()
    }

    /// Copies the fields of a document that are read later.
    fn keep(&mut self, document: Document<'_>) {
        let Some(kept) = &mut self.plan.kept else {
            self.document.copy(document);
            return;
        };
        let mut builder = self.document.begin();
        kept.write(document, &mut builder);
        self.document.finish(builder);
    }

    /// Looks at a new document; true when it gives at least one.
    fn look(&mut self, document: Document<'_>) -> bool {
        self.keep(document);
        self.items.clear();
        self.next = 0;
        let document = self.document.current();
        let mut value = ValueRef::Document(document);
        for part in self.plan.path.parts() {
            value = match value {
                ValueRef::Document(inner) => inner.get(part),
                _ => ValueRef::Missing,
            };
        }
        match value {
            ValueRef::Array(array) if !array.is_empty() => {
                let base = document.as_bytes().as_ptr() as usize;
                let list = Document::from_valid_bytes(array.as_bytes());
                for item in list.raw_elements() {
                    // The item's bytes lie within the document's.
                    let start = item.value_bytes.as_ptr() as usize - base;
                    self.items
                        .push((item.kind, start..start + item.value_bytes.len()));
                }
                true
            }
            ValueRef::Array(_) | ValueRef::Missing | ValueRef::Null | ValueRef::Undefined => {
                self.plan.preserve
            }
            // The document passes as it is.
            _ => true,
        }
    }

    /// Writes the document with the next item in the array's place.
    fn write(&mut self) {
        let document = self.document.current();
        let mut builder = self.output.begin();
        let index = self.next;
        let item = self.items.get(index);
        let replacement = match item {
            Some((kind, place)) => Replacement::Value(*kind, &document.as_bytes()[place.clone()]),
            None if self.plan.preserve && self.is_empty_array(document) => Replacement::Nothing,
            None => Replacement::Keep,
        };
        replace(
            document,
            self.plan.path.parts(),
            &replacement,
            &mut self.element,
            &mut builder,
        );
        self.next += 1;
        if let Some(path) = &self.plan.index {
            let position = match item {
                Some(_) => ValueRef::Int64(index as i64),
                None => ValueRef::Null,
            };
            let unwound = builder.finish();
            let mut builder = DocumentBuilder::new();
            set(unwound.as_document(), path.parts(), position, &mut builder);
            self.output.finish(builder);
        } else {
            self.output.finish(builder);
        }
    }

    fn is_empty_array(&self, document: Document<'_>) -> bool {
        let value = crate::expr::path::plain_value(self.plan.path.parts(), document);
        matches!(value, Some(ValueRef::Array(array)) if array.is_empty())
    }
}

/// The new value at the array's path: an item, none, or the array as it is.
enum Replacement<'a> {
    Value(BsonType, &'a [u8]),
    Nothing,
    Keep,
}

fn replace(
    document: Document<'_>,
    path: &[Box<str>],
    replacement: &Replacement<'_>,
    element: &mut Vec<u8>,
    builder: &mut DocumentBuilder,
) {
    let Some((name, deeper)) = path.split_first() else {
        return;
    };
    let mut found = false;
    for field in document.raw_elements() {
        if found || field.name != name.as_bytes() {
            builder.append_raw(field.raw);
            continue;
        }
        found = true;
        if !deeper.is_empty() {
            if let ValueRef::Document(inner) = field.value() {
                builder.begin_document(name);
                replace(inner, deeper, replacement, element, builder);
                builder.end();
            } else {
                builder.append_raw(field.raw);
            }
            continue;
        }
        match replacement {
            Replacement::Keep => {
                builder.append_raw(field.raw);
            }
            Replacement::Nothing => {}
            Replacement::Value(kind, bytes) => {
                write_element(element, *kind, name, bytes);
                builder.append_raw(element);
            }
        }
    }
}

/// Writes a document with a value set at a path; a value on the way that is no document is replaced.
pub fn set(
    document: Document<'_>,
    path: &[Box<str>],
    value: ValueRef<'_>,
    builder: &mut DocumentBuilder,
) {
    let Some((name, deeper)) = path.split_first() else {
        return;
    };
    let mut written = false;
    let write = |inner: ValueRef<'_>, builder: &mut DocumentBuilder| {
        if deeper.is_empty() {
            builder.append(name, value);
        } else {
            builder.begin_document(name);
            let inner = inner.as_document().unwrap_or(Document::EMPTY);
            set(inner, deeper, value, builder);
            builder.end();
        }
    };
    for field in document.raw_elements() {
        if !written && field.name == name.as_bytes() {
            written = true;
            write(field.value(), builder);
        } else {
            builder.append_raw(field.raw);
        }
    }
    if !written {
        write(ValueRef::Missing, builder);
    }
}

impl Stage for UnwindStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let unwinder = &mut self.unwinder;
        while !unwinder.has_more() {
            if !self.input.advance(cx)? {
                unwinder.items.clear();
                unwinder.next = 0;
                return Ok(false);
            }
            if unwinder.look(self.input.current().document()) {
                break;
            }
        }
        cx.env.checkpoint()?;
        unwinder.write();
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.unwinder.output.current())
    }

    fn visit(&mut self, cx: &ExecContext<'_>, visitor: &mut Visitor<'_>) -> Result<bool> {
        let unwinder = &mut self.unwinder;
        while unwinder.has_more() {
            cx.env.checkpoint()?;
            unwinder.write();
            if !visitor(&unwinder.output.current().into())? {
                return Ok(false);
            }
        }
        if let Some(mut binder) = unwinder.plan.binder.take() {
            let plan = &unwinder.plan;
            let bind = &mut |record: &Record<'_>| binder.visit(plan, record, cx.env, visitor);
            let ended = self.input.visit(cx, bind);
            unwinder.plan.binder = Some(binder);
            return ended;
        }
        self.input.visit(cx, &mut |record| {
            if !unwinder.look(record.document()) {
                return Ok(true);
            }
            loop {
                cx.env.checkpoint()?;
                unwinder.write();
                if !visitor(&unwinder.output.current().into())? {
                    return Ok(false);
                }
                if !unwinder.has_more() {
                    return Ok(true);
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn gives_one_for_each_item() {
        gives(
            "[{$unwind: '$t'}]",
            "[{_id: 1, t: ['a', 2], z: 1}, {_id: 2, t: []}, {_id: 3}, {_id: 4, t: null}, {_id: 5, t: 'x'}]",
            "[{_id: 1, t: 'a', z: 1}, {_id: 1, t: 2, z: 1}, {_id: 5, t: 'x'}]",
        );
        gives(
            "[{$unwind: {path: '$a.t', includeArrayIndex: 'a.i', preserveNullAndEmptyArrays: true}}]",
            "[{a: {t: ['x', 'y'], q: 1}}, {a: {t: []}}, {b: 1}, {a: {t: 5}}]",
            "[{a: {t: 'x', q: 1, i: NumberLong(0)}}, {a: {t: 'y', q: 1, i: NumberLong(1)}}, \
             {a: {i: null}}, {b: 1, a: {i: null}}, {a: {t: 5, i: null}}]",
        );
        gives(
            "[{$unwind: {path: '$t', preserveNullAndEmptyArrays: true}}]",
            "[{t: null}, {t: [null]}]",
            "[{t: null}, {t: null}]",
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$unwind: 't'}]", 28818);
        fails("[{$unwind: 5}]", 15981);
        fails("[{$unwind: {}}]", 28812);
        fails("[{$unwind: {path: '$t', x: 1}}]", 28811);
        fails(
            "[{$unwind: {path: '$t', preserveNullAndEmptyArrays: 1}}]",
            28809,
        );
        fails("[{$unwind: {path: '$t', includeArrayIndex: '$i'}}]", 28822);
    }
}
