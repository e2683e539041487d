//! From a tree to a program.
//!
//! Invariant: a program has at most `MOST_SIZE` units, however many repetitions the pattern writes.

use super::analysis::{
    depends_on_history, first_bytes, fixed_length, is_anchored, is_nullable, prefix, required,
    single,
};
use super::parse::{Parse, Parsed};
use super::program::{FIRST_SLOT, FailureBits, NO_BYTE, NONE, Op, Program};
use super::search::{Start, pair_of};
use super::set::CharSet;
use super::syntax::{Mode, Node, Test, UNBOUNDED};

/// The size of the largest program, in units that come near to PCRE2's bytes.
const MOST_SIZE: usize = 65535;
const TOO_LARGE: &str = "regular expression is too large";
const NO_GUARDS: [u16; 2] = [NO_BYTE; 2];
/// The most loops around a choice that remembers its failures.
const MOST_MARKS: usize = 4;

struct Compiler<'p> {
    parsed: &'p Parsed,
    program: Program,
    size: usize,
    /// The marks of the loops around, whose turns may take nothing.
    marks: Vec<u32>,
    /// How many atomic groups and looks around are open.
    enclosed: u32,
    remembers: bool,
    /// Which groups are called.
    called: Vec<bool>,
}

/// Compiles a parsed pattern.
///
/// # Errors
/// A group that does not exist, a look behind of no fixed length, too large a pattern.
pub fn compile(parsed: &Parsed) -> Parse<Program> {
    let mut called = vec![false; parsed.groups as usize + 1];
    find_calls(&parsed.node, parsed, &mut called)?;
    let has_history = depends_on_history(&parsed.node);
    let mut compiler = Compiler {
        parsed,
        program: Program {
            ops: Vec::new(),
            literals: Vec::new(),
            sets: Vec::new(),
            groups: parsed.groups,
            slots: FIRST_SLOT + 2 * (parsed.groups + 1),
            entries: vec![NONE; called.len()],
            rows: Vec::new(),
            row_count: 0,
            needs_captures: has_history,
            start: start_of(&parsed.node),
        },
        size: 0,
        marks: Vec::new(),
        enclosed: 0,
        remembers: !has_history,
        called,
    };
    compiler.program.entries[0] = 0;
    compiler.node(&parsed.node)?;
    compiler.push(Op::Match)?;
    compiler.look_ahead();
    Ok(compiler.program)
}

/// The facts that let a search pass over positions where no match can begin.
fn start_of(node: &Node) -> Start {
    let mut bytes = Box::new([false; 256]);
    let mut literal = Vec::new();
    let is_whole = prefix(node, &mut literal);
    let first = first_bytes(node, &mut bytes) == Some(true);
    let mut required = required(node);
    if !literal.is_empty() && literal.len() >= required.len() {
        required.clear();
    }
    Start {
        is_anchored: is_anchored(node),
        is_whole: is_whole && !literal.is_empty(),
        run: NONE,
        prefix: literal,
        required,
        pair: pair_of(&bytes).filter(|_| first),
        bytes: first.then_some(bytes),
    }
}

/// Notes which groups are called; refuses references to groups that do not exist.
fn find_calls(node: &Node, parsed: &Parsed, called: &mut [bool]) -> Parse<()> {
    match node {
        Node::Call(target) => called[parsed.number(target)? as usize] = true,
        Node::Reference { to, .. } => {
            parsed.number(to)?;
        }
        Node::Sequence(parts) | Node::Alternatives(parts) => {
            for part in parts {
                find_calls(part, parsed, called)?;
            }
        }
        Node::Repeat { node, .. }
        | Node::Group(_, node)
        | Node::Atomic(node)
        | Node::Look { node, .. } => {
            find_calls(node, parsed, called)?;
        }
        Node::Condition { test, yes, no } => {
            match test {
                Test::Captured(target) | Test::Called(Some(target)) => {
                    parsed.number(target)?;
                }
                Test::Look(look) => find_calls(look, parsed, called)?,
                Test::Called(None) | Test::Define => {}
            }
            find_calls(yes, parsed, called)?;
            find_calls(no, parsed, called)?;
        }
        _ => {}
    }
    Ok(())
}

