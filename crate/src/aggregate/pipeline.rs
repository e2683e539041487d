//! A compiled pipeline: its stages in order, the leading ones that a planner can take over, and their start.
//!
//! Follows the manual's "Aggregation Pipeline" pages. API boundary: the planner calls `compile`,
//! `take_leading`, plans the collection read, and `start`s the rest on its cursor.

use super::observed::{Observed, SharedReport};
use super::optimize;
use super::stage::{Following, Part, StagePlan};
use super::stages::change_stream;
use super::stages::describe::DescribePlan;
use super::stages::geo_near::{self, GeoNearPlan};
use super::stages::group::DistinctKey;
use super::stages::table::{self, Placement};
use super::writing::Writer;
use crate::bson::{Array, ArrayBuilder, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::eof::Eof;
use crate::exec::stream::Stream;
use crate::exec::{Namespaces, Stage};
use crate::expr::{Carried, CompileContext, Dependencies, Metadata};
use crate::query::{Matcher, Projection, ProjectionKind};
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// The most stages a pipeline may have.
pub const MOST_STAGES: usize = 1000;

/// Refuses a `$match` with a `$text` where no index can be read for it.
fn check_texts(compiled: &mut [Box<dyn StagePlan>], within: Option<&str>) -> Result<()> {
    let has_text = compiled.iter_mut().any(|stage| match stage.part() {
        Part::Match(plan) => plan.filter().texts() > 0,
        _ => false,
    });
    match (has_text, within) {
        (false, _) => Ok(()),
        (true, Some("$facet")) => Err(CommandError::location(
            40600,
            "$match is not allowed to be used within a $facet stage",
        )),
        (true, _) => Err(CommandError::location(
            17313,
            "$match with $text is only allowed as the first pipeline stage",
        )),
    }
}

/// A compiled pipeline.
pub struct Pipeline {
    pub(super) stages: Vec<Box<dyn StagePlan>>,
    /// Whether the first stage makes its documents itself, so that no collection is read.
    first_is_source: bool,
    /// The metadata of rows that the pipeline asks for.
    pub(super) metadata: Carried,
}

/// The front of a pipeline, which the collection read does itself.
#[derive(Clone, Default)]
pub struct Leading {
    /// The filter of leading `$match` stages.
    pub filter: Option<Rc<Matcher>>,
    /// The pattern of a leading `$sort`, which comes after the filter.
    pub sort: Option<DocumentBuf>,
    /// Documents to skip after that.
    pub skip: u64,
    /// The most documents to give after that.
    pub limit: Option<u64>,
    /// A leading `$project`, which comes last.
    pub projection: Option<Rc<Projection>>,
    /// The paths that the remaining stages read; with `whole_document` everything.
    pub needed: Dependencies,
    /// Where the metadata of rows goes.
    pub metadata: Carried,
}

impl Leading {
    /// Whether the remaining stages only want to know how many documents there are.
    pub fn only_counts(&self) -> bool {
        self.projection.is_none()
            && !self.needed.whole_document
            && self.needed.paths.is_empty()
            && self.metadata.metadata().is_none()
    }

    /// The inclusion projection that keeps the needed fields; `None` when the whole document is needed, or nothing.
    pub fn reads(&self) -> Option<DocumentBuf> {
        if self.needed.whole_document || self.needed.paths.is_empty() {
            return None;
        }
        let mut builder = DocumentBuilder::new();
        for path in &self.needed.paths {
            builder.append(path, 1);
        }
        if !self.needed.paths.iter().any(|path| path == "_id") {
            builder.append("_id", 0);
        }
        Some(builder.finish())
    }
}

impl Pipeline {
    /// Compiles the stages of an `aggregate` command and optimises their order.
    ///
    /// # Errors
    /// 40323 and 40324 for an unknown stage, each stage's errors about its specification, and those about its
    /// place in the pipeline forbids; a constant expression that fails, even where no document comes to it.
    pub fn compile(stages: Array<'_>, context: &CompileContext<'_>) -> Result<Self> {
        let mut pipeline = Self::compile_nested(stages, context, None)?;
        optimize::optimize(&mut pipeline.stages, context)?;
        pipeline.check_near()?;
        match context.failure.take() {
            Some(error) => Err(error.within("Failed to optimize pipeline")),
            None => {
                pipeline.metadata = Carried::of(&context.metadata);
                Ok(pipeline)
            }
        }
    }

    /// Compiles the stages of an update, which are run as they stand: a constant expression that fails does so only
    /// over a document.
    ///
    /// # Errors
    /// Those of `compile` about stages.
    pub fn compile_for_update(stages: Array<'_>, context: &CompileContext<'_>) -> Result<Self> {
        let pipeline = Self::compile_nested(stages, context, None)?;
        context.failure.take();
        Ok(pipeline)
    }

    /// Compiles stages without moving them; `within` names the stage whose pipeline this is.
    pub(super) fn compile_nested(
        stages: Array<'_>,
        context: &CompileContext<'_>,
        within: Option<&str>,
    ) -> Result<Self> {
        let mut plans = Vec::new();
        let count = stages.len();
        if count > MOST_STAGES {
            return Err(CommandError::location(
                7_749_501,
                format!("Pipeline length must be no longer than {MOST_STAGES} stages"),
            ));
        }
        let mut first_is_source = false;
        let mut is_lost = false;
        let mut is_stream = false;
        for (position, stage) in stages.iter().enumerate() {
            let ValueRef::Document(stage) = stage else {
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    "Each element of the 'pipeline' array must be an object",
                ));
            };
            let field = table::field_of(stage)?;
            let row = table::find(field.name)?;
            let first = position == 0;
            change_stream::check_place(row.name, is_stream, (position, count), within)?;
            is_stream |= first && row.name == change_stream::NAME;
            match row.placement {
                Placement::First if !first => {
                    return Err(CommandError::location(
                        40602,
                        format!(
                            "{} is only valid as the first stage in a pipeline",
                            field.name
                        ),
                    ));
                }
                Placement::Leading if !first => {
                    return Err(CommandError::location(
                        10_170_100,
                        format!("{} must be the first stage in the pipeline", field.name),
                    ));
                }
                Placement::Last if within.is_some() => {
                    let is_union = within == Some("$unionWith");
                    return Err(CommandError::location(
                        if is_union { 31441 } else { 51047 },
                        format!(
                            "{} is not allowed within a {} pipeline",
                            field.name,
                            within.unwrap_or_default()
                        ),
                    ));
                }
                Placement::Last if position + 1 != count => {
                    return Err(CommandError::location(
                        40601,
                        format!("{} can only be the final stage in the pipeline", field.name),
                    ));
                }
                Placement::First => first_is_source = true,
                _ => {}
            }
            let wanted = Metadata::wanted(&context.metadata);
            let mut compiled = (row.compile)(row.name, field.value, context)?;
            if !first || within == Some("$facet") {
                check_texts(&mut compiled, within)?;
            }
            if is_lost {
                Metadata::forget_since(&context.metadata, wanted);
            }
            is_lost |= compiled.iter().any(|plan| plan.makes_documents());
            plans.extend(compiled);
        }
        Ok(Self {
            stages: plans,
            first_is_source,
            metadata: Carried::default(),
        })
    }

    /// Refuses a `$geoNear` behind a stage that does something.
    fn check_near(&mut self) -> Result<()> {
        let is_near = |stage: &mut Box<dyn StagePlan>| matches!(stage.part(), Part::GeoNear(_));
        let Some(at) = self.stages.iter_mut().rposition(is_near) else {
            return Ok(());
        };
        let is_idle = |stage: &mut Box<dyn StagePlan>| match stage.part() {
            Part::Match(plan) => plan.filter().is_trivially_true(),
            _ => false,
        };
        if !self.stages[..at].iter_mut().all(is_idle) {
            return Err(CommandError::location(
                40603,
                format!(
                    "{} was not the first stage in the pipeline after optimization. Is optimization disabled or \
                     inhibited?",
                    geo_near::NAME
                ),
            ));
        }
        self.stages.drain(..at);
        Ok(())
    }

    /// The stage that finds documents by their distance, where the pipeline begins with it.
    pub fn geo_near(&mut self) -> Option<&mut GeoNearPlan> {
        match self.stages.first_mut()?.part() {
            Part::GeoNear(plan) => Some(plan),
            _ => None,
        }
    }

    /// Whether there are no stages.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// Whether the first stage makes its own documents (`$documents`, `$collStats`…): nothing of the
    /// collection is to be read then, and `start_without_source` starts the pipeline.
    pub fn has_own_source(&self) -> bool {
        self.first_is_source
    }

    /// The first stage, when it describes a collection or the server: `provide` its documents before `start`.
    pub fn describing(&mut self) -> Option<&mut DescribePlan> {
        match self.stages.first_mut()?.part() {
            Part::Describe(plan) => Some(plan),
            _ => None,
        }
    }

    /// Opens the change stream that the pipeline begins with, if it does, and gives the place that its cursor shares.
    ///
    /// # Errors
    /// A namespace on which no stream may be opened.
    pub fn open_stream(
        &mut self,
        namespace: &str,
        has_collection: bool,
    ) -> Result<Option<Rc<Stream>>> {
        let Some(Part::ChangeStream(plan)) = self.stages.first_mut().map(|first| first.part())
        else {
            return Ok(None);
        };
        plan.open(namespace, has_collection)?;
        let (stream, behind) = (plan.stream(), plan.fragment());
        match self.stages.last_mut().map(|last| last.part()) {
            Some(Part::SplitEvent(plan)) => plan.follow(Rc::clone(&stream), behind),
            _ if behind.is_some() => return Err(change_stream::needs_split()),
            _ => {}
        }
        Ok(Some(stream))
    }

    /// Lets the last stage check the collection it writes to: run it before `start`, and before explaining.
    ///
    /// # Errors
    /// A target that `$out` or `$merge` may not have.
    pub fn prepare(&mut self, namespaces: &dyn Namespaces) -> Result<()> {
        match self.stages.last_mut() {
            Some(last) => last.prepare(namespaces),
            None => Ok(()),
        }
    }

    /// Takes the stages that a collection read can do itself off the front.
    pub fn take_leading(&mut self) -> Leading {
        let mut leading = Leading::default();
        if !self.first_is_source {
            self.take_front(&mut leading);
        }
        leading.needed = self.dependencies();
        leading.metadata = self.metadata.clone();
        self.take_projection(&mut leading);
        leading
    }

    /// Takes a leading `$project`: one that includes fields, or one that excludes some where everything else is read.
    fn take_projection(&mut self, leading: &mut Leading) {
        // Expressions are not for documents that sort, skip or limit drop.
        let computes = leading.sort.is_none() && leading.skip == 0 && leading.limit.is_none();
        let Some(first) = self.stages.first_mut().filter(|_| !self.first_is_source) else {
            return;
        };
        let Part::Project(plan) = first.part() else {
            return;
        };
        let takes = match plan.projection().kind() {
            ProjectionKind::Inclusion => computes || !plan.projection().has_expressions(),
            ProjectionKind::Exclusion => leading.needed.whole_document,
            ProjectionKind::AddFields => false,
        };
        if takes {
            let projection = plan.projection().clone().shown_canonically();
            leading.projection = Some(Rc::new(projection));
            leading.needed = Dependencies::default();
            leading.needed.whole_document = true;
            self.stages.remove(0);
        }
    }

    /// Whether the remaining stages begin with a `$group` that one document of each group answers.
    pub fn leading_group(&mut self) -> Option<DistinctKey> {
        match self.stages.first_mut()?.part() {
            Part::Group(plan) => plan.distinct_key(),
            _ => None,
        }
    }

    /// Has the leading `$group` work on one document of each group.
    pub fn group_single_documents(&mut self) {
        if let Some(first) = self.stages.first_mut()
            && let Part::Group(plan) = first.part()
        {
            let plan = plan.take_single();
            *first = Box::new(plan);
        }
    }

    fn take_front(&mut self, leading: &mut Leading) {
        let mut taken = 0;
        for stage in &mut self.stages {
            match stage.part() {
                Part::Match(plan) if taken == 0 => {
                    leading.filter = Some(Rc::new(plan.matcher()));
                }
                Part::Sort(plan) if leading.sort.is_none() && leading.limit.is_none() => {
                    if leading.skip > 0 {
                        break;
                    }
                    leading.sort = Some(plan.pattern().to_buf());
                    leading.limit = plan.limit();
                }
                Part::Skip(plan) if leading.limit.is_none() => leading.skip += plan.count(),
                // A sort that keeps the first few gives those to the skip that follows it.
                Part::Skip(plan) if leading.sort.is_some() && leading.skip == 0 => {
                    leading.skip = plan.count();
                    leading.limit = leading.limit.map(|kept| kept.saturating_sub(plan.count()));
                    taken += 1;
                    break;
                }
                Part::Limit(plan) => {
                    let held = leading.limit.unwrap_or(u64::MAX);
                    leading.limit = Some(held.min(plan.count()));
                }
                _ => break,
            }
            taken += 1;
        }
        self.stages.drain(..taken);
    }

    /// The paths the stages read.
    pub fn dependencies(&self) -> Dependencies {
        Following::new(&self.stages).needed()
    }

    /// The writer for the documents that the pipeline gives, when its last stage is `$out` or `$merge`.
    pub fn take_writer(&mut self) -> Option<Box<dyn Writer>> {
        self.stages.pop_if(|last| last.writes())?.into_writer()
    }

    /// Starts a pipeline that makes its own documents, or one over nothing.
    pub fn start_without_source(self) -> Box<dyn Stage> {
        self.start(Box::<Eof>::default())
    }

    /// Starts the stages on an input; without the one that writes.
    pub fn start(self, input: Box<dyn Stage>) -> Box<dyn Stage> {
        self.start_each(input, &mut |stage| stage)
    }

    /// Starts the stages on an input, or without one, and watches each; the report of the input comes first. `live`:
    /// also behind the command.
    pub fn start_observed(
        self,
        input: Option<Box<dyn Stage>>,
        live: bool,
    ) -> (Box<dyn Stage>, Vec<SharedReport>) {
        let mut reports = Vec::with_capacity(self.stages.len() + 1);
        let mut watch = |stage: Box<dyn Stage>| -> Box<dyn Stage> {
            let (observed, report) = match live {
                true => Observed::live(stage),
                false => Observed::new(stage),
            };
            reports.push(report);
            Box::new(observed)
        };
        let input = match input {
            Some(input) => watch(input),
            None => Box::<Eof>::default(),
        };
        let last = self.start_each(input, &mut watch);
        (last, reports)
    }

    fn start_each(
        mut self,
        input: Box<dyn Stage>,
        wrap: &mut dyn FnMut(Box<dyn Stage>) -> Box<dyn Stage>,
    ) -> Box<dyn Stage> {
        self.narrow();
        let stages = self.stages.into_iter().filter(|plan| !plan.writes());
        stages.fold(input, |input, mut plan| {
            if self.metadata.metadata().is_some() {
                plan.carry(&self.metadata);
            }
            wrap(plan.start(input))
        })
    }

    /// Tells each stage which fields the ones after it read.
    fn narrow(&mut self) {
        for position in (0..self.stages.len()).rev() {
            let (before, after) = self.stages.split_at_mut(position + 1);
            if let Some(stage) = before.last_mut() {
                stage.narrow(Following::new(after));
            }
        }
    }

    /// Appends one document for each stage, as explain lists them.
    pub fn explain(&self, list: &mut ArrayBuilder) {
        for stage in self.explained() {
            list.push(&stage);
        }
    }

    /// A document for each stage.
    pub fn explained(&self) -> Vec<DocumentBuf> {
        let explained = |stage: &dyn StagePlan| {
            let mut builder = DocumentBuilder::new();
            stage.explain(&mut builder);
            builder.finish()
        };
        { self.stages.iter() }
            .map(|stage| explained(&**stage))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{compile, fails, leading};

    #[test]
    fn refuses_what_is_no_stage() {
        fails("[{$foo: 1}]", 40324);
        fails("[{}]", 40323);
        fails("[5]", 14);
        fails("[{$documents: [{a: 1}]}, {$documents: [{a: 1}]}]", 40602);
        fails("[{$out: 'x'}, {$limit: 1}]", 40601);
    }

    #[test]
    fn takes_what_a_read_can_do() {
        assert_eq!(
            leading(
                "[{$match: {a: 1}}, {$sort: {b: 1}}, {$skip: 2}, {$limit: 3}, {$project: {c: 1}}]"
            ),
            "{filter: {a: {$eq: 1}}, sort: {b: 1}, skip: 2, limit: 3, projection: {_id: true, c: true}, rest: 0}"
        );
        assert_eq!(
            leading("[{$group: {_id: '$a.b', n: {$sum: '$c'}}}, {$sort: {n: 1}}]"),
            "{skip: 0, paths: ['a.b', 'c'], rest: 2}"
        );
        assert_eq!(
            leading("[{$limit: 5}, {$match: {a: 1}}]"),
            "{skip: 0, limit: 5, rest: 1}"
        );
    }

    #[test]
    fn asks_of_rows_what_is_wanted_before_documents_are_made() {
        let asks = |pipeline| compile(pipeline).metadata.metadata().is_some();
        assert!(asks("[{$limit: 1}, {$set: {r: {$meta: 'recordId'}}}]"));
        assert!(asks("[{$group: {_id: {$meta: 'recordId'}}}]"));
        assert!(asks("[{$facet: {a: [{$set: {r: {$meta: 'recordId'}}}]}}]"));
        assert!(!asks(
            "[{$group: {_id: 1}}, {$set: {r: {$meta: 'recordId'}}}]"
        ));
        assert!(!asks("[{$match: {$expr: {$meta: 'recordId'}}}]"));
        assert!(!asks(
            "[{$unionWith: {coll: 'others', pipeline: [{$set: {r: {$meta: 'recordId'}}}]}}]"
        ));
    }

    #[test]
    fn an_empty_pipeline_compiles() {
        assert!(compile("[]").is_empty());
    }
}
