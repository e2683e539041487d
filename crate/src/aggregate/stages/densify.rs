//! `$densify`: makes documents for the steps that a range of values lacks.
//!
//! Follows the manual's "$densify (aggregation)" page. Invariant: the input is sorted (a `$sort` before this stage sees
//! to it), so each partition needs to remember only the last value on its steps.

use super::super::output::Output;
use super::super::stage::{Flow, StagePlan};
use super::densify_range::{Bounds, Point, mismatch, missing, read_range};
use super::foreign;
use super::sort::SortPlan;
use super::unwind::set;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Number, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::arithmetic::numeric;
use crate::expr::date::adding::add_local;
use crate::expr::date::unit::Unit;
use crate::expr::{Carried, CompileContext, Dependencies, FieldPath};
use crate::keycode::{self, TypeBits};
use crate::query::SortPattern;
use crate::storage::KeyMap;
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

/// The most documents one stage may make.
const MOST_GENERATED: usize = 500_000;

struct DensifyPlan {
    field: FieldPath,
    partition_by: Vec<FieldPath>,
    step: Number,
    unit: Option<Unit>,
    bounds: Bounds,
    /// `range` as it was given.
    range: DocumentBuf,
    collation: Collation,
    metadata: Carried,
}

/// Compiles the stage to a sort and the stage itself.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let fields = foreign::specification_fields(name, specification)?;
    let (mut field, mut range) = (None, None);
    let mut partition_by = Vec::new();
    for part in fields.iter() {
        match (part.name, part.value) {
            ("field", ValueRef::String(path)) => field = Some(FieldPath::parse(path.checked()?)?),
            ("field", other) => return Err(mismatch("field", other, "string")),
            ("partitionByFields", ValueRef::Array(paths)) => {
                for path in paths.iter() {
                    let text = path
                        .as_text()
                        .ok_or_else(|| mismatch("partitionByFields", path, "string"))?;
                    partition_by.push(FieldPath::parse(text.checked()?)?);
                }
            }
            ("partitionByFields", other) => {
                return Err(mismatch("partitionByFields", other, "array"));
            }
            ("range", ValueRef::Document(fields)) => range = Some(fields),
            ("range", other) => return Err(mismatch("range", other, "object")),
            (other, _) => return Err(foreign::unknown_field(name, other)),
        }
    }
    let field = field.ok_or_else(|| missing("field"))?;
    let range = range.ok_or_else(|| missing("range"))?;
    let (step, unit, bounds) = read_range(range)?;
    if matches!(bounds, Bounds::Partition) && partition_by.is_empty() {
        return Err(CommandError::location(
            5_733_408,
            "One cannot specify the bounds as 'partition' without specifying a non-empty array of \
             partitionByFields. You may have meant to specify 'full' bounds.",
        ));
    }
    let mut pattern = DocumentBuilder::new();
    if !matches!(bounds, Bounds::Full) {
        for path in &partition_by {
            pattern.append(&path.dotted(), 1);
        }
    }
    pattern.append(&field.dotted(), 1);
    let pattern = SortPattern::compile(pattern.finish().as_document())?;
    let sort = SortPlan::new(pattern.with_collation(&context.collation));
    Ok(vec![
        Box::new(sort),
        Box::new(DensifyPlan {
            field,
            partition_by,
            step,
            unit,
            bounds,
            range: range.to_buf(),
            collation: context.collation.clone(),
            metadata: Carried::default(),
        }),
    ])
}

impl StagePlan for DensifyPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        let mut stage = DensifyStage {
            input: Some(input),
            partitions: Vec::new(),
            positions: KeyMap::default(),
            key: Vec::new(),
            extent: None,
            generator: None,
            held: None,
            finished: 0,
            generated: 0,
            output: Output::default(),
            plan: self,
        };
        if stage.plan.partition_by.is_empty() {
            // Explicit bounds are filled even where nothing comes in.
            stage.partitions.push(Partition::default());
        }
        Box::new(stage)
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$_internalDensify");
        builder.append("field", self.field.dotted().as_str());
        builder.begin_array("partitionByFields");
        for (position, path) in self.partition_by.iter().enumerate() {
            builder.push_item(position, path.dotted().as_str());
        }
        builder.end();
        builder.append("range", &self.range);
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.add(&self.field.dotted());
        for path in &self.partition_by {
            needed.add(&path.dotted());
        }
        Flow::Passes
    }
}

