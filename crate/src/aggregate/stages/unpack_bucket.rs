//! `$_internalUnpackBucket`: the measurements of each bucket of a time series.
//!
//! Manual: core/timeseries-collections. A time series is a view of this one stage. Invariant: only the columns that
//! are read later are unpacked, each once a bucket; a filter that follows the stage runs within it, and the part of it
//! that holds of whole buckets runs before it (`unpack_filter`). The filter is
//! passed over for a bucket whose bounds of time say that all of its measurements match.

use super::super::filters;
use super::super::output::Output;
use super::super::stage::{Flow, Following, Part, StagePlan};
use super::bounded_sort::Ordering;
use super::group::GroupPlan;
use super::unpack_filter::BucketPaths;
use crate::bson::column::Column;
use crate::bson::{BsonType, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::series::bucket::{column_of, damaged};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage, Visitor};
use crate::expr::{CompileContext, Dependencies};
use crate::query::predicate::comparison::ComparisonKind;
use crate::query::{MatchNode, Matcher};

type Result<T> = std::result::Result<T, CommandError>;

/// The name of the stage.
pub const NAME: &str = "$_internalUnpackBucket";

/// A compiled `$_internalUnpackBucket`.
pub struct UnpackPlan {
    pub paths: BucketPaths,
    /// The fields that are read later; `None` for all.
    included: Option<Vec<String>>,
    /// The fields that are left out.
    excluded: Vec<String>,
    /// The filter that measurements are to match.
    filter: Option<Matcher>,
    /// All measurements between these bounds of the time match it, where it asks for no more.
    bounds: Option<Vec<(ComparisonKind, i64)>>,
    /// Measurements are given in the order of their time, or against it.
    order: Option<bool>,
    /// The least and the greatest values of a bucket stand for all of them.
    extremes: bool,
}

