//! The matcher against a naive one, on random documents and filters.
//!
//! Every failure prints its seed; `QUIRE_SEED` runs one seed alone. Beside the answers it is checked that a filter's
//! canonical form means the same as the filter, and that a claimed implication between filters holds.

use crate::support::naive;
use crate::support::naive::Tree;
use quire::bson::{DocumentBuf, DocumentBuilder, Text, ValueRef};
use quire::env::NoEnv;
use quire::expr::CompileContext;
use quire::query::{MatchContext, Matcher};

/// xorshift64*: small, seeded, good enough to wander.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 33) % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len() as u64) as usize]
    }
}

fn scalar(random: &mut Random) -> ValueRef<'static> {
    match random.below(12) {
        0 => ValueRef::Null,
        1 => ValueRef::Boolean(random.below(2) == 0),
        2 => ValueRef::Double(random.below(6) as f64 / 2.0),
        3 => ValueRef::Int64(random.below(4) as i64),
        4 => {
            let texts = [&b""[..], b"x", b"xy", b"x\xff"];
            Text(texts[random.below(texts.len() as u64) as usize]).into()
        }
        5 if random.below(3) == 0 => ValueRef::Double(f64::NAN),
        _ => ValueRef::Int32(random.below(4) as i32),
    }
}

const NAMES: &[&str] = &["a", "b", "c", "0", "1"];

fn value(random: &mut Random, name: &str, depth: u32, stored: bool, out: &mut DocumentBuilder) {
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0..=5 if stored && random.below(24) == 0 => {
            out.append(name, ValueRef::Undefined);
        }
        0..=5 => {
            out.append(name, scalar(random));
        }
        6 | 7 => {
            out.begin_array(name);
            for position in 0..random.below(4) {
                value(random, &position.to_string(), depth - 1, stored, out);
            }
            out.end();
        }
        _ => {
            out.begin_document(name);
            fields(random, depth - 1, stored, out);
            out.end();
        }
    }
}

/// Fields in an order that their content decides, so that a matcher meets another shape at nearly every document.
fn fields(random: &mut Random, depth: u32, stored: bool, out: &mut DocumentBuilder) {
    let mut drawn = DocumentBuilder::new();
    for name in NAMES {
        if random.below(5) < 2 {
            value(random, name, depth, stored, &mut drawn);
        }
    }
    let drawn = drawn.finish();
    let elements: Vec<_> = drawn.as_document().iter().collect();
    let sum: usize = drawn.as_bytes().iter().copied().map(usize::from).sum();
    let first = sum % elements.len().max(1);
    for element in elements.iter().cycle().skip(first).take(elements.len()) {
        out.append(element.name, element.value);
    }
}

fn path(random: &mut Random) -> String {
    let mut path = random.pick(&["a", "b", "c"]).to_owned();
    for _ in 0..random.below(3) {
        path.push('.');
        path.push_str(random.pick(NAMES));
    }
    path
}

fn filter(random: &mut Random, depth: u32, out: &mut DocumentBuilder) {
    for _ in 0..=random.below(3) {
        if depth > 0 && random.below(5) == 0 {
            out.begin_array(random.pick(&["$and", "$or", "$nor"]));
            for position in 0..=random.below(3) {
                out.begin_document(&position.to_string());
                filter(random, depth - 1, out);
                out.end();
            }
            out.end();
            continue;
        }
        let path = path(random);
        if random.below(4) == 0 {
            value(random, &path, 2, false, out);
        } else {
            out.begin_document(&path);
            operators(random, depth, out);
            out.end();
        }
    }
}

fn operators(random: &mut Random, depth: u32, out: &mut DocumentBuilder) {
    for _ in 0..=random.below(2) {
        operator(random, depth, out);
    }
}

