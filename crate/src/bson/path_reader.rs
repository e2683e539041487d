//! Several dotted paths read in one walk over a document, with a memory of the documents before it.
//!
//! Documents of one collection mostly have the same fields in the same order: a program learnt from one of them reads
//! the others. Where they differ more than now and then, they are read by names: for each document and nested document
//! on the way the reader remembers the names it passed, in order, and looks first whether the name it remembers stands
//! there: one word's comparison instead of a search for the name's end and through the names wanted. Invariants: a
//! memory is only ever a guess that the bytes confirm, name by name from a document's start, so the values read never
//! depend on the reads before; of several fields of one name the first counts; malformed bytes end the walk early and
//! are never read out of bounds.

use super::document::{decode, first_nul, skip_length, skip_parts};
use super::path_program::{Header, Program, Reading};
use super::types::BsonType;
use super::value::ValueRef;

/// The most paths of one reader: a bit mask notes the paths that were found.
pub const MOST_PATHS: usize = 32;

/// Names beyond so many at one level are not remembered.
const MOST_STEPS: usize = 128;

/// A program that is lost costs the walk so far: it pays where it is good for most documents.
const LOSS: i32 = 4;
const MOST_CONFIDENCE: i32 = 32;
/// How many documents are read by names before another program is learnt.
const PAUSE: i32 = 64;

/// The value at the end of a path, or the array on the way at which it stopped.
#[derive(Debug, Clone, Copy)]
pub struct ReadValue<'d> {
    pub kind: BsonType,
    pub value_bytes: &'d [u8],
    /// How many components of the path were walked. Fewer than all of them: the value is an array on the way.
    pub walked: usize,
}

impl<'d> ReadValue<'d> {
    /// The reading of a path without a value.
    pub const MISSING: ReadValue<'static> = ReadValue {
        kind: BsonType::Missing,
        value_bytes: &[],
        walked: 0,
    };

    /// The bytes of a string's or symbol's text.
    #[inline]
    pub fn text(&self) -> Option<&'d [u8]> {
        match self.kind {
            BsonType::String | BsonType::Symbol => {
                let end = self.value_bytes.len().checked_sub(1)?;
                self.value_bytes.get(4..end)
            }
            _ => None,
        }
    }

    /// Decodes the value.
    pub fn value(&self) -> ValueRef<'d> {
        decode(self.kind, self.value_bytes).unwrap_or(ValueRef::Missing)
    }
}

/// A taker of values that only keeps each. As a trait object, so that all such takers share one walk.
pub type Keep<'k, 'd> = dyn FnMut(u32, ReadValue<'d>) -> bool + 'k;

/// A set of paths as a tree of names, and the way through the documents read so far.
#[derive(Debug, Clone, Default)]
pub struct PathReader {
    root: Level,
    count: usize,
    program: Option<Box<Program>>,
    /// With a program: how often it fitted, less a penalty for each document that it did not fit. Without: how many
    /// documents until one is learnt from, as a negative number.
    confidence: i32,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Level {
    pub(super) branches: Vec<Branch>,
    /// The paths that go on here.
    pub(super) all: u32,
    /// The headers passed in the last document, up to the last one that was wanted.
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) name: Box<[u8]>,
    /// The paths that end here.
    pub(super) here: u32,
    /// The paths that end here or below.
    pub(super) all: u32,
    pub(super) below: Level,
}

/// A remembered field.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The field's header, with any type.
    header: Header,
    /// Its first eight bytes with the type, where its field was passed over and can be again without looking at more
    /// than the four bytes after it; else a pattern that no word matches.
    passed: u64,
    passed_mask: u64,
    /// Which bits of those four bytes say how much longer the value is than `skip` says, the header included.
    counted: u32,
    skip: u32,
    /// The branch that begins here, or `NO_BRANCH`.
    branch: u32,
}

const NO_BRANCH: u32 = u32::MAX;