/// Refuses a value of `include` or `exclude` that is no list of field names.
fn check_names(list: ValueRef<'_>) -> Result<()> {
    let ValueRef::Array(list) = list else {
        return refused(5_346_501, "include or exclude field must be an array");
    };
    for name in list.iter() {
        match name.as_str() {
            None => {
                return refused(
                    5_346_502,
                    "include or exclude field element must be a string",
                );
            }
            Some(name) if name.contains('.') => {
                return refused(
                    5_346_503,
                    "include or exclude field element must be a single-element field path",
                );
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The names that a list of fields has, where it is there.
fn names(list: ValueRef<'_>) -> Option<Vec<String>> {
    let names =
        { list.as_array()?.iter() }.map(|name| name.as_str().unwrap_or_default().to_owned());
    Some(names.collect())
}

fn refused<T>(code: i32, message: &str) -> Result<T> {
    Err(CommandError::location(code, message))
}

/// Compiles the stage.
///
/// # Errors
/// 5346500 to 5346508, 5408000, 5510600 to 5510602, 5545700 and 6067202 for parameters that are unknown, absent or of
/// another form.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let Some(all) = specification.as_document() else {
        let message = "$_internalUnpackBucket specification must be an object";
        return refused(5_346_500, message);
    };
    for field in all.iter() {
        let value = field.value;
        let is_string = value.as_str().is_some();
        // `assumeNoMixedSchemaData` has no meaning here: nothing that a bucket's bounds tell rests on it.
        let (code, is_right, kind) = match field.name {
            "include" | "exclude" => {
                check_names(value)?;
                continue;
            }
            "timeField" => (5_346_504, is_string, "a string"),
            "metaField" => (5_346_505, is_string, "a string"),
            "bucketMaxSpanSeconds" => {
                (5_510_600, matches!(value, ValueRef::Int32(_)), "an integer")
            }
            "assumeNoMixedSchemaData" => (6_067_202, value.as_bool().is_some(), "a bool"),
            other => {
                let message = format!("unrecognized parameter to {NAME}: {other}");
                return refused(5_346_506, &message);
            }
        };
        if !is_right {
            let message = format!("{} field must be {kind}", field.name);
            return refused(code, &message);
        }
    }
    let given = |name: &str| all.get(name);
    let (included, excluded) = (names(given("include")), names(given("exclude")));
    let (time, meta) = (given("timeField").as_str(), given("metaField").as_str());
    let span = given("bucketMaxSpanSeconds").as_exact_i64();
    let problem = match (time, span) {
        _ if included.is_some() && excluded.is_some() => Some((
            5_408_000,
            "expects at most one of include/exclude parameters to be specified",
        )),
        _ if meta.is_some_and(|meta| meta.contains('.')) => Some((
            5_545_700,
            "expects a metaField that is a single-element field path",
        )),
        (_, Some(..1)) => Some((5_510_601, "expects a bucketMaxSpanSeconds above zero")),
        (None, _) => Some((5_346_508, "requires a timeField parameter")),
        (_, None) => Some((5_510_602, "requires a bucketMaxSpanSeconds parameter")),
        _ => None,
    };
    if let Some((code, message)) = problem {
        return refused(code, &format!("The {NAME} stage {message}"));
    }
    Ok(vec![Box::new(UnpackPlan {
        paths: BucketPaths {
            time: time.unwrap_or_default().into(),
            meta: meta.map(Box::from),
            span: span.unwrap_or_default(),
        },
        included,
        excluded: excluded.unwrap_or_default(),
        filter: None,
        bounds: None,
        order: None,
        extremes: false,
    })])
}

impl UnpackPlan {
    /// Takes the filter that follows, and gives the filter of buckets that may have measurements which match it.
    ///
    /// # Errors
    /// Errors of compiling it.
    pub fn take_filter(
        &mut self,
        matcher: &Matcher,
        context: &CompileContext<'_>,
    ) -> Result<Option<MatchNode>> {
        let loose = self.paths.loose(matcher.root(), context)?;
        let filter = match &self.filter {
            None => matcher.clone(),
            Some(held) => Matcher::from_node(filters::both(held.root(), matcher.root()))
                .with_collation(matcher.collation()),
        };
        let mut bounds = Vec::new();
        let is_tight = self.paths.tight(filter.root(), &mut bounds);
        self.bounds = is_tight.then_some(bounds);
        self.filter = Some(filter);
        Ok(loose)
    }
}

impl UnpackPlan {
    /// Takes a sort that follows where it is one by the time; gives the order, and the path that buckets are to be
    /// sorted by. `by_meta`: the buckets are those of one meta value.
    pub fn take_order(&mut self, pattern: Document<'_>, by_meta: bool) -> Option<(bool, String)> {
        let mut fields = pattern.iter();
        let field = fields.next()?;
        if *field.name != *self.paths.time || fields.next().is_some() || self.order.is_some() {
            return None;
        }
        let is_descending = field.value.as_number()?.to_f64() < 0.0;
        self.order = Some(is_descending);
        let path = match by_meta {
            true => format!("control.min.{}", self.paths.time),
            false => "_id".to_owned(),
        };
        Some((is_descending, path))
    }

    /// Whether measurements are left out that a filter behind the stage did not match.
    pub fn is_filtered(&self) -> bool {
        self.filter.is_some()
    }

    fn wants(&self, name: &str) -> bool {
        let mut all = self.included.iter();
        all.all(|all| all.iter().any(|one| one == name))
            && !self.excluded.iter().any(|one| one == name)
    }

    /// The pattern of buckets of a sort by the meta field alone.
    pub fn meta_sort(&self, pattern: Document<'_>) -> Option<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        for field in pattern.iter() {
            field.value.as_number()?;
            builder.append(&self.paths.meta_path(field.name)?, field.value);
        }
        Some(builder.finish())
    }

    /// Lets the least and the greatest values of a bucket stand for all of them, where a group asks for no others.
    pub fn take_group(&mut self, group: &GroupPlan) {
        let paths = &self.paths;
        let is_meta = |path: &str| paths.meta_path(path).is_some();
        let is_bound = |name: &str, path: &str| {
            // The beginning of a bucket is not its first time.
            !path.contains('.') && !is_meta(path) && (*path != *paths.time || name == "$max")
        };
        self.extremes = self.filter.is_none() && group.asks_for_extremes(&is_meta, &is_bound);
    }
}

impl StagePlan for UnpackPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        let span = self.paths.span.saturating_mul(1000);
        Box::new(UnpackStage {
            input,
            ordering: self
                .order
                .map(|is_descending| Ordering::new(is_descending, span)),
            unpacker: Unpacker::new(*self),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document(NAME);
        let (list, names) = match &self.included {
            Some(included) => ("include", included),
            None => ("exclude", &self.excluded),
        };
        builder.begin_array(list);
        for (position, name) in names.iter().enumerate() {
            builder.append(&position.to_string(), name.as_str());
        }
        builder.end();
        builder.append("timeField", &*self.paths.time);
        if let Some(meta) = &self.paths.meta {
            builder.append("metaField", &**meta);
        }
        builder.append_integer("bucketMaxSpanSeconds", self.paths.span);
        builder.append("assumeNoMixedSchemaData", true);
        if let Some(filter) = &self.filter {
            builder.append("eventFilter", &filter.root().to_bson());
        }
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Exhausts
    }

    fn part(&mut self) -> Part<'_> {
        Part::Unpack(self)
    }

    fn narrow(&mut self, after: Following<'_>) {
        let mut needed = after.needed();
        let mut paths = Vec::new();
        if let Some(filter) = &self.filter {
            needed.whole_document |= !filter.root().collect_paths(&mut paths);
        }
        if needed.whole_document {
            return;
        }
        let mut included: Vec<String> = Vec::new();
        for path in needed.paths.iter().map(String::as_str).chain(paths) {
            let name = path.split('.').next().unwrap_or_default();
            if self.wants(name) && !included.iter().any(|held| held == name) {
                included.push(name.to_owned());
            }
        }
        self.included = Some(included);
    }

    fn path_before(&self, path: &str) -> Option<String> {
        self.paths.meta_path(path)
    }

    fn makes_documents(&self) -> bool {
        true
    }
}

