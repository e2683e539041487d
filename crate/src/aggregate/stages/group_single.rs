//! `$groupByDistinctScan`: a `$group` whose input has one document for each group, from a scan of distinct keys.
//!
//! Follows the manual's "$group" page, "Optimizations". Invariant: gives the same groups as `$group` with `$first` or
//! `$last` over all documents.

use super::super::output::Output;
use super::super::stage::{Flow, StagePlan};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{Dependencies, Expression, Scope};

type Result<T> = std::result::Result<T, CommandError>;

/// The key and the fields of each group's document.
pub struct SinglePlan {
    pub key: Expression,
    pub fields: Vec<(Box<str>, Expression)>,
}

impl StagePlan for SinglePlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(SingleStage {
            plan: self,
            input,
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$groupByDistinctScan");
        builder.begin_document("newRoot");
        self.key.to_bson("_id", builder);
        for (name, expression) in &self.fields {
            expression.to_bson(name, builder);
        }
        builder.end().end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.merge(&self.key.dependencies());
        for (_, expression) in &self.fields {
            needed.merge(&expression.dependencies());
        }
        Flow::Exhausts
    }
}

struct SingleStage {
    plan: Box<SinglePlan>,
    input: Box<dyn Stage>,
    output: Output,
}

impl Stage for SingleStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if !self.input.advance(cx)? {
            return Ok(false);
        }
        let scope = Scope::of(ValueRef::Document(self.input.current().document()), cx.env);
        let mut builder = self.output.begin();
        let key = std::iter::once(("_id", &self.plan.key));
        let fields = { self.plan.fields.iter() }.map(|(name, field)| (&**name, field));
        for (name, expression) in key.chain(fields) {
            let value = expression.evaluate(&scope)?;
            let value = match value.as_ref() {
                ValueRef::Missing => ValueRef::Null,
                value => value,
            };
            builder.append(name, value);
        }
        self.output.finish(builder);
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::compile;
    use crate::bson::{ArrayBuilder, ValueRef};
    use crate::expr::testing::show;

    #[test]
    fn takes_the_place_of_groups_of_one_kind() {
        let single = |pipeline: &str| {
            let mut pipeline = compile(pipeline);
            let key = pipeline.leading_group()?;
            pipeline.group_single_documents();
            let mut stages = ArrayBuilder::new();
            pipeline.explain(&mut stages);
            let shown = show(ValueRef::from(&stages.finish()));
            Some(format!("{} {} {shown}", key.field, key.last))
        };
        assert_eq!(
            single("[{$group: {_id: '$a.b', x: {$last: '$c'}, y: {$last: '$d'}}}]").as_deref(),
            Some("a.b true [{$groupByDistinctScan: {newRoot: {_id: '$a.b', x: '$c', y: '$d'}}}]")
        );
        assert_eq!(
            single("[{$group: {_id: '$a'}}]").as_deref(),
            Some("a false [{$groupByDistinctScan: {newRoot: {_id: '$a'}}}]")
        );
        for all in [
            "[{$group: {_id: '$a', x: {$first: '$c'}, y: {$last: '$d'}}}]",
            "[{$group: {_id: '$a', n: {$sum: 1}}}]",
            "[{$group: {_id: {a: '$a'}}}]",
            "[{$group: {_id: null}}]",
        ] {
            assert!(single(all).is_none(), "{all}");
        }
    }
}