/// The value at a path through documents only.
fn nested<'d>(document: Document<'d>, path: &FieldPath) -> ValueRef<'d> {
    let mut value = ValueRef::Document(document);
    for part in path.parts() {
        value = match value {
            ValueRef::Document(inner) => inner.get(part),
            _ => ValueRef::Missing,
        };
    }
    value
}

impl DensifyPlan {
    fn point(&self, value: ValueRef<'_>) -> Result<Point> {
        let refuse = |message: &str| Err(CommandError::location(6_053_600, message));
        match value {
            ValueRef::DateTime(_) if self.unit.is_none() => refuse(
                "Encountered date densify value in collection when step does not have a date unit.",
            ),
            ValueRef::DateTime(millis) => Ok(Point::Date(millis)),
            other => match other.as_number() {
                Some(_) if self.unit.is_some() => refuse(
                    "Encountered numeric densify value in collection when step has a date unit.",
                ),
                Some(number) => Ok(Point::Number(number)),
                None => Err(CommandError::location(
                    5_733_201,
                    "Densify field type must be numeric or a date",
                )),
            },
        }
    }

    /// The point one step on; `None` beyond the last date.
    fn after(&self, point: Point) -> Option<Point> {
        match point {
            Point::Number(number) => Some(Point::Number(numeric::add(number, self.step))),
            Point::Date(millis) => {
                let (unit, step) = (self.unit?, self.step.to_exact_i64()?);
                add_local(millis, unit, step).map(Point::Date)
            }
        }
    }

    /// The fields that every document made for a partition carries.
    fn partition_fields(&self, document: Document<'_>) -> DocumentBuf {
        let mut fields = DocumentBuf::default();
        for path in &self.partition_by {
            let value = nested(document, path);
            if value.is_missing() {
                continue;
            }
            let mut builder = DocumentBuilder::new();
            set(fields.as_document(), path.parts(), value, &mut builder);
            fields = builder.finish();
        }
        fields
    }

    /// Refuses to write below a value that is no document.
    fn check_room(&self, fields: Document<'_>) -> Result<()> {
        self.field.check_written()?;
        let mut inner = fields;
        let (last, outer) = match self.field.parts().split_last() {
            Some(parts) => parts,
            None => return Ok(()),
        };
        let arrays = || {
            Err(CommandError::location(
                5_733_307,
                "$densify cannot generate fields nested inside arrays",
            ))
        };
        for part in outer {
            inner = match inner.get(part) {
                ValueRef::Document(deeper) => deeper,
                ValueRef::Missing => return Ok(()),
                ValueRef::Array(_) => return arrays(),
                _ => {
                    return Err(CommandError::location(
                        5_733_308,
                        "$densify cannot overwrite non-object values with objects",
                    ));
                }
            };
        }
        match inner.get(last) {
            ValueRef::Array(_) => arrays(),
            _ => Ok(()),
        }
    }
}

#[derive(Default)]
struct Partition {
    fields: DocumentBuf,
    /// The last value on the steps.
    last: Option<Point>,
}

/// Makes a partition's documents from one point up to another.
struct Generator {
    partition: usize,
    next: Point,
    end: Point,
    /// Whether the end itself is made too.
    through: bool,
}

struct DensifyStage {
    plan: Box<DensifyPlan>,
    /// Taken at its end.
    input: Option<Box<dyn Stage>>,
    partitions: Vec<Partition>,
    positions: KeyMap,
    key: Vec<u8>,
    /// The least and the greatest value so far.
    extent: Option<(Point, Point)>,
    generator: Option<Generator>,
    /// The row that comes after the generator's documents, its partition and its value.
    held: Option<(Vec<u8>, usize, Point)>,
    /// How many partitions were filled up after the input's end.
    finished: usize,
    generated: usize,
    output: Output,
}

impl DensifyStage {
    /// The document's partition, and whether it is a new one.
    fn partition(&mut self, document: Document<'_>) -> (usize, bool) {
        if self.plan.partition_by.is_empty() {
            return (0, false);
        }
        let fields = self.plan.partition_fields(document);
        self.key.clear();
        let mut bits = TypeBits::default();
        let key = self.plan.collation.key_of(ValueRef::from(&fields));
        keycode::encode(key.as_ref(), false, &mut self.key, &mut bits);
        let (position, is_new) = self
            .positions
            .find_or_insert(&self.key, self.partitions.len());
        if is_new {
            self.partitions.push(Partition { fields, last: None });
        }
        (position, is_new)
    }