impl PathReader {
    /// Adds a path and gives its number; `None` when there are too many or it has no component.
    pub fn add<'n>(&mut self, path: impl Iterator<Item = &'n [u8]>) -> Option<usize> {
        let mut parts = path.peekable();
        if self.count >= MOST_PATHS || parts.peek().is_none() {
            return None;
        }
        let bit = 1 << self.count;
        self.count += 1;
        let mut level = &mut self.root;
        while let Some(name) = parts.next() {
            level.all |= bit;
            let branches = &mut level.branches;
            let position = match branches.iter().position(|held| &*held.name == name) {
                Some(position) => position,
                None => {
                    branches.push(Branch {
                        name: name.into(),
                        here: 0,
                        all: 0,
                        below: Level::default(),
                    });
                    branches.len() - 1
                }
            };
            let branch = &mut branches[position];
            branch.all |= bit;
            if parts.peek().is_none() {
                branch.here |= bit;
            }
            level = &mut branch.below;
        }
        Some(self.count - 1)
    }

    /// The paths there are, as a mask.
    pub fn all(&self) -> u32 {
        self.root.all
    }

    /// Calls `found` with each value that paths lead to, and the mask of those paths; it answers whether to go on.
    /// Paths that it is not called with are missing. False when `found` said to stop.
    #[inline(never)]
    pub fn read<'d>(&mut self, document: &'d [u8], found: &mut Keep<'_, 'd>) -> bool {
        self.read_here(document, found)
    }

    /// `read`, compiled into its caller: for the engine's innermost loop.
    #[inline(always)]
    pub fn read_here<'d>(
        &mut self,
        document: &'d [u8],
        found: &mut (impl FnMut(u32, ReadValue<'d>) -> bool + ?Sized),
    ) -> bool {
        let taken = match &self.program {
            None => 0,
            Some(program) => match program.run(document, found) {
                Reading::Read => {
                    self.confidence = self.confidence.saturating_add(1);
                    return true;
                }
                Reading::Stopped => {
                    self.confidence = self.confidence.saturating_add(1);
                    return false;
                }
                Reading::Lost(taken) => taken,
            },
        };
        self.read_by_names(document, taken, &mut |paths, value| found(paths, value))
    }

    /// As `read`, but for the paths that were taken, and learns the way.
    #[inline(never)]
    fn read_by_names<'d>(
        &mut self,
        document: &'d [u8],
        taken: u32,
        found: &mut Keep<'_, 'd>,
    ) -> bool {
        let Some(rest) = document.get(4..) else {
            return true;
        };
        if self.program.is_some() {
            self.confidence = self.confidence.min(MOST_CONFIDENCE) - LOSS;
            if self.confidence < 0 {
                self.program = None;
                self.confidence = -PAUSE;
            }
        } else if self.confidence < 0 {
            self.confidence += 1;
        } else {
            self.program = Program::learn(&self.root, document).map(Box::new);
            self.confidence = if self.program.is_some() { LOSS } else { -PAUSE };
        }
        walk(&mut self.root, rest, 1, 1, &mut |paths, value| {
            let paths = paths & !taken;
            paths == 0 || found(paths, value)
        })
    }
}