struct UnpackStage {
    input: Box<dyn Stage>,
    ordering: Option<Ordering>,
    unpacker: Unpacker,
}

/// The measurements of one bucket after the other.
pub struct Unpacker {
    plan: UnpackPlan,
    /// The columns that are read, with their names; that of the time first.
    columns: Vec<(Box<str>, Column)>,
    /// Type and bytes of the value that all have.
    meta: Option<(BsonType, Vec<u8>)>,
    count: usize,
    next: usize,
    /// All measurements of the bucket match the filter.
    is_whole: bool,
    output: Output,
}

impl Unpacker {
    fn new(plan: UnpackPlan) -> Self {
        Self {
            plan,
            columns: Vec::new(),
            meta: None,
            count: 0,
            next: 0,
            is_whole: false,
            output: Output::default(),
        }
    }

    /// Unpacks a bucket's columns.
    fn load(&mut self, bucket: Document<'_>, cx: &ExecContext<'_>) -> Result<()> {
        cx.env.checkpoint()?;
        self.columns.clear();
        self.next = 0;
        self.is_whole = self.lies_within(bucket);
        let is_loaded = self.plan.extremes && self.load_extremes(bucket);
        if !is_loaded {
            self.columns.clear();
            self.load_columns(bucket)?;
        }
        let meta = { self.plan.paths.meta.as_ref() }.filter(|name| self.plan.wants(name));
        self.meta = meta.and_then(|_| {
            let element = bucket.find_raw(b"meta")?;
            Some((element.kind, element.value_bytes.to_vec()))
        });
        Ok(())
    }

    /// Whether the times of a bucket lie between the bounds within which all measurements match.
    fn lies_within(&self, bucket: Document<'_>) -> bool {
        let time = &self.plan.paths.time;
        let control = bucket.get("control").as_document();
        let side = |name: &str| match control.map(|control| control.get(name)) {
            Some(ValueRef::Document(side)) => side.get(time),
            _ => ValueRef::Missing,
        };
        let (ValueRef::DateTime(min), ValueRef::DateTime(max)) = (side("min"), side("max")) else {
            return false;
        };
        self.plan.bounds.as_ref().is_some_and(|bounds| {
            bounds.iter().all(|(kind, bound)| match kind {
                ComparisonKind::Equal => min == *bound && max == *bound,
                ComparisonKind::Less => max < *bound,
                ComparisonKind::LessOrEqual => max <= *bound,
                ComparisonKind::Greater => min > *bound,
                ComparisonKind::GreaterOrEqual => min >= *bound,
            })
        })
    }

    fn load_columns(&mut self, bucket: Document<'_>) -> Result<()> {
        let paths = &self.plan.paths;
        let data = bucket.get("data").as_document().unwrap_or(Document::EMPTY);
        let count = match bucket.get("control") {
            ValueRef::Document(control) => control.get("count").as_exact_i64(),
            _ => None,
        };
        let time = match count {
            Some(_) if !self.plan.wants(&paths.time) => None,
            _ => Some(column_of(data.get(&paths.time)).ok_or_else(damaged)?),
        };
        self.count = match (&time, count) {
            (Some(time), _) => time.len(),
            (None, count) => usize::try_from(count.unwrap_or(0)).unwrap_or(0),
        };
        if let Some(time) = time.filter(|_| self.plan.wants(&paths.time)) {
            self.columns.push((paths.time.clone(), time));
        }
        for field in data.iter() {
            if *field.name != *paths.time && self.plan.wants(field.name) {
                let column = column_of(field.value).ok_or_else(damaged)?;
                self.columns.push((field.name.into(), column));
            }
        }
        Ok(())
    }