    /// Where a partition's next step lies; `None` when it has none.
    fn next_step(&self, partition: usize) -> Option<Point> {
        match self.partitions.get(partition)?.last {
            Some(last) => self.plan.after(last),
            None => match self.plan.bounds {
                Bounds::Explicit(low, _) => Some(low),
                Bounds::Full => self.extent.map(|(least, _)| least),
                Bounds::Partition => None,
            },
        }
    }

    fn reach(&mut self, partition: usize, point: Point) {
        if let Some(partition) = self.partitions.get_mut(partition) {
            partition.last = Some(point);
        }
    }

    /// Takes a document in. `false`: it is held, and the documents for the missing steps before it come out first.
    fn take(&mut self, document: Document<'_>) -> Result<bool> {
        let value = nested(document, &self.plan.field);
        if value.is_nullish() {
            return Ok(true);
        }
        let point = self.plan.point(value)?;
        let (partition, _) = self.partition(document);
        let bounds = self.plan.bounds;
        self.extent = match self.extent {
            None => Some((point, point)),
            Some((least, greatest)) if greatest.is_below(point) => Some((least, point)),
            extent => extent,
        };
        let end = match bounds {
            Bounds::Explicit(low, _) if point.is_below(low) => return Ok(true),
            Bounds::Explicit(_, high) if high.is_below(point) => high,
            _ => point,
        };
        let Some(next) = self.next_step(partition) else {
            self.reach(partition, point);
            return Ok(true);
        };
        if next.is_below(end) {
            self.generator = Some(Generator {
                partition,
                next,
                end,
                through: false,
            });
            self.held = Some((self.plan.metadata.keep(document), partition, point));
            return Ok(false);
        }
        self.arrive(partition, next, point);
        Ok(true)
    }

    /// Notes a document's value that is the next step itself.
    fn arrive(&mut self, partition: usize, next: Point, point: Point) {
        let is_inside = match self.plan.bounds {
            Bounds::Explicit(_, high) => point.is_below(high),
            _ => true,
        };
        if is_inside && next.compare(point) == Ordering::Equal {
            self.reach(partition, point);
        }
    }

    /// Makes the generator's next document; false when it is done.
    fn generate(&mut self) -> Result<bool> {
        let Some(generator) = &mut self.generator else {
            return Ok(false);
        };
        let (point, partition) = (generator.next, generator.partition);
        let is_within = match point.compare(generator.end) {
            Ordering::Less => true,
            Ordering::Equal => generator.through,
            Ordering::Greater => false,
        };
        if !is_within {
            self.generator = None;
            return Ok(false);
        }
        if self.generated >= MOST_GENERATED {
            return Err(CommandError::location(
                5_897_900,
                format!(
                    "Generated {} documents in $densify, which is over the limit of {MOST_GENERATED}. \
                     Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more \
                     generated documents",
                    self.generated + 1
                ),
            ));
        }
        self.generated += 1;
        let next = self.plan.after(point);
        // A step that is lost in the value's precision would never end.
        match next.filter(|next| point.is_below(*next)) {
            Some(next) => generator.next = next,
            None => self.generator = None,
        }
        self.reach(partition, point);
        let fields = match self.partitions.get(partition) {
            Some(partition) => partition.fields.as_document(),
            None => Document::EMPTY,
        };
        self.plan.check_room(fields)?;
        let value = match point {
            Point::Number(number) => number.to_value(),
            Point::Date(millis) => ValueRef::DateTime(millis),
        };
        let mut builder = self.output.begin();
        set(fields, self.plan.field.parts(), value, &mut builder);
        self.output.finish(builder);
        Ok(true)
    }

    /// Begins to fill the next partition up after the input's end; false when all are.
    fn finish_next(&mut self) -> bool {
        while self.finished < self.partitions.len() {
            let partition = self.finished;
            self.finished += 1;
            let (end, through) = match (self.plan.bounds, self.extent) {
                (Bounds::Explicit(_, high), _) => (high, false),
                (Bounds::Full, Some((_, greatest))) => (greatest, true),
                _ => return false,
            };
            if let Some(next) = self.next_step(partition) {
                self.generator = Some(Generator {
                    partition,
                    next,
                    end,
                    through,
                });
                return true;
            }
        }
        false
    }
}

