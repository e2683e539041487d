//! Patterns that would take for ever: each ends, by linear time or by a limit; and matching agrees with another engine.

use super::analysis::is_nullable;
use super::parse::parse;
use super::syntax::Node;
use super::{Pattern, Stopped};
use crate::env::native::NativeEnv;
use crate::env::testing::{Patience, given};
use std::time::{Duration, Instant};

fn matched(pattern: &str, text: &str) -> Result<bool, &'static str> {
    let env = NativeEnv::fixed(0, 0);
    let compiled = Pattern::compile(pattern, "", &env).expect("it is a pattern");
    match compiled.is_match(text, &env) {
        Ok(found) => Ok(found),
        Err(Stopped::Limit(limit)) => Err(limit),
        Err(Stopped::Command(error)) => panic!("nothing told it to end: {error:?}"),
    }
}

#[test]
fn what_explodes_elsewhere_is_answered() {
    let many = "a".repeat(20_000);
    let lines = "ab ".repeat(10_000);
    let began = Instant::now();
    for (pattern, text, expected) in [
        ("^(a+)+$", format!("{many}b"), false),
        ("^(a+)+$", many.clone(), true),
        ("(a+)+$", format!("{many}b"), false),
        ("(a|a)*[bc]", many.clone(), false),
        ("(a|aa)+$", format!("{many}b"), false),
        ("(a*)*[bc]", many.clone(), false),
        ("((a*)*)*[bc]", many.clone(), false),
        ("(.*)*[xy]", many.clone(), false),
        ("(.*?)*[xy]", many.clone(), false),
        ("(?:a?){30}a{30}[bc]", many.clone(), false),
        (".*.*.*[xy]", many.clone(), false),
        (".*?.*?.*?[xy]", many.clone(), false),
        ("(a|b|ab)*[cd]", "ab".repeat(10_000), false),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", many.clone(), false),
        ("(\\w+\\s?)+[!?]", lines.clone(), false),
        ("^(\\w+\\s?)*$", format!("{lines}!"), false),
        ("a*a*a*a*[bc]", many.clone(), false),
        ("a*[ab]*[ac]*[cd]", "ab".repeat(10_000), false),
        ("x*[yz]", "x".repeat(50_000), false),
        ("x++[yz]", "x".repeat(50_000), false),
        ("(x+x+)+[yz]", "x".repeat(20_000), false),
        ("(?:x{0,40}y?)*[zw]", "x".repeat(5_000), false),
        ("(é+)+$", format!("{}b", "é".repeat(10_000)), false),
    ] {
        let start = Instant::now();
        assert_eq!(matched(pattern, &text), Ok(expected), "/{pattern}/");
        println!("/{pattern}/ took {:?}", start.elapsed());
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "/{pattern}/ took {:?}",
            start.elapsed()
        );
    }
    println!("all took {:?}", began.elapsed());
}

#[test]
fn what_cannot_be_linear_ends_at_a_limit() {
    let many = "a".repeat(60);
    for pattern in [
        "^(?=(a+)+$)b|c",
        "^(a+)+\\1b",
        "^((a+)+)(?(1)b|c)$",
        "^(?>(a|a)*b)",
        "^(a|a(?1)?)*b",
        "(?R)?(a+)+b",
    ] {
        let ended = matched(pattern, &many);
        assert!(
            matches!(ended, Ok(false) | Err(_)),
            "/{pattern}/: {ended:?}"
        );
    }
    assert_eq!(
        matched("^(a+)+\\1b", &format!("{many}!b")),
        Err("match limit exceeded")
    );
    assert_eq!(
        matched("^(?=(a+)+$)[bc]", &format!("{many}!")),
        Err("match limit exceeded")
    );
    assert_eq!(
        matched("(?R)|a", "a"),
        Err("nested recursion at the same subject position")
    );
    assert_eq!(
        matched("(?:ab)*[cd]", &"ab".repeat(5_000_000)),
        Err("heap limit exceeded")
    );
}