fn operator(random: &mut Random, depth: u32, out: &mut DocumentBuilder) {
    match random.below(if depth == 0 { 10 } else { 13 }) {
        0..=3 => {
            let name = random.pick(&["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]);
            value(random, name, 2, false, out);
        }
        4 | 5 => {
            out.begin_array(random.pick(&["$in", "$nin", "$all"]));
            for position in 0..=random.below(3) {
                value(random, &position.to_string(), 1, false, out);
            }
            out.end();
        }
        6 => {
            out.append("$exists", random.below(2) as i32);
        }
        7 => {
            let types = [
                "bool", "double", "number", "string", "null", "array", "object",
            ];
            out.append("$type", random.pick(&types));
        }
        8 => {
            out.append("$size", random.below(4) as i32);
        }
        9 => {
            out.begin_array("$mod")
                .append("0", 1 + random.below(3) as i32)
                .append("1", random.below(2) as i32)
                .end();
        }
        10 => {
            out.begin_document("$not");
            operators(random, depth - 1, out);
            out.end();
        }
        11 => {
            out.begin_document("$elemMatch");
            operators(random, depth - 1, out);
            out.end();
        }
        _ => {
            out.begin_document("$elemMatch");
            filter(random, depth - 1, out);
            out.end();
        }
    }
}

fn compile(filter: &DocumentBuf) -> Matcher {
    Matcher::compile(filter.as_document(), &CompileContext::new(&NoEnv, 0))
        .unwrap_or_else(|error| panic!("{}: {error}", filter.as_document()))
}

fn check(seed: u64, rounds: usize) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut matched = 0;
    let mut earlier: Option<Matcher> = None;
    for _ in 0..rounds {
        let mut out = DocumentBuilder::new();
        filter(&mut random, 2, &mut out);
        let filter = out.finish();
        let matcher = compile(&filter);
        let canonical = compile(&matcher.root().to_bson());
        let naive_filter = Tree::decode((&filter).into());
        let implied = earlier
            .as_ref()
            .is_some_and(|earlier| earlier.root().is_subset_of(matcher.root()));
        // The documents before, which come again: shapes alternate, and answers stay as they were.
        let mut before: Vec<(DocumentBuf, bool)> = Vec::new();
        for position in 0..20 {
            let mut out = DocumentBuilder::new();
            fields(&mut random, 3, true, &mut out);
            let document = out.finish();
            let view = document.as_document();
            if let Some((document, answer)) = before.get(position / 2) {
                let again = matcher.matches(document.as_document(), &NoEnv);
                let (filter, document) = (filter.as_document(), document.as_document());
                assert_eq!(
                    again.ok(),
                    Some(*answer),
                    "again, seed {seed}: {filter} on {document}"
                );
            }
            let answer = matcher.matches(view, &NoEnv).expect("no expressions");
            let context = MatchContext::new(&NoEnv, None);
            let one_by_one = matcher
                .root()
                .matches(view, &context, None)
                .expect("no expressions");
            let expected = naive::matches(&Tree::decode((&document).into()), &naive_filter);
            let shown = || {
                format!(
                    "seed {seed}: {} on {view}\nas {:?}",
                    filter.as_document(),
                    matcher.root()
                )
            };
            assert_eq!(answer, expected, "{}", shown());
            assert_eq!(one_by_one, expected, "one walk, {}", shown());
            let again = canonical.matches(view, &NoEnv).expect("no expressions");
            assert_eq!(again, expected, "canonical form, {}", shown());
            if implied && !answer {
                let earlier = earlier.as_ref().expect("it was compared");
                let narrow = earlier.matches(view, &NoEnv).expect("no expressions");
                assert!(!narrow, "{:?} does not imply {}", earlier.root(), shown());
            }
            matched += usize::from(answer);
            before.push((document, answer));
        }
        earlier = Some(matcher);
    }
    assert!(matched > rounds, "seed {seed}: only {matched} matched");
}

#[test]
fn the_matcher_agrees_with_the_naive_one() {
    let only = std::env::var("QUIRE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    match only {
        Some(seed) => check(seed, 1_000),
        None => (1..=8).for_each(|seed| check(seed, 1_000)),
    }
}

/// Narrow filters over few fields, so that implications between them are common.
#[test]
fn claimed_implications_hold() {
    let mut random = Random(77);
    let mut claimed = 0;
    for _ in 0..20_000 {
        let mut simple = || {
            let mut out = DocumentBuilder::new();
            for name in ["a", "b"] {
                if random.below(3) > 0 {
                    out.begin_document(name);
                    operator(&mut random, 0, &mut out);
                    out.end();
                }
            }
            compile(&out.finish())
        };
        let (narrow, wide) = (simple(), simple());
        if !narrow.root().is_subset_of(wide.root()) {
            continue;
        }
        claimed += 1;
        for _ in 0..10 {
            let mut out = DocumentBuilder::new();
            for name in ["a", "b"] {
                if random.below(6) > 0 {
                    value(&mut random, name, 2, true, &mut out);
                }
            }
            let document = out.finish();
            let view = document.as_document();
            let inside = narrow.matches(view, &NoEnv).expect("no expressions");
            let outside = !wide.matches(view, &NoEnv).expect("no expressions");
            assert!(
                !(inside && outside),
                "{:?} does not imply {:?}: {view}",
                narrow.root(),
                wide.root()
            );
        }
    }
    assert!(claimed > 100, "only {claimed} implications were claimed");
}