impl Stage for DensifyStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        loop {
            cx.env.checkpoint()?;
            if self.generate()? {
                self.plan.metadata.forget();
                return Ok(true);
            }
            if let Some((kept, partition, point)) = self.held.take() {
                if let Some(next) = self.next_step(partition) {
                    self.arrive(partition, next, point);
                }
                self.output.copy(self.plan.metadata.go_back(&kept));
                return Ok(true);
            }
            let Some(mut input) = self.input.take() else {
                match self.finish_next() {
                    true => continue,
                    false => return Ok(false),
                }
            };
            if !input.advance(cx)? {
                continue;
            }
            let is_next = self.take(input.current().document())?;
            if is_next {
                self.output.copy(input.current().document());
            }
            self.input = Some(input);
            if is_next {
                return Ok(true);
            }
        }
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{explain, fails, fails_on, gives};

    #[test]
    fn fills_between_what_there_is() {
        gives(
            "[{$densify: {field: 'a', range: {step: 2, bounds: 'full'}}}]",
            "[{a: 6}, {a: 0, x: 1}, {a: 3}, {x: 2}]",
            "[{x: 2}, {a: 0, x: 1}, {a: 2}, {a: 3}, {a: 4}, {a: 6}]",
        );
        gives(
            "[{$densify: {field: 'a', range: {step: 1, bounds: [1, 4]}}}]",
            "[{a: 0}, {a: 2}, {a: 9}]",
            "[{a: 0}, {a: 1}, {a: 2}, {a: 3}, {a: 9}]",
        );
        gives(
            "[{$densify: {field: 'a', range: {step: 1, bounds: [1, 3]}}}]",
            "[]",
            "[{a: 1}, {a: 2}]",
        );
    }

    #[test]
    fn fills_each_partition() {
        gives(
            "[{$densify: {field: 'a', partitionByFields: ['p'], range: {step: 1, bounds: 'full'}}}]",
            "[{p: 1, a: 1}, {p: 2, a: 2}, {p: 1, a: 3}]",
            "[{p: 1, a: 1}, {p: 2, a: 1}, {p: 2, a: 2}, {p: 1, a: 2}, {p: 1, a: 3}, {p: 2, a: 3}]",
        );
        gives(
            "[{$densify: {field: 'a', partitionByFields: ['p'], range: {step: 1, bounds: 'partition'}}}]",
            "[{p: 1, a: 1}, {p: 2, a: 2}, {p: 1, a: 3}]",
            "[{p: 1, a: 1}, {p: 1, a: 2}, {p: 1, a: 3}, {p: 2, a: 2}]",
        );
    }

    #[test]
    fn refuses_bad_ranges() {
        let range = |range: &str| format!("[{{$densify: {{field: 'a', range: {range}}}}}]");
        fails("[{$densify: 5}]", 9);
        fails("[{$densify: {field: 'a'}}]", 40414);
        fails(&range("{step: 0, bounds: 'full'}"), 5_733_401);
        fails(&range("{step: 1, bounds: 'x'}"), 5_946_802);
        fails(&range("{step: 1, bounds: 'partition'}"), 5_733_408);
        fails(&range("{step: 1, bounds: [1]}"), 5_733_403);
        fails(&range("{step: 1, bounds: [2, 1]}"), 5_733_402);
        fails(&range("{step: 1, bounds: [1, 2.5]}"), 5_876_900);
        fails(&range("{step: 1, unit: 'day', bounds: [1, 2]}"), 5_733_409);
        fails(
            &range("{step: 1.5, unit: 'day', bounds: 'full'}"),
            6_586_400,
        );
        fails(&range("{step: 1, bounds: 5}"), 5_733_404);
        fails_on(&range("{step: 1, bounds: 'full'}"), "[{a: 'x'}]", 5_733_201);
        fails_on(
            &range("{step: 1, unit: 'day', bounds: 'full'}"),
            "[{a: 1}]",
            6_053_600,
        );
        assert_eq!(
            explain(&range("{step: 1, bounds: 'full'}")),
            "[{$sort: {sortKey: {a: 1}}}, {$_internalDensify: {field: 'a', partitionByFields: [], \
             range: {step: 1, bounds: 'full'}}}]"
        );
    }
}