/// Reads the fields of the document that lies at the front of `rest`, but for the last `tail` bytes, its terminator
/// among them. The front alone moves, so that one comparison says whether a word, a value or a field lies inside.
fn walk<'d>(
    level: &mut Level,
    mut rest: &'d [u8],
    tail: usize,
    depth: usize,
    found: &mut Keep<'_, 'd>,
) -> bool {
    let mut open = level.all;
    let mut position = 0;
    loop {
        while let Some(next) = { level.steps.get(position) }.and_then(|step| step.pass(rest, tail))
        {
            rest = next;
            position += 1;
        }
        if rest.len() <= tail {
            return true;
        }
        let foreseen = match (level.steps.get(position), rest.first_chunk()) {
            (Some(step), Some(eight)) => step.branch_at(u64::from_le_bytes(*eight), rest),
            _ => None,
        };
        let Some((header, chosen)) = foreseen.or_else(|| level.look(position, rest, open)) else {
            return true;
        };
        position += 1;
        let (Some(kind), Some(values)) = (rest.first(), rest.get(header..)) else {
            return true;
        };
        let Some(length) = skip_length(*kind, values) else {
            return true;
        };
        let Some(next) = values.get(length..) else {
            return true;
        };
        if chosen != NO_BRANCH
            && let Some(branch) = level.branches.get_mut(chosen as usize)
        {
            if next.len() < tail {
                return true;
            }
            let (Some(value_bytes), Some(kind)) =
                (values.get(..length), BsonType::from_byte(*kind))
            else {
                return true;
            };
            open &= !branch.all;
            let read = ReadValue {
                kind,
                value_bytes,
                walked: depth,
            };
            let reached = match kind {
                BsonType::Array => branch.all,
                _ => branch.here,
            };
            if reached != 0 && !found(reached, read) {
                return false;
            }
            if kind == BsonType::Document
                && branch.below.all != 0
                && let Some(inner) = values.get(4..)
                && !walk(&mut branch.below, inner, next.len() + 1, depth + 1, found)
            {
                return false;
            }
            if open == 0 {
                return true;
            }
        }
        rest = next;
    }
}

impl Level {
    /// Reads a header that was not foreseen, finds the branch that begins there, and remembers both.
    #[inline(never)]
    fn look(&mut self, position: usize, rest: &[u8], open: u32) -> Option<(usize, u32)> {
        let after = rest.get(1..)?;
        let length = first_nul(after)?;
        let name = after.get(..length)?;
        let header = length + 2;
        let branch = self
            .branches
            .iter()
            .position(|branch| branch.all & open != 0 && *branch.name == *name)
            .map_or(NO_BRANCH, |position| position as u32);
        // Later steps name branches: they hold as long as the same branches were taken before them.
        match self.steps.get_mut(position) {
            Some(step) if step.branch == branch => *step = Step::of(rest, header, branch),
            _ => {
                self.steps.truncate(position);
                if self.steps.len() == position && position < MOST_STEPS {
                    self.steps.push(Step::of(rest, header, branch));
                }
            }
        }
        Some((header, branch))
    }
}

impl Step {
    fn of(rest: &[u8], length: usize, branch: u32) -> Self {
        let header = Header::of(rest, length, false);
        let mut step = Self {
            header: header.unwrap_or(Header::NONE),
            passed: 1,
            passed_mask: 0,
            counted: 0,
            skip: 0,
            branch,
        };
        let kind = rest.first().copied().unwrap_or(0);
        if let Some(header) = header
            && branch == NO_BRANCH
            && let Some((fixed, is_counted)) = skip_parts(kind)
        {
            step.passed = header.first | u64::from(kind);
            step.passed_mask = header.mask | 0xFF;
            step.counted = u32::from(is_counted).wrapping_neg();
            step.skip = (length + fixed) as u32;
        }
        step
    }

