//! `$_internalRank`: each document in a field of a new one, with its rank beside it.
//!
//! `$rankFusion` stands for other stages, of which this is one: the documents come in the order of their ranks, and
//! those that the order does not tell apart have the same.

use super::super::output::Output;
use super::super::stage::{Flow, StagePlan};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{CompileContext, Dependencies};
use crate::query::SortPattern;
use crate::query::sort::SortScratch;

type Result<T> = std::result::Result<T, CommandError>;

struct RankPlan {
    name: String,
    order: SortPattern,
}

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let fields = super::foreign::specification_fields(name, specification)?;
    let order = fields
        .get("sortBy")
        .as_document()
        .unwrap_or(Document::EMPTY);
    let order = SortPattern::compile(order)?.with_metadata(&context.metadata);
    Ok(vec![Box::new(RankPlan {
        name: fields.get("as").as_str().unwrap_or("rank").to_owned(),
        order: order.with_collation(&context.collation),
    })])
}

impl StagePlan for RankPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(RankStage {
            plan: self,
            input,
            seen: 0,
            rank: 0,
            key: Vec::new(),
            last: Vec::new(),
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$_internalRank");
        builder.append("as", self.name.as_str());
        builder.append("sortBy", self.order.spec()).end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Exhausts
    }
}

struct RankStage {
    plan: Box<RankPlan>,
    input: Box<dyn Stage>,
    seen: i64,
    rank: i64,
    key: Vec<u8>,
    last: Vec<u8>,
    output: Output,
}

impl Stage for RankStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if !self.input.advance(cx)? {
            return Ok(false);
        }
        let record = self.input.current();
        let document = record.document();
        self.key.clear();
        let order = &self.plan.order;
        order.write_key(document, &mut SortScratch::default(), &mut self.key)?;
        self.seen += 1;
        if self.seen == 1 || self.key != self.last {
            self.rank = self.seen;
        }
        std::mem::swap(&mut self.key, &mut self.last);
        let mut builder = self.output.begin();
        builder.append("docs", document);
        builder.append_integer(&self.plan.name, self.rank);
        self.output.finish(builder);
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::gives;

    #[test]
    fn documents_in_one_place_have_one_rank() {
        gives(
            "[{$_internalRank: {as: 'r', sortBy: {a: 1}}}]",
            "[{a: 1}, {a: 1}, {a: 2}]",
            "[{docs: {a: 1}, r: 1}, {docs: {a: 1}, r: 1}, {docs: {a: 2}, r: 3}]",
        );
    }
}
