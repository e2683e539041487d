//! `$match`: the documents that a filter matches.
//!
//! Follows the manual's "$match" page.

use super::super::source::PipelineContext;
use super::super::stage::{Flow, Part, Stage, StagePlan};
use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::expr::{CompileContext, Dependencies};
use crate::query::Matcher;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$match`.
pub struct MatchPlan {
    filter: DocumentBuf,
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
        filter: filter.to_buf(),
        matcher: Matcher::compile(filter, context)?,
    })])
}

impl MatchPlan {
    /// The filter as it was given.
    pub fn filter(&self) -> Document<'_> {
        self.filter.as_document()
    }

    /// The paths the filter reads; `None` when it reads whole documents.
    pub fn paths(&self) -> Option<Vec<String>> {
        let mut paths = Vec::new();
        let known = self.matcher.root().collect_paths(&mut paths);
        known.then(|| paths.into_iter().map(str::to_owned).collect())
    }

    /// Makes this filter ask for both.
    pub fn join(&mut self, other: &MatchPlan, context: &CompileContext<'_>) -> Result<()> {
        if other.filter().is_empty() {
            return Ok(());
        }
        if self.filter().is_empty() {
            self.filter = other.filter.clone();
        } else {
            let mut both = ArrayBuilder::new();
            both.push(self.filter()).push(other.filter());
            let mut builder = DocumentBuilder::new();
            builder.append("$and", &both.finish());
            self.filter = builder.finish();
        }
        self.matcher = Matcher::compile(self.filter.as_document(), context)?;
        Ok(())
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
        builder.append("$match", self.filter());
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        match self.paths() {
            Some(paths) => paths.iter().for_each(|path| needed.add(path)),
            None => needed.whole_document = true,
        }
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
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        while self.input.advance(cx)? {
            if self.matcher.matches(self.input.current(), cx.env)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn current(&self) -> Document<'_> {
        self.input.current()
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