    /// The bytes behind a field that is passed over, if it has the type that it had last time.
    #[inline(always)]
    fn pass<'d>(&self, rest: &'d [u8], tail: usize) -> Option<&'d [u8]> {
        let word = u64::from_le_bytes(*rest.first_chunk()?);
        if word & self.passed_mask != self.passed || rest.len() <= tail || !self.header.ends(rest) {
            return None;
        }
        let values = rest.get(self.header.length as usize..)?;
        let counted = u32::from_le_bytes(*values.first_chunk()?) & self.counted;
        rest.get(self.skip as usize..)?.get(counted as usize..)
    }

    /// The header's length and the branch, where the header stands at the front of the bytes, whose first word is
    /// given.
    #[inline(always)]
    fn branch_at(&self, word: u64, rest: &[u8]) -> Option<(usize, u32)> {
        let is_there = self.header.is_front_of(word, rest);
        is_there.then_some((self.header.length as usize, self.branch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::bson::{Document, DocumentBuf, DocumentBuilder, Text};

    const NAMES: &[&str] = &[
        "a",
        "b",
        "",
        "0",
        "weight",
        "seven77",
        "eight888",
        "a name of fifteen",
        "a name of twenty-two b",
        "a name that is too long to be remembered",
        "a name that is too long to be remembered, too",
    ];

    /// Fields in any order, some twice, nested to a depth.
    fn fields(random: &mut Random, depth: u32, out: &mut DocumentBuilder) {
        for _ in 0..random.next_u64() % 7 {
            let name = NAMES[(random.next_u64() % NAMES.len() as u64) as usize];
            match random.next_u64() % if depth == 0 { 6 } else { 9 } {
                0 => out.append(name, random.next_u64() as i32),
                1 => out.append(name, random.next_u64() as f64),
                2 => out.append(name, "text"),
                3 => out.append(name, ValueRef::Null),
                4 => out.append(name, true),
                5 => out.append(
                    name,
                    ValueRef::Regex {
                        pattern: Text(b"x"),
                        options: Text(b""),
                    },
                ),
                6 => {
                    out.begin_array(name).append("0", 5);
                    out.end()
                }
                _ => {
                    out.begin_document(name);
                    fields(random, depth - 1, out);
                    out.end()
                }
            };
        }
    }

    /// The end of each path's own walk: type, bytes, components walked.
    fn naive<'d>(path: &[&str], document: Document<'d>) -> Option<(BsonType, &'d [u8], usize)> {
        let mut document = document;
        for (depth, name) in path.iter().enumerate() {
            let element = document.find_raw(name.as_bytes())?;
            if depth + 1 == path.len() || element.kind == BsonType::Array {
                return Some((element.kind, element.value_bytes, depth + 1));
            }
            if element.kind != BsonType::Document {
                return None;
            }
            document = Document::from_valid_bytes(element.value_bytes);
        }
        None
    }

    fn check(reader: &mut PathReader, paths: &[&[&str]], document: Document<'_>) {
        let mut found = vec![None; paths.len()];
        reader.read(document.as_bytes(), &mut |mask, read| {
            for (path, place) in found.iter_mut().enumerate() {
                if mask >> path & 1 == 1 {
                    assert!(place.is_none(), "a path is found once");
                    *place = Some((read.kind, read.value_bytes, read.walked));
                }
            }
            true
        });
        for (path, found) in paths.iter().zip(&found) {
            assert_eq!(*found, naive(path, document), "{path:?} of {document}");
        }
    }

    fn reader_of(paths: &[&[&str]]) -> PathReader {
        let mut reader = PathReader::default();
        for path in paths {
            assert!(
                reader
                    .add(path.iter().map(|name| name.as_bytes()))
                    .is_some()
            );
        }
        reader
    }

    #[test]
    fn reads_what_each_path_alone_would_whatever_came_before() {
        let paths: &[&[&str]] = &[
            &["a"],
            &["a", "b"],
            &["b", "weight"],
            &["weight"],
            &[""],
            &["0", "0"],
            &["eight888", "a name of fifteen", "seven77"],
            &["a name of twenty-two b"],
            &["a name that is too long to be remembered", "a"],
            &["a"],
        ];
        for seed in 1..40 {
            let mut random = Random::new(seed);
            let mut reader = reader_of(paths);
            let mut single: Vec<PathReader> = paths.iter().map(|path| reader_of(&[path])).collect();
            // Shapes that change at every document, that come again, and that alternate.
            let documents: Vec<DocumentBuf> = (0..12)
                .map(|_| {
                    let mut builder = DocumentBuilder::new();
                    fields(&mut random, 3, &mut builder);
                    builder.finish()
                })
                .collect();
            let orders: [&[usize]; 3] = [
                &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
                &[0, 0, 1, 1, 1, 2, 2, 3],
                &[4, 5, 4, 5, 6, 4, 6, 5],
            ];
            for at in orders.into_iter().flatten() {
                let document = documents[*at].as_document();
                check(&mut reader, paths, document);
                for (path, reader) in paths.iter().zip(&mut single) {
                    check(reader, &[path], document);
                }
            }
        }
    }

    #[test]
    fn a_program_reads_documents_that_it_was_not_learnt_from() {
        let paths: &[&[&str]] = &[
            &["a"],
            &["a", "b"],
            &["b", "weight"],
            &["weight"],
            &["0", "0"],
            &["eight888", "a name of fifteen", "seven77"],
        ];
        let (mut read, mut lost) = (0, 0);
        for seed in 1..60 {
            let mut random = Random::new(seed);
            let documents: Vec<DocumentBuf> = (0..8)
                .map(|number| {
                    let mut builder = DocumentBuilder::new();
                    // Some documents of one shape, their values of any length.
                    let mut shape = Random::new(seed + number % 3);
                    fields(&mut shape, 2, &mut builder);
                    builder.append("a", random.next_u64() as i32);
                    builder.append("text", "x".repeat(random.next_u64() as usize % 20).as_str());
                    builder.append("weight", random.next_u64() as f64);
                    builder.append("last", ValueRef::Null);
                    builder.finish()
                })
                .collect();
            for some in [paths, &paths[3..], &paths[1..2]] {
                for from in &documents {
                    let mut reader = reader_of(some);
                    reader.program =
                        Program::learn(&reader.root, from.as_document().as_bytes()).map(Box::new);
                    for document in &documents {
                        let confidence = 1 << 20;
                        reader.confidence = confidence;
                        check(&mut reader, some, document.as_document());
                        match reader.confidence > confidence {
                            true => read += 1,
                            false => lost += 1,
                        }
                    }
                }
            }
        }
        assert!(read > 1000 && lost > 1000, "{read} read, {lost} lost");
    }

    #[test]
    fn the_first_of_two_fields_of_one_name_counts_each_time() {
        let mut reader = reader_of(&[&["a", "x"], &["b"]]);
        let mut builder = DocumentBuilder::new();
        builder.append("a", 1).begin_document("a").append("x", 2);
        builder.end().append("b", 3).append("b", 4);
        let twice = builder.finish();
        let mut builder = DocumentBuilder::new();
        builder.begin_document("a").append("x", 2).append("x", 3);
        builder.end().append("a", 1).append("b", 4);
        let other = builder.finish();
        for document in [&twice, &twice, &other, &other, &twice, &other] {
            check(&mut reader, &[&["a", "x"], &["b"]], document.as_document());
        }
    }

    #[test]
    fn stops_where_it_is_told() {
        let mut builder = DocumentBuilder::new();
        builder.append("a", 1).append("b", 2);
        let document = builder.finish();
        let mut reader = reader_of(&[&["a"], &["b"]]);
        for _ in 0..3 {
            let mut seen = 0;
            let done = reader.read(document.as_bytes(), &mut |paths, _| {
                seen |= paths;
                false
            });
            assert_eq!((done, seen), (false, 1));
        }
    }

    #[test]
    fn malformed_bytes_end_the_walk() {
        let mut builder = DocumentBuilder::new();
        builder.append("name", "text").begin_document("details");
        builder.append("weight", 5).end().append("last", "x");
        let document = builder.finish();
        let mut reader = reader_of(&[&["details", "weight"], &["last"], &["none"]]);
        for length in 0..document.as_bytes().len() {
            reader.read(document.as_bytes(), &mut |_, _| true);
            reader.read(&document.as_bytes()[..length], &mut |_, _| true);
        }
        let mut bytes = document.as_bytes().to_vec();
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let kept = std::mem::replace(&mut bytes[at], value);
                reader.read(&bytes, &mut |_, _| true);
                bytes[at] = kept;
                reader.read(&bytes, &mut |_, _| true);
                reader.program = Program::learn(&reader.root, &bytes).map(Box::new);
                reader.confidence = LOSS;
            }
        }
    }
}
