//! `$match`: the documents that a filter matches.
//!
//! Follows the manual's "$match" page.

use super::super::stage::{Flow, Part, StagePlan};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage, Visitor};
use crate::expr::{CompileContext, Dependencies};
use crate::query::{MatchNode, Matcher};

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$match`.
pub struct MatchPlan {
    matcher: Matcher,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(filter) = specification else {
        return Err(CommandError::location(
            15959,
            "the match filter must be an expression in an object",
        ));
    };
    Ok(vec![Box::new(MatchPlan {
        matcher: Matcher::compile_stage(filter, context)?,
    })])
}

impl MatchPlan {
    /// A `$match` of an optimised filter.
    pub fn new(filter: MatchNode) -> Self {
        Self {
            matcher: Matcher::from_node(filter),
        }
    }

    /// The filter.
    pub fn filter(&self) -> &MatchNode {
        self.matcher.root()
    }

    /// Takes another filter in the place of this one. The collation stays.
    pub fn set(&mut self, filter: MatchNode) {
        self.matcher = Matcher::from_node(filter).with_collation(self.matcher.collation());
    }

    /// The compiled filter, for a read that tests it itself.
    pub fn matcher(&self) -> Matcher {
        self.matcher.clone()
    }
}

impl StagePlan for MatchPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(MatchStage {
            matcher: self.matcher,
            input,
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append("$match", &self.filter().to_bson());
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        let mut paths = Vec::new();
        needed.whole_document |= !self.filter().collect_paths(&mut paths);
        paths.into_iter().for_each(|path| needed.add(path));
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Match(self)
    }
}

struct MatchStage {
    matcher: Matcher,
    input: Box<dyn Stage>,
}

impl Stage for MatchStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        while self.input.advance(cx)? {
            if self
                .matcher
                .matches(self.input.current().document(), cx.env)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn current(&self) -> Record<'_> {
        self.input.current()
    }

    fn visit(&mut self, cx: &ExecContext<'_>, visitor: &mut Visitor<'_>) -> Result<bool> {
        let matcher = &self.matcher;
        self.input.visit(
            cx,
            &mut |record| match matcher.matches(record.document(), cx.env)? {
                true => visitor(record),
                false => Ok(true),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn keeps_what_matches() {
        gives(
            "[{$match: {a: {$gt: 1}}}]",
            "[{a: 1}, {a: 2}, {b: 3}]",
            "[{a: 2}]",
        );
        gives(
            "[{$match: {$expr: {$eq: ['$a', '$b']}}}]",
            "[{a: 1, b: 1}, {a: 1, b: 2}]",
            "[{a: 1, b: 1}]",
        );
        fails("[{$match: 5}]", 15959);
        fails("[{$match: {a: {$foo: 1}}}]", 2);
    }
}
