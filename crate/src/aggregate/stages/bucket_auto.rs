//! `$bucketAuto`: documents gathered into so many buckets of about equal size.
//!
//! Follows the manual's "$bucketAuto" page. Invariant: equal values never lie in two buckets.

use super::super::accumulators::several::size;
use super::super::accumulators::{AccumulatorPlan, table};
use super::super::output::Output;
use super::super::stage::{Flow, StagePlan};
use super::bucket::group_by;
use super::granularity::{self, Granularity};
use crate::algorithms::sorting;
use crate::bson::{self, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use crate::exec::memory::Usage;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::growth::allow_document;
use crate::expr::{
    Carried, CompileContext, Dependencies, Expression, Scope, compile as compile_expression,
};

type Result<T> = std::result::Result<T, CommandError>;

struct BucketPlan {
    by: Expression,
    buckets: usize,
    granularity: Option<Granularity>,
    fields: Vec<(String, AccumulatorPlan)>,
    specification: DocumentBuf,
    collation: Collation,
    metadata: Carried,
}

fn refuse<T>(code: i32, message: impl Into<String>) -> Result<T> {
    Err(CommandError::location(code, message))
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return refuse(
            40240,
            format!(
                "The argument to $bucketAuto must be an object, but found type: {}",
                specification.type_name()
            ),
        );
    };
    let (mut by, mut buckets, mut outputs, mut granularity) = (None, None, None, None);
    for field in fields.iter() {
        match field.name {
            "groupBy" => {
                let value = group_by(field.value, 40239, "$bucketAuto")?;
                by = Some(compile_expression(value, context)?);
            }
            "buckets" => buckets = Some(bucket_count(field.value)?),
            "output" => match field.value {
                ValueRef::Document(output) => outputs = Some(output),
                other => {
                    return refuse(
                        40244,
                        format!(
                            "The $bucketAuto 'output' field must be an object, but found type: {}",
                            other.type_name()
                        ),
                    );
                }
            },
            "granularity" => granularity = Some(Granularity::parse(field.value)?),
            other => {
                return refuse(
                    40245,
                    format!("Unrecognized option to $bucketAuto: {other}"),
                );
            }
        }
    }
    let (Some(by), Some(buckets)) = (by, buckets) else {
        return refuse(
            40246,
            "$bucketAuto requires 'groupBy' and 'buckets' to be specified",
        );
    };
    let mut counting = DocumentBuilder::new();
    counting.begin_document("count").append("$sum", 1).end();
    let counting = counting.finish();
    let mut plans = Vec::new();
    let outputs = outputs.filter(|outputs| !outputs.is_empty());
    for field in outputs.unwrap_or(counting.as_document()).iter() {
        super::group::check_name(field.name)?;
        let plan = table::compile(field.name, field.value, context)?;
        plans.push((field.name.to_owned(), plan));
    }
    Ok(vec![Box::new(BucketPlan {
        by,
        buckets,
        granularity,
        fields: plans,
        specification: fields.to_buf(),
        collation: context.collation.clone(),
        metadata: Carried::default(),
    })])
}

fn bucket_count(value: ValueRef<'_>) -> Result<usize> {
    if value.as_number().is_none() {
        return refuse(
            40241,
            format!(
                "The $bucketAuto 'buckets' field must be a numeric value, but found type: {}",
                value.type_name()
            ),
        );
    }
    let count = value
        .as_exact_i64()
        .and_then(|count| i32::try_from(count).ok());
    match count {
        None => refuse(
            40242,
            format!(
                "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but \
                 found {value}"
            ),
        ),
        Some(count) => match usize::try_from(count) {
            Ok(count) if count > 0 => Ok(count),
            _ => refuse(
                40243,
                format!(
                    "The $bucketAuto 'buckets' field must be greater than 0, but found: {count}"
                ),
            ),
        },
    }
}

impl StagePlan for BucketPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(BucketStage {
            plan: self,
            input: Some(input),
            rows: Vec::new(),
            next: 0,
            given: 0,
            size: 1,
            previous: None,
            output: Output::default(),
        })
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn makes_documents(&self) -> bool {
        true
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append("$bucketAuto", &self.specification);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.merge(&self.by.dependencies());
        for (_, plan) in &self.fields {
            needed.merge(&plan.argument.dependencies());
        }
        Flow::Exhausts
    }
}

struct BucketStage {
    plan: Box<BucketPlan>,
    input: Option<Box<dyn Stage>>,
    /// Values and rows as they were kept, in the order of the values.
    rows: Vec<(Value<'static>, Vec<u8>)>,
    next: usize,
    given: usize,
    size: usize,
    /// The rounded boundary where the bucket before ended.
    previous: Option<Value<'static>>,
    output: Output,
}

impl BucketStage {
    fn read(&mut self, mut input: Box<dyn Stage>, cx: &ExecContext<'_>) -> Result<()> {
        let mut usage = Usage::default();
        while input.advance(cx)? {
            cx.env.checkpoint()?;
            let document = input.current().document();
            let scope = Scope::of(ValueRef::Document(document), cx.env);
            let value = match self.plan.by.evaluate(&scope)?.into_owned() {
                missing if missing.as_ref().is_missing() => Value::NULL,
                value => value,
            };
            if self.plan.granularity.is_some() {
                granularity::check(value.as_ref())?;
            }
            let bytes = document.as_bytes().len() + size(value.as_ref()) + 48;
            usage.add(bytes, "$bucketAuto")?;
            self.rows.push((value, self.plan.metadata.keep(document)));
        }
        let collation = &self.plan.collation;
        sorting::sort_asking(cx.env, &mut self.rows, &mut |(a, _), (b, _)| {
            collation.compare(a.as_ref(), b.as_ref())
        })?;
        let count = self.rows.len() as f64;
        self.size = ((count / self.plan.buckets as f64).round() as usize).max(1);
        Ok(())
    }