    /// Writes the next measurement; false where there is none left.
    fn write(&mut self) -> bool {
        let at = self.next;
        if at >= self.count {
            return false;
        }
        self.next += 1;
        let (columns, meta) = (&self.columns, &self.meta);
        let (time, meta_field) = (&self.plan.paths.time, self.plan.paths.meta.as_deref());
        let mut builder = self.output.begin();
        builder.append_by(|bytes| {
            let mut element = |name: &str, kind: BsonType, value: &[u8]| {
                bytes.push(kind as u8);
                bytes.extend_from_slice(name.as_bytes());
                bytes.push(0);
                bytes.extend_from_slice(value);
            };
            let is_first = |name: &str| name == &**time;
            let has_time = columns.first().is_some_and(|(name, _)| is_first(name));
            let (first, others) = columns.split_at(usize::from(has_time));
            for (name, column) in first {
                if let Some((kind, value)) = column.raw(at) {
                    element(name, kind, value);
                }
            }
            if let (Some(name), Some((kind, value))) = (meta_field, meta) {
                element(name, *kind, value);
            }
            for (name, column) in others {
                if let Some((kind, value)) = column.raw(at) {
                    element(name, kind, value);
                }
            }
        });
        self.output.finish(builder);
        true
    }

    /// The measurement that was gone to last.
    pub(super) fn current(&self) -> Document<'_> {
        self.output.current()
    }

    /// Loads the least and the greatest values in the place of all; false where they are no plain values.
    fn load_extremes(&mut self, bucket: Document<'_>) -> bool {
        let control = bucket
            .get("control")
            .as_document()
            .unwrap_or(Document::EMPTY);
        let side = |name: &str| control.get(name).as_document().unwrap_or(Document::EMPTY);
        let sides = [side("min"), side("max")];
        let (time, meta) = (&self.plan.paths.time, self.plan.paths.meta.as_deref());
        for name in self.plan.included.iter().flatten() {
            if Some(name.as_str()) == meta {
                continue;
            }
            let mut column = Column::default();
            for (place, side) in sides.iter().enumerate() {
                // The last time stands for the first too: only the greatest is asked for.
                let side = if **time == **name { &sides[1] } else { side };
                match side.find_raw(name.as_bytes()) {
                    Some(found) if matches!(found.kind, BsonType::Document | BsonType::Array) => {
                        return false;
                    }
                    Some(found) => column.push(found.kind, found.value_bytes),
                    None => column.pad(place + 1),
                }
            }
            self.columns.push((name.as_str().into(), column));
        }
        self.count = sides.len();
        true
    }

    /// Goes to the next measurement that matches; false where the bucket has none left.
    pub(super) fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        while self.write() {
            let Some(filter) = self.plan.filter.as_ref().filter(|_| !self.is_whole) else {
                return Ok(true);
            };
            if filter.matches(self.output.current(), cx.env)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl UnpackStage {
    /// Goes to the next measurement in the order of the time.
    fn advance_in_order(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let Some(ordering) = &mut self.ordering else {
            return Ok(false);
        };
        let mut is_over = false;
        loop {
            if let Some(next) = ordering.pop() {
                self.unpacker
                    .output
                    .set(DocumentBuf::from_valid_bytes(next));
                return Ok(true);
            }
            if is_over {
                return Ok(false);
            }
            if self.input.advance(cx)? {
                let record = self.input.current();
                self.unpacker.load(record.document(), cx)?;
                let time = self.unpacker.plan.paths.time.clone();
                ordering.take(&mut self.unpacker, record.document(), &time, cx)?;
            } else {
                ordering.release(None);
                is_over = true;
            }
        }
    }
}

impl Stage for UnpackStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if self.ordering.is_some() {
            return self.advance_in_order(cx);
        }
        loop {
            if self.unpacker.advance(cx)? {
                return Ok(true);
            }
            if !self.input.advance(cx)? {
                return Ok(false);
            }
            self.unpacker.load(self.input.current().document(), cx)?;
        }
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.unpacker.output.current())
    }

    fn visit(&mut self, cx: &ExecContext<'_>, visitor: &mut Visitor<'_>) -> Result<bool> {
        if self.ordering.is_some() {
            while self.advance_in_order(cx)? {
                if !visitor(&self.current())? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let unpacker = &mut self.unpacker;
        while unpacker.advance(cx)? {
            if !visitor(&Record::from(unpacker.output.current()))? {
                return Ok(false);
            }
        }
        self.input.visit(cx, &mut |record| {
            unpacker.load(record.document(), cx)?;
            while unpacker.advance(cx)? {
                if !visitor(&Record::from(unpacker.output.current()))? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }
}
