//! `$_internalUnpackBucket`: the measurements of each bucket of a time series.
//!
//! Manual: core/timeseries-collections. A time series is a view of this one stage. Invariant: only the columns that
//! are read later are unpacked, each once a bucket; a filter that follows the stage runs within it, and the part of it
//! that holds of whole buckets runs before it (`unpack_filter`).

use super::super::filters;
use super::super::output::Output;
use super::super::stage::{Flow, Following, Part, StagePlan};
use super::unpack_filter::BucketPaths;
use crate::bson::column::Column;
use crate::bson::{BsonType, Document, DocumentBuilder, ValueRef};
use crate::catalog::series::bucket::{column_of, damaged};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage, Visitor};
use crate::expr::{CompileContext, Dependencies};
use crate::query::{MatchNode, Matcher};

type Result<T> = std::result::Result<T, CommandError>;

/// The name of the stage.
pub const NAME: &str = "$_internalUnpackBucket";

/// A compiled `$_internalUnpackBucket`.
pub struct UnpackPlan {
    pub(super) paths: BucketPaths,
    /// The fields that are read later; `None` for all.
    included: Option<Vec<String>>,
    /// The filter that measurements are to match.
    filter: Option<Matcher>,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let refuse = |code, message: String| Err(CommandError::location(code, message));
    let ValueRef::Document(fields) = specification else {
        return refuse(5_346_500, format!("{NAME} specification must be an object"));
    };
    let (mut time, mut meta, mut span) = (None, None, None);
    for field in fields.iter() {
        match (field.name, field.value.as_str(), field.value.as_exact_i64()) {
            ("timeField", Some(name), _) => time = Some(name),
            ("timeField", ..) => {
                return refuse(5_346_504, "timeField field must be a string".into());
            }
            ("metaField", Some(name), _) => meta = Some(name),
            ("metaField", ..) => {
                return refuse(5_346_505, "metaField field must be a string".into());
            }
            ("bucketMaxSpanSeconds", _, Some(seconds @ 1..)) => span = Some(seconds),
            ("bucketMaxSpanSeconds", ..) => {
                return refuse(
                    5_510_601,
                    "bucketMaxSpanSeconds must be greater than zero".into(),
                );
            }
            ("assumeNoMixedSchemaData", ..) => {}
            (other, ..) => {
                return refuse(
                    5_346_506,
                    format!("unrecognized parameter to {NAME}: {other}"),
                );
            }
        }
    }
    let (Some(time), Some(span)) = (time, span) else {
        return refuse(
            5_346_508,
            format!("{NAME} requires timeField and bucketMaxSpanSeconds"),
        );
    };
    Ok(vec![Box::new(UnpackPlan {
        paths: BucketPaths {
            time: time.into(),
            meta: meta.map(Box::from),
            span,
        },
        included: None,
        filter: None,
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
        self.filter = Some(filter);
        Ok(loose)
    }
}

impl StagePlan for UnpackPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(UnpackStage {
            input,
            unpacker: Unpacker::new(*self),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document(NAME);
        builder.begin_array(if self.included.is_some() {
            "include"
        } else {
            "exclude"
        });
        for (position, name) in self.included.iter().flatten().enumerate() {
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
            if !included.iter().any(|held| held == name) {
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
            output: Output::default(),
        }
    }

    /// Unpacks a bucket's columns.
    fn load(&mut self, bucket: Document<'_>, cx: &ExecContext<'_>) -> Result<()> {
        cx.env.checkpoint()?;
        let (paths, included) = (&self.plan.paths, &self.plan.included);
        let wants =
            |name: &str| { included.as_ref() }.is_none_or(|all| all.iter().any(|one| one == name));
        self.columns.clear();
        self.next = 0;
        let data = bucket.get("data").as_document().unwrap_or(Document::EMPTY);
        let count = match bucket.get("control") {
            ValueRef::Document(control) => control.get("count").as_exact_i64(),
            _ => None,
        };
        let time = match count {
            Some(_) if !wants(&paths.time) => None,
            _ => Some(column_of(data.get(&paths.time)).ok_or_else(damaged)?),
        };
        self.count = match (&time, count) {
            (Some(time), _) => time.len(),
            (None, count) => usize::try_from(count.unwrap_or(0)).unwrap_or(0),
        };
        if let Some(time) = time.filter(|_| wants(&paths.time)) {
            self.columns.push((paths.time.clone(), time));
        }
        for field in data.iter() {
            if *field.name != *paths.time && wants(field.name) {
                let column = column_of(field.value).ok_or_else(damaged)?;
                self.columns.push((field.name.into(), column));
            }
        }
        let meta = paths.meta.as_ref().filter(|name| wants(name));
        self.meta = meta.and_then(|_| {
            let element = bucket.find_raw(b"meta")?;
            Some((element.kind, element.value_bytes.to_vec()))
        });
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

    /// Goes to the next measurement that matches; false where the bucket has none left.
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        while self.write() {
            let Some(filter) = &self.plan.filter else {
                return Ok(true);
            };
            if filter.matches(self.output.current(), cx.env)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Stage for UnpackStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
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
