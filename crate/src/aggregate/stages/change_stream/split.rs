//! `$changeStreamSplitLargeEvent`: an event that is too large for a reply, in several fragments.
//!
//! Manual: reference/operator/aggregation/changeStreamSplitLargeEvent. Each fragment has some of the event's top-level
//! fields, its number in `splitEvent`, and a token of its own.

use super::super::super::stage::{Flow, Part, StagePlan};
use super::token::Token;
use crate::bson::{DocumentBuf, DocumentBuilder, Element, MAX_DOCUMENT_SIZE, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::stream::Stream;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{CompileContext, Dependencies};
use std::collections::VecDeque;
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// The name of the stage.
pub const NAME: &str = "$changeStreamSplitLargeEvent";
/// The bytes of a reply that are kept free for the fields around a fragment.
const MARGIN: usize = 16 << 10;

/// The compiled stage.
#[derive(Default)]
pub struct SplitPlan {
    stream: Rc<Stream>,
    behind: Option<Token>,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    match specification {
        ValueRef::Document(fields) if fields.is_empty() => Ok(vec![Box::<SplitPlan>::default()]),
        _ => Err(CommandError::location(
            7_182_800,
            format!("{NAME} spec should be an empty object"),
        )),
    }
}

impl SplitPlan {
    /// Has the stage go on in a stream; `behind` is the fragment that it begins behind.
    pub fn follow(&mut self, stream: Rc<Stream>, behind: Option<Token>) {
        (self.stream, self.behind) = (stream, behind);
    }
}

impl StagePlan for SplitPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(Split {
            plan: *self,
            input,
            waiting: VecDeque::new(),
            current: None,
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document(NAME).end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::SplitEvent(self)
    }
}

struct Split {
    plan: SplitPlan,
    input: Box<dyn Stage>,
    waiting: VecDeque<DocumentBuf>,
    /// The fragment that is given; none for an event that is small enough.
    current: Option<DocumentBuf>,
}

fn fatal(message: &str) -> CommandError {
    CommandError::new(Code::ChangeStreamFatalError, message)
}

impl Split {
    /// Splits the input's event; false: it is small enough.
    fn split(&mut self) -> Result<bool> {
        let event = self.input.current().document();
        let id = event.get("_id").as_document().unwrap_or_default();
        let behind = { self.plan.behind.take() }.and_then(|token| token.fragment);
        if event.as_bytes().len() + MARGIN <= MAX_DOCUMENT_SIZE {
            return match behind {
                None => Ok(false),
                Some(_) => Err(fatal(
                    "Attempted to resume from a split event fragment, but the event in the resumed stream was not \
                     large enough to be split",
                )),
            };
        }
        let most = MAX_DOCUMENT_SIZE - 2 * MARGIN - id.as_bytes().len();
        let mut parts: Vec<Vec<Element<'_>>> = vec![Vec::new()];
        let mut length = 0;
        for field in event.iter().filter(|field| field.name != "_id") {
            length += field.raw.len();
            if length > most && length > field.raw.len() {
                parts.push(Vec::new());
                length = field.raw.len();
            }
            if let Some(part) = parts.last_mut() {
                part.push(field);
            }
        }
        let (of, token) = (parts.len() as i32, Token::read(id)?);
        let kind = event.get("operationType").as_str().unwrap_or_default();
        for (number, part) in (0_u64..).zip(parts) {
            let token = Token {
                fragment: Some(number),
                ..token
            };
            if behind.is_some_and(|behind| number <= behind) {
                continue;
            }
            let mut fragment = DocumentBuilder::new();
            fragment.append("_id", &token.to_document(kind));
            fragment.begin_document("splitEvent");
            fragment
                .append("fragment", number as i32 + 1)
                .append("of", of)
                .end();
            for field in part {
                fragment.append_raw(field.raw);
            }
            self.waiting.push_back(fragment.finish());
        }
        match (self.waiting.is_empty(), behind) {
            // The last fragment was the one to begin behind.
            (true, Some(last)) if last + 1 == of as u64 => Ok(true),
            (true, _) => Err(fatal(
                "Attempted to resume from a split event, but the resumed stream produced a different split. Ensure \
                 that the pipeline used to resume is the same as the original",
            )),
            _ => Ok(true),
        }
    }
}

impl Stage for Split {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        loop {
            if let Some(fragment) = self.waiting.pop_front() {
                let id = fragment.get("_id").as_document().unwrap_or_default();
                self.plan.stream.pass(id.to_buf());
                self.current = Some(fragment);
                return Ok(true);
            }
            self.current = None;
            if !self.input.advance(cx)? {
                return Ok(false);
            }
            if !self.split()? {
                return Ok(true);
            }
        }
    }

    fn current(&self) -> Record<'_> {
        match &self.current {
            Some(fragment) => Record::from(fragment.as_document()),
            None => self.input.current(),
        }
    }
}
