//! `$sample`: so many documents by chance, without repetition.
//!
//! Follows the manual's "$sample (aggregation)" page. Invariant: every document has the same chance
//! (reservoir sampling), and the host gives the randomness.

use super::super::stage::{Flow, StagePlan};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::memory::Usage;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::miscellaneous::rand::random;
use crate::expr::{Carried, CompileContext, Dependencies, MetaKind};

type Result<T> = std::result::Result<T, CommandError>;

struct SamplePlan {
    size: i64,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let refuse = |code, message: &str| CommandError::location(code, message);
    let ValueRef::Document(fields) = specification else {
        return Err(refuse(
            28745,
            "the $sample stage specification must be an object",
        ));
    };
    let mut size = None;
    for field in fields.iter() {
        if field.name != "size" {
            return Err(refuse(
                28748,
                &format!("unrecognized option to $sample: {}", field.name),
            ));
        }
        let number = { field.value.as_number() }
            .ok_or_else(|| refuse(28746, "size argument to $sample must be a number"))?;
        size = Some(number.to_i64_rounded());
    }
    let size = size.ok_or_else(|| refuse(28749, "$sample stage must specify a size"))?;
    if size <= 0 {
        return Err(refuse(
            28747,
            "size argument to $sample must be a positive integer",
        ));
    }
    Ok(vec![Box::new(SamplePlan {
        size,
        metadata: Carried::default(),
    })])
}

impl StagePlan for SamplePlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(SampleStage {
            size: usize::try_from(self.size).unwrap_or(usize::MAX),
            input: Some(input),
            kept: Vec::new(),
            metadata: self.metadata,
            next: 0,
        })
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder
            .begin_document("$sample")
            .append("size", self.size)
            .end();
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Passes
    }
}

struct SampleStage {
    size: usize,
    input: Option<Box<dyn Stage>>,
    /// Rows as they were kept.
    kept: Vec<Vec<u8>>,
    metadata: Carried,
    next: usize,
}

impl SampleStage {
    /// Gives the rows the numbers that so many might have been chosen by: the greatest of them to the first.
    fn number(&mut self, cx: &ExecContext<'_>) {
        let Some(metadata) = self.metadata.metadata() else {
            return;
        };
        let mut number = 1.0;
        let mut left = self.kept.len() as f64;
        for kept in &mut self.kept {
            let document = self.metadata.go_back(kept);
            // The greatest of so many below the one before.
            number *= random(cx.env).powf(1.0 / left);
            left -= 1.0;
            metadata.add(MetaKind::RANDOM, ValueRef::Double(number));
            *kept = self.metadata.keep(document);
        }
    }
}

/// A number below `bound`, which is not 0.
fn below(bound: u64, cx: &ExecContext<'_>) -> usize {
    let mut bytes = [0; 8];
    cx.env.fill_random(&mut bytes);
    ((u128::from(u64::from_le_bytes(bytes)) * u128::from(bound)) >> 64) as usize
}

impl Stage for SampleStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if let Some(mut input) = self.input.take() {
            let mut seen = 0_u64;
            let mut usage = Usage::default();
            while input.advance(cx)? {
                cx.env.checkpoint()?;
                seen += 1;
                let document = input.current().document();
                if self.kept.len() < self.size {
                    usage.add(document.as_bytes().len(), "$sample")?;
                    self.kept.push(self.metadata.keep(document));
                    continue;
                }
                let place = below(seen, cx);
                if let Some(held) = self.kept.get_mut(place) {
                    usage.release(held.len());
                    usage.add(document.as_bytes().len(), "$sample")?;
                    *held = self.metadata.keep(document);
                }
            }
            // The reservoir keeps early documents in front: shuffle.
            for last in (1..self.kept.len()).rev() {
                let other = below(last as u64 + 1, cx);
                self.kept.swap(last, other);
            }
            self.number(cx);
        }
        let more = self.next < self.kept.len();
        self.next += usize::from(more);
        Ok(more)
    }

    fn current(&self) -> Record<'_> {
        let position = self.next.checked_sub(1);
        let document = match position.and_then(|position| self.kept.get(position)) {
            Some(kept) => self.metadata.go_back(kept),
            None => Document::EMPTY,
        };
        Record::from(document)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn gives_as_many_as_asked() {
        gives(
            "[{$sample: {size: 2}}, {$count: 'n'}]",
            "[{a: 1}, {a: 2}, {a: 3}, {a: 4}]",
            "[{n: 2}]",
        );
        gives(
            "[{$sample: {size: 9}}, {$count: 'n'}]",
            "[{a: 1}]",
            "[{n: 1}]",
        );
        fails("[{$sample: 5}]", 28745);
        fails("[{$sample: {}}]", 28749);
        fails("[{$sample: {size: 'x'}}]", 28746);
        fails("[{$sample: {size: 0}}]", 28747);
        fails("[{$sample: {q: 0}}]", 28748);
    }
}