#[test]
fn recursion_ends_at_the_limits_of_depth_and_of_work() {
    // Deeper than any server goes; the match would be tried again from each of the letters.
    let many = "a".repeat(50_000);
    for pattern in [
        "(a(?1)?)b",
        "(?>a(?R)?)b",
        "(?:a(?R)?)++b",
        "((?>a(?1)?))b",
        "(?i)(a(?1)?)b",
    ] {
        assert_eq!(
            matched(pattern, &many),
            Err("matching depth limit exceeded"),
            "/{pattern}/"
        );
    }
    // Not as deep, but each choice at the bottom comes back through all calls.
    let some = "a".repeat(3900);
    let ended = matched("^(a(?1)?)b", &some);
    assert_eq!(ended, Err("match limit exceeded"));
    // What a person would write goes as deep as it is nested.
    let nested = format!("{}{}", "(".repeat(3000), ")".repeat(3000));
    assert_eq!(matched(r"^(\((?1)*\))$", &nested), Ok(true));
    assert_eq!(matched(r"^(\((?1)*\))$", &nested[1..]), Ok(false));
    assert_eq!(
        matched(
            "^(a|b(?1)c)$",
            &format!("{}a{}", "b".repeat(3900), "c".repeat(3900))
        ),
        Ok(true)
    );
}

#[test]
fn dear_steps_count_as_much_work() {
    let asked = |pattern: &str, text: &str| {
        let env = Patience::of(u64::MAX);
        let compiled = Pattern::compile(pattern, "", &env).expect("it is a pattern");
        let _ = compiled.is_match(text, &env);
        env.asked()
    };
    // Of every call each slot is kept aside, and looked at on its return.
    let groups = "()".repeat(200);
    let plain = asked(
        "^(a(?1)?b)$",
        &format!("{}{}", "a".repeat(2000), "b".repeat(2000)),
    );
    let pattern = format!("^(a(?1)?b){groups}$");
    let dear = asked(
        &pattern,
        &format!("{}{}", "a".repeat(2000), "b".repeat(2000)),
    );
    assert!(dear > plain * 4, "{dear} questions, and {plain}");
    // A repeated text is compared whole, whether it is there or not.
    let long = "x".repeat(100_000);
    let compared = asked("(x+)y\\1z", &format!("{long}y{long}"));
    assert!(compared > 100_000 / 32 / 256, "{compared} questions");
}

#[test]
fn a_match_asks_whether_to_go_on() {
    let many = "a".repeat(100_000);
    for pattern in [
        "(a+)+$",
        "(a|a)*b",
        "^(a+)+\\1[cd]",
        "(a*)*[xy]",
        "[^b]*[cd]",
        "(?:a?){30}[cd]",
    ] {
        let env = Patience::of(2);
        let compiled = Pattern::compile(pattern, "", &env).expect("it is a pattern");
        let text = format!("{many}b");
        match compiled.is_match(&text, &env) {
            Err(Stopped::Command(error)) => assert_eq!(error.code, 11601),
            other => panic!("/{pattern}/ gave {other:?}"),
        }
        // The compiled pattern is fit for the next text all the same.
        let short = compiled.find_at("ab", 0, &Patience::of(u64::MAX));
        assert!(short.is_ok(), "/{pattern}/ gave {short:?}");
    }
}

#[test]
fn deep_nesting_is_read_and_refused_beyond_the_limit() {
    let nested = |depth: usize, open: &str| format!("{}a{}", open.repeat(depth), ")".repeat(depth));
    for open in ["(", "(?:", "(?>", "(?=", "(?i:", "(?|"] {
        let env = NativeEnv::fixed(0, 0);
        let most = Pattern::compile(&nested(250, open), "", &env).expect("250 is the most");
        assert!(most.is_match("a", &env).expect("no limit"));
        for depth in [251, 3000] {
            let refused = Pattern::compile(&nested(depth, open), "", &env).err();
            assert_eq!(refused, Some("parentheses are too deeply nested"));
        }
    }
    assert!(Pattern::compile(&"[".repeat(16_000), "", &NativeEnv::fixed(0, 0)).is_err());
    assert!(Pattern::compile(&"(?:){65535}".repeat(1400), "", &NativeEnv::fixed(0, 0)).is_ok());
}

/// The groups of a pattern that is being generated.
#[derive(Default)]
struct Groups {
    opened: u32,
    /// The groups that a reference may name: none that is still open, because engines differ in the meaning of that.
    closed: Vec<u32>,
}