    /// Where the bucket that begins at `next` ends, and its boundaries.
    fn bucket(&mut self) -> Result<(usize, Value<'static>, Value<'static>)> {
        let value = |at: usize| {
            let row = self.rows.get(at).map(|(value, _)| value.clone());
            row.unwrap_or(Value::NULL)
        };
        let Some(granularity) = self.plan.granularity else {
            let end = self.end();
            // A bucket ends where the next begins; the last one with its own greatest value.
            let upper = end.min(self.rows.len().saturating_sub(1));
            return Ok((end, value(self.next), value(upper)));
        };
        let least = match self.previous.take() {
            Some(previous) => previous,
            None => {
                let first = granularity::check(value(self.next).as_ref())?;
                granularity::boundary(granularity.round_down(first)?)
            }
        };
        let mut end = (self.next + self.size).min(self.rows.len());
        if self.given + 1 >= self.plan.buckets {
            end = self.rows.len();
        }
        let last = granularity::check(value(end.saturating_sub(1)).as_ref())?;
        let mut greatest = granularity::boundary(granularity.round_up(last)?);
        while end < self.rows.len() && bson::compare(value(end).as_ref(), greatest.as_ref()).is_lt()
        {
            end += 1;
        }
        // Zero is rounded nowhere: a bucket of zeros ends below the next value.
        if end < self.rows.len() && last.to_f64() == 0.0 {
            let next = granularity::check(value(end).as_ref())?;
            greatest = granularity::boundary(granularity.round_down(next)?);
        }
        self.previous = Some(greatest.clone());
        Ok((end, least, greatest))
    }

    /// Where the bucket that begins at `next` ends.
    fn end(&self) -> usize {
        if self.given + 1 >= self.plan.buckets {
            return self.rows.len();
        }
        let mut end = (self.next + self.size).min(self.rows.len());
        while let (Some((last, _)), Some((following, _))) =
            (self.rows.get(end.wrapping_sub(1)), self.rows.get(end))
        {
            if !self.plan.collation.equal(last.as_ref(), following.as_ref()) {
                break;
            }
            end += 1;
        }
        end
    }
}

impl Stage for BucketStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if let Some(input) = self.input.take() {
            self.read(input, cx)?;
        }
        if self.next >= self.rows.len() {
            return Ok(false);
        }
        let (end, least, greatest) = self.bucket()?;
        let mut builder = self.output.begin();
        builder
            .begin_document("_id")
            .append("min", least.as_ref())
            .append("max", greatest.as_ref());
        builder.end();
        for (name, plan) in &self.plan.fields {
            let mut accumulator = plan.start();
            accumulator.begin(ValueRef::Missing, cx.env)?;
            for (_, kept) in &self.rows[self.next..end] {
                cx.env.checkpoint()?;
                let document = self.plan.metadata.go_back(kept);
                let scope = Scope::of(ValueRef::Document(document), cx.env);
                accumulator.add_in(plan.argument.evaluate(&scope)?.as_ref(), cx.env)?;
            }
            builder.append(name, accumulator.finish(cx.env)?.as_ref());
            allow_document(cx.env, builder.len())?;
        }
        self.plan.metadata.forget();
        self.output.finish(builder);
        self.next = end;
        self.given += 1;
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn makes_buckets_of_about_equal_size() {
        gives(
            "[{$bucketAuto: {groupBy: '$a', buckets: 2}}]",
            "[{a: 4}, {a: 1}, {a: 2}, {a: 3}]",
            "[{_id: {min: 1, max: 3}, count: 2}, {_id: {min: 3, max: 4}, count: 2}]",
        );
        gives(
            "[{$bucketAuto: {groupBy: '$a', buckets: 2, output: {v: {$push: '$a'}}}}]",
            "[{a: 1}, {a: 1}, {a: 1}, {a: 2}]",
            "[{_id: {min: 1, max: 2}, v: [1, 1, 1]}, {_id: {min: 2, max: 2}, v: [2]}]",
        );
        fails("[{$bucketAuto: {groupBy: '$a', buckets: 0}}]", 40243);
        fails("[{$bucketAuto: {groupBy: '$a'}}]", 40246);
        gives(
            "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'R5'}}]",
            "[{a: 4}, {a: 11}, {a: 2}, {a: 30}]",
            "[{_id: {min: 1.6, max: 6.300000000000001}, count: 2}, {_id: {min: 6.300000000000001, max: 40.0}, count: 2}]",
        );
        gives(
            "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'POWERSOF2'}}]",
            "[{a: 0}, {a: 0}, {a: 5}, {a: 6}]",
            "[{_id: {min: 0, max: 4}, count: 2}, {_id: {min: 4, max: 8}, count: 2}]",
        );
        fails(
            "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'R6'}}]",
            40257,
        );
    }
}