impl Compiler<'_> {
    fn here(&self) -> u32 {
        self.program.ops.len() as u32
    }

    fn push(&mut self, op: Op) -> Parse<usize> {
        self.size += 4;
        if self.size > MOST_SIZE + 8 {
            return Err(TOO_LARGE);
        }
        self.program.ops.push(op);
        Ok(self.program.ops.len() - 1)
    }

    /// Gives an instruction that was pushed before its place to go to.
    fn aim(&mut self, at: usize) {
        let here = self.here();
        match &mut self.program.ops[at] {
            Op::Jump(to) | Op::Check { out: to, .. } => *to = here,
            Op::Split { first, second, .. } => {
                let to = if *first == NONE { first } else { second };
                *to = here;
            }
            Op::Enter { otherwise, .. }
            | Op::IfCaptured { otherwise, .. }
            | Op::IfCalled { otherwise, .. } => *otherwise = here,
            Op::Undo { then, .. } => *then = here,
            _ => {}
        }
    }

    fn slot(&mut self) -> u32 {
        self.program.slots += 1;
        self.program.slots - 1
    }

    /// The slots of `Enter`: one for the height of the stack, the next for the position.
    fn slots_of_enter(&mut self) -> u32 {
        let slot = self.slot();
        self.slot();
        slot
    }

    fn row(&mut self) -> u32 {
        if !self.remembers || self.enclosed > 0 || self.marks.len() > MOST_MARKS {
            return NONE;
        }
        let program = &mut self.program;
        program.rows.push(FailureBits {
            first: program.row_count,
            marks: self.marks.as_slice().into(),
        });
        program.row_count += 1 << self.marks.len();
        program.rows.len() as u32 - 1
    }

    /// A choice between the next instruction and a place that is given later, by `aim`.
    fn split(&mut self, lazy: bool) -> Parse<usize> {
        let row = self.row();
        let next = self.here() + 1;
        self.push(match lazy {
            false => Op::Split {
                first: next,
                second: NONE,
                row,
                guards: NO_GUARDS,
            },
            true => Op::Split {
                first: NONE,
                second: next,
                row,
                guards: NO_GUARDS,
            },
        })
    }

    fn set(&mut self, set: CharSet) -> u32 {
        let sets = &mut self.program.sets;
        let known = sets.iter().position(|known| *known == set);
        known.unwrap_or_else(|| {
            sets.push(set);
            sets.len() - 1
        }) as u32
    }

    fn node(&mut self, node: &Node) -> Parse<()> {
        match node {
            Node::Empty => {}
            Node::Fail => {
                self.push(Op::Fail)?;
            }
            Node::Char(_) => self.literal(std::slice::from_ref(node))?,
            Node::Set(set) => {
                let set = self.set((**set).clone());
                self.push(Op::Set(set))?;
            }
            Node::Assert(assertion) => {
                self.push(Op::Assert(*assertion))?;
            }
            Node::Keep => {
                self.push(Op::Save(FIRST_SLOT))?;
            }
            Node::Sequence(parts) => self.sequence(parts)?,
            Node::Alternatives(branches) => self.alternatives(branches, &mut Self::node)?,
            Node::Repeat {
                node,
                min,
                max,
                mode,
            } => self.repeat(node, *min, *max, *mode)?,
            Node::Group(group, node) => self.group(*group, node)?,
            Node::Atomic(node) => self.atomic(&mut |this| this.node(node))?,
            Node::Look {
                behind,
                negative,
                node,
            } => self.look(node, *behind, *negative)?,
            Node::Reference { to, fold } => {
                let group = self.parsed.number(to)?;
                self.push(Op::Reference { group, fold: *fold })?;
            }
            Node::Call(target) => {
                let group = self.parsed.number(target)?;
                self.push(Op::Call { group })?;
            }
            Node::Condition { test, yes, no } => self.condition(test, yes, no)?,
        }
        Ok(())
    }

    fn sequence(&mut self, parts: &[Node]) -> Parse<()> {
        let mut rest = parts;
        while let Some(first) = rest.first() {
            let length = rest
                .iter()
                .take_while(|part| matches!(part, Node::Char(_)))
                .count();
            if length > 0 {
                self.literal(&rest[..length])?;
            } else {
                self.node(first)?;
            }
            rest = &rest[length.max(1)..];
        }
        Ok(())
    }

    fn literal(&mut self, characters: &[Node]) -> Parse<()> {
        let start = self.program.literals.len();
        for character in characters {
            prefix(character, &mut self.program.literals);
        }
        let added = &self.program.literals[start..];
        // Two bytes of PCRE2's for each.
        self.size += (2 * added.len()).saturating_sub(4);
        let op = match added {
            [byte] => Op::Byte(*byte),
            bytes => Op::Bytes {
                start: start as u32,
                length: bytes.len() as u32,
            },
        };
        if let Op::Byte(_) = op {
            self.program.literals.truncate(start);
        }
        self.push(op).map(drop)
    }

    fn alternatives(
        &mut self,
        branches: &[Node],
        each: &mut dyn FnMut(&mut Self, &Node) -> Parse<()>,
    ) -> Parse<()> {
        let mut ends = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            if at + 1 == branches.len() {
                each(self, branch)?;
                break;
            }
            let split = self.split(false)?;
            each(self, branch)?;
            ends.push(self.push(Op::Jump(NONE))?);
            self.aim(split);
        }
        ends.into_iter().for_each(|end| self.aim(end));
        Ok(())
    }

    fn group(&mut self, group: u32, node: &Node) -> Parse<()> {
        let is_called = self.called[group as usize];
        let entry = &mut self.program.entries[group as usize];
        if is_called && *entry == NONE {
            *entry = self.program.ops.len() as u32;
        }
        let slot = FIRST_SLOT + 2 * group;
        // Where the group begins is noted only when it ends, so that a reference inside it sees the turn before.
        let began = if self.program.needs_captures {
            self.slot()
        } else {
            slot
        };
        self.push(Op::Save(began))?;
        self.node(node)?;
        if began != slot {
            self.push(Op::Copy {
                from: began,
                to: slot,
            })?;
        }
        self.push(Op::Save(slot + 1))?;
        if is_called {
            self.push(Op::Called(group))?;
        }
        Ok(())
    }

    fn atomic(&mut self, inside: &mut dyn FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        let slot = self.slots_of_enter();
        self.push(Op::Enter {
            slot,
            otherwise: NONE,
        })?;
        self.enclosed += 1;
        inside(self)?;
        self.enclosed -= 1;
        self.push(Op::Cut(slot)).map(drop)
    }

    /// Opens a look around. The slot is for the `Return` or `Undo` that closes it; the instruction is the `Enter`,
    /// which a negative look aims at the code behind itself.
    fn look_inside(&mut self, node: &Node, behind: bool) -> Parse<(u32, usize)> {
        let slot = self.slots_of_enter();
        let enter = self.push(Op::Enter {
            slot,
            otherwise: NONE,
        })?;
        self.enclosed += 1;
        match node {
            Node::Alternatives(branches) if behind => {
                self.alternatives(branches, &mut Self::behind)?
            }
            node if behind => self.behind(node)?,
            node => self.node(node)?,
        }
        self.enclosed -= 1;
        Ok((slot, enter))
    }

    fn behind(&mut self, node: &Node) -> Parse<()> {
        let length = fixed_length(node).ok_or("lookbehind assertion is not fixed length")?;
        if length > 0 {
            self.push(Op::Back(length))?;
        }
        self.node(node)
    }

    fn look(&mut self, node: &Node, behind: bool, negative: bool) -> Parse<()> {
        let (slot, enter) = self.look_inside(node, behind)?;
        if negative {
            self.push(Op::Undo { slot, then: NONE })?;
            self.aim(enter);
        } else {
            self.push(Op::Return(slot))?;
        }
        Ok(())
    }

    fn condition(&mut self, test: &Test, yes: &Node, no: &Node) -> Parse<()> {
        let otherwise = NONE;
        let choice = match test {
            Test::Look(look) => {
                let Node::Look {
                    behind,
                    negative,
                    node,
                } = &**look
                else {
                    return Err("assertion expected after (?( or (?(?C)");
                };
                let (slot, enter) = self.look_inside(node, *behind)?;
                if *negative {
                    let undo = self.push(Op::Undo { slot, then: NONE })?;
                    self.aim(enter);
                    undo
                } else {
                    self.push(Op::Return(slot))?;
                    enter
                }
            }
            Test::Captured(target) => {
                let group = self.parsed.number(target)?;
                self.push(Op::IfCaptured { group, otherwise })?
            }
            Test::Called(target) => {
                let group = match target {
                    Some(target) => self.parsed.number(target)?,
                    None => NONE,
                };
                self.push(Op::IfCalled { group, otherwise })?
            }
            Test::Define => self.push(Op::Jump(NONE))?,
        };
        self.node(yes)?;
        let end = self.push(Op::Jump(NONE))?;
        self.aim(choice);
        self.node(no)?;
        self.aim(end);
        Ok(())
    }

    fn repeat(&mut self, node: &Node, min: u32, max: u32, mode: Mode) -> Parse<()> {
        if let Some(set) = single(node) {
            let set = self.set(set);
            let row = if min == max { NONE } else { self.row() };
            let op = Op::Run {
                set,
                min,
                max,
                mode,
                row,
                next: NO_BYTE,
            };
            return self.push(op).map(drop);
        }
        if mode == Mode::Possessive {
            return self.atomic(&mut |this| this.repeat(node, min, max, Mode::Greedy));
        }
        let lazy = mode == Mode::Lazy;
        if max == 0 {
            // The group is there to be called.
            let over = self.push(Op::Jump(NONE))?;
            self.node(node)?;
            self.aim(over);
            return Ok(());
        }
        if max == UNBOUNDED {
            self.copies(node, min.saturating_sub(1))?;
            return self.unbounded(node, min > 0, lazy);
        }
        self.copies(node, min)?;
        let mut ends = Vec::new();
        for _ in min..max {
            ends.push(self.split(lazy)?);
            self.node(node)?;
        }
        ends.into_iter().for_each(|end| self.aim(end));
        Ok(())
    }

    fn copies(&mut self, node: &Node, count: u32) -> Parse<()> {
        for _ in 0..count {
            let before = self.here();
            self.node(node)?;
            if self.here() == before {
                // A node without instructions, such as `(?:)`, has none after any number of copies: a count of 65535
                // ends here.
                break;
            }
        }
        Ok(())
    }

    /// Turns of a loop without end: at least one, or none.
    fn unbounded(&mut self, node: &Node, once: bool, lazy: bool) -> Parse<()> {
        let mark = is_nullable(node).then(|| self.slot());
        let skip = match once {
            true => None,
            false => Some(self.split(lazy)?),
        };
        let top = self.here();
        self.marks.extend(mark);
        if let Some(slot) = mark {
            self.push(Op::Mark(slot))?;
        }
        self.node(node)?;
        let check = match mark {
            Some(slot) => Some(self.push(Op::Check { slot, out: NONE })?),
            None => None,
        };
        if mark.is_some() {
            self.marks.pop();
        }
        let row = self.row();
        let out = self.here() + 1;
        let (first, second) = if lazy { (out, top) } else { (top, out) };
        self.push(Op::Split {
            first,
            second,
            row,
            guards: NO_GUARDS,
        })?;
        for place in [skip, check].into_iter().flatten() {
            self.aim(place);
        }
        Ok(())
    }

    /// The first instruction from a place on that is no note of a position.
    fn following(&self, place: u32) -> Option<Op> {
        let mut rest = self.program.ops.get(place as usize..)?.iter();
        rest.find(|op| !matches!(op, Op::Save(_))).copied()
    }

    /// The byte that must come at a place.
    fn byte_at(&self, place: u32) -> u16 {
        match self.following(place) {
            Some(Op::Byte(byte)) => byte.into(),
            Some(Op::Bytes { start, .. }) => self.program.literals[start as usize].into(),
            _ => NO_BYTE,
        }
    }

    /// Tells runs and choices which byte must follow them. Where that is no member of a run, there is nothing to try
    /// twice.
    fn look_ahead(&mut self) {
        for at in 0..self.here() {
            let byte = self.byte_at(at + 1);
            let following = self.following(at + 1);
            let told = match self.program.ops[at as usize] {
                Op::Split {
                    first, second, row, ..
                } => Op::Split {
                    first,
                    second,
                    row,
                    guards: [self.byte_at(first), self.byte_at(second)],
                },
                Op::Run {
                    set,
                    min,
                    max,
                    mode,
                    row,
                    ..
                } => Op::Run {
                    set,
                    min,
                    max,
                    mode: match mode {
                        Mode::Greedy if self.is_apart(set, byte, following) => Mode::Possessive,
                        mode => mode,
                    },
                    row,
                    next: byte,
                },
                op => op,
            };
            self.program.ops[at as usize] = told;
        }
        self.program.start.run = match self.following(0) {
            Some(Op::Run {
                set,
                max: UNBOUNDED,
                ..
            }) if !self.program.needs_captures => set,
            _ => NONE,
        };
    }

    /// Whether the item behind a run can begin with no member of the run, as `,` behind `[a-z]*`. Such a run never has
    /// to give characters back.
    fn is_apart(&self, set: u32, byte: u16, following: Option<Op>) -> bool {
        let members = &self.program.sets[set as usize];
        if let Ok(byte) = u8::try_from(byte) {
            return byte < 128 && !members.has_ascii(byte);
        }
        let Some(Op::Set(other)) = following else {
            return false;
        };
        let other = &self.program.sets[other as usize];
        (0..128).all(|byte| !(members.has_ascii(byte) && other.has_ascii(byte)))
            && !(members.may_be_non_ascii() && other.may_be_non_ascii())
    }
}
