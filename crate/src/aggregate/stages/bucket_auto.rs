//! `$bucketAuto`: documents gathered into so many buckets of about equal size.
//!
//! Follows the manual's "$bucketAuto" page. Invariant: equal values never lie in two buckets.

use super::super::accumulators::{AccumulatorPlan, table};
use super::super::memory::Usage;
use super::super::output::Output;
use super::super::source::PipelineContext;
use super::super::stage::{Flow, Stage, StagePlan};
use super::bucket::group_by;
use crate::bson::{
    Document, DocumentBuf, DocumentBuilder, Value, ValueRef, compare, order, values_equal,
};
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Dependencies, Expression, Scope, compile as compile_expression};

type Result<T> = std::result::Result<T, CommandError>;

struct BucketPlan {
    by: Expression,
    buckets: usize,
    fields: Vec<(String, AccumulatorPlan)>,
    specification: DocumentBuf,
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
    let (mut by, mut buckets, mut outputs) = (None, None, None);
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
            "granularity" => {
                return Err(CommandError::new(
                    Code::NotImplemented,
                    "the 'granularity' of $bucketAuto is not implemented",
                ));
            }
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
    for field in outputs.unwrap_or(counting.as_document()).iter() {
        let plan = table::compile(field.name, field.value, context)?;
        plans.push((field.name.to_owned(), plan));
    }
    Ok(vec![Box::new(BucketPlan {
        by,
        buckets,
        fields: plans,
        specification: fields.to_buf(),
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
            output: Output::default(),
        })
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
    /// Value and document, in the order of the values.
    rows: Vec<(Value<'static>, DocumentBuf)>,
    next: usize,
    given: usize,
    size: usize,
    output: Output,
}

impl BucketStage {
    fn read(&mut self, mut input: Box<dyn Stage>, cx: &mut PipelineContext<'_>) -> Result<()> {
        let mut usage = Usage::default();
        while input.advance(cx)? {
            let document = input.current();
            let scope = Scope::of(ValueRef::Document(document), cx.env);
            let value = match self.plan.by.evaluate(&scope)?.into_owned() {
                missing if missing.as_ref().is_missing() => Value::NULL,
                value => value,
            };
            usage.add(document.as_bytes().len() + 96, "$bucketAuto")?;
            self.rows.push((value, document.to_buf()));
        }
        order::sort_by(&mut self.rows, &mut |(a, _), (b, _)| {
            compare(a.as_ref(), b.as_ref())
        });
        let count = self.rows.len() as f64;
        self.size = ((count / self.plan.buckets as f64).round() as usize).max(1);
        Ok(())
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
            if !values_equal(last.as_ref(), following.as_ref()) {
                break;
            }
            end += 1;
        }
        end
    }
}

impl Stage for BucketStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        if let Some(input) = self.input.take() {
            self.read(input, cx)?;
        }
        if self.next >= self.rows.len() {
            return Ok(false);
        }
        let end = self.end();
        let mut builder = self.output.begin();
        let (first, _) = &self.rows[self.next];
        // A bucket ends where the next begins; the last one with its own greatest value.
        let upper = self.rows.get(end).or_else(|| self.rows.last());
        builder.begin_document("_id").append("min", first.as_ref());
        if let Some((upper, _)) = upper {
            builder.append("max", upper.as_ref());
        }
        builder.end();
        for (name, plan) in &self.plan.fields {
            let mut accumulator = plan.start();
            accumulator.begin(ValueRef::Missing, cx.env)?;
            for (_, document) in &self.rows[self.next..end] {
                let scope = Scope::of(ValueRef::from(document), cx.env);
                accumulator.add_in(plan.argument.evaluate(&scope)?.as_ref(), cx.env)?;
            }
            builder.append(name, accumulator.finish(cx.env)?.as_ref());
        }
        self.output.finish(builder);
        self.next = end;
        self.given += 1;
        Ok(true)
    }

    fn current(&self) -> Document<'_> {
        self.output.current()
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
        fails(
            "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'R5'}}]",
            238,
        );
    }
}