/// A generator of patterns and texts from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }

    fn pattern(&mut self, depth: u32, groups: &mut Groups, out: &mut String) {
        for branch in 0..=self.below(8) / 6 {
            if branch > 0 {
                out.push('|');
            }
            for _ in 0..self.below(4) {
                self.part(depth, groups, out);
            }
        }
    }

    fn part(&mut self, depth: u32, groups: &mut Groups, out: &mut String) {
        const ATOMS: &[&str] = &[
            "a", "b", "c", "é", ".", "[ab]", "[^a]", "\\w", "[a-c]", "ab", "[é-ü]", "\\d", "[^é]",
        ];
        const ZERO: &[&str] = &["^", "\\z", "\\b", "\\B"];
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0 => {
                out.push_str(self.one(ZERO));
                return;
            }
            1 if !groups.closed.is_empty() => {
                let group = groups.closed[self.below(groups.closed.len() as u64) as usize];
                out.push_str(&format!("(?:\\{group})"));
            }
            8 => {
                groups.opened += 1;
                let group = groups.opened;
                out.push('(');
                self.pattern(depth - 1, groups, out);
                out.push(')');
                // More digits than one may be a character.
                groups.closed.extend((group < 10).then_some(group));
            }
            9 | 10 => {
                let open = self.one(&["(?:", "(?:", "(?>", "(?=", "(?!"]);
                out.push_str(open);
                self.pattern(depth - 1, groups, out);
                out.push(')');
                if open == "(?=" || open == "(?!" {
                    return;
                }
            }
            _ => {
                out.push_str("(?:");
                out.push_str(self.one(ATOMS));
                out.push(')');
            }
        }
        out.push_str(self.one(&[
            "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}",
        ]));
    }

    fn text(&mut self) -> String {
        (0..self.below(9))
            .map(|_| self.one(&["a", "b", "c", "é", "ab", " ", "1", "ü"]))
            .collect()
    }
}

/// Whether the other engine means the same: it goes on differently after a turn of a loop that took nothing.
fn is_common(node: &Node) -> bool {
    match node {
        Node::Repeat { node, max, .. } => is_common(node) && (*max <= 1 || !is_nullable(node)),
        Node::Sequence(parts) | Node::Alternatives(parts) => parts.iter().all(is_common),
        Node::Group(_, node) | Node::Atomic(node) | Node::Look { node, .. } => is_common(node),
        _ => true,
    }
}

/// Of other seeds one in two meets a fault of the other engine's 0.20.0: there `(?:é)+(?:b)*?(?:é)+` matches one `é`,
/// and a lookahead is entered a second time.
#[test]
fn agrees_with_another_engine() {
    let seed = given("QUIRE_SEED", 20_26);
    let mut random = Random(seed);
    let env = NativeEnv::fixed(0, 0);
    let mut compared = 0;
    for _ in 0..6_000 {
        let (mut pattern, mut groups) = (String::new(), Groups::default());
        random.pattern(3, &mut groups, &mut pattern);
        // Words and digits are of ASCII here, and `$` holds before a last line end.
        let edge = "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))";
        let none = "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))";
        let theirs = pattern
            .replace("\\w", "[0-9A-Z_a-z]")
            .replace("\\b", edge)
            .replace("\\B", none)
            .replace("\\d", "[0-9]");
        let parsed = parse(&pattern, "", &env);
        if !parsed.is_ok_and(|parsed| is_common(&parsed.node)) {
            continue;
        }
        let (Ok(ours), Ok(theirs)) = (
            Pattern::compile(&pattern, "", &env),
            fancy_regex::Regex::new(&theirs),
        ) else {
            continue;
        };
        for _ in 0..6 {
            let text = random.text();
            let Ok(expected) = theirs.captures(&text) else {
                continue;
            };
            let expected: Option<Vec<_>> = expected.map(|found| {
                let group = |group| found.get(group).map(|part| (part.start(), part.end()));
                (0..found.len()).map(group).collect()
            });
            let found = ours.find_at(&text, 0, &env).expect("texts are short");
            let found = found.map(|found| {
                let mut all = vec![Some((found.start, found.end))];
                all.extend(found.groups);
                all
            });
            assert_eq!(found, expected, "/{pattern}/ over {text:?}, seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 5_000, "only {compared} were comparable");
}

#[test]
fn remembering_changes_nothing() {
    let seed = given("QUIRE_SEED", 7);
    let mut random = Random(seed);
    let env = NativeEnv::fixed(0, 0);
    for _ in 0..4_000 {
        let (mut pattern, mut groups) = (String::new(), Groups::default());
        random.pattern(3, &mut groups, &mut pattern);
        let Ok(compiled) = Pattern::compile(&pattern, "", &env) else {
            continue;
        };
        for _ in 0..5 {
            let text = random.text();
            let patient = compiled.find_at(&text, 0, &env);
            compiled.be_impatient(true);
            let impatient = compiled.find_at(&text, 0, &env);
            compiled.be_impatient(false);
            let (Ok(patient), Ok(impatient)) = (&patient, &impatient) else {
                println!("/{pattern}/ over {text:?}: {patient:?}, {impatient:?}");
                continue;
            };
            assert_eq!(patient, impatient, "/{pattern}/ over {text:?}, seed {seed}");
        }
    }
}
