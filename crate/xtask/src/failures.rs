//! The passages of a run's output that tell of failures, so that the end of a long run says what failed and why.
//!
//! ```text
//! not ok 212 - what a run gave is in sight     a test of Node's, up to its closing `...`
//! ---- state::write stdout ----                a test of cargo's or of wasm-bindgen's, up to the next one
//!  FAIL  test/lines.test.ts > every line       a test of vitest's, up to its rule of dashes
//! error[E0308]: mismatched types               a complaint of the compiler, up to a blank line
//! --- size failed: the engine has 721.2 KB     a step
//! ```
//!
//! Invariant: whatever a program prints, the passages stay short: what is left out stands in the output above them.

use crate::count::without_colours;

/// Lines of one passage.
const PASSAGE: usize = 24;
/// Lines of all passages of one output.
const ALL: usize = 160;
/// Characters of a line.
const LINE: usize = 240;

/// The passages about failures, in their order; empty where nothing failed.
pub fn in_output(output: &str) -> Vec<String> {
    let mut lines = output.lines().map(without_colours).peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if found.len() >= ALL {
            found.push("(more failures stand above)".to_owned());
            break;
        }
        let Some(ends) = passage(&line) else { continue };
        found.push(cut(&line));
        for _ in 1..PASSAGE {
            match lines.next_if(|next| !ends(next) && passage(next).is_none()) {
                Some(next) => found.push(cut(&next)),
                None => break,
            }
        }
    }
    found
}

/// Where a passage that begins with this line ends, or `None` when the line begins none.
fn passage(line: &str) -> Option<fn(&str) -> bool> {
    let text = line.trim_start();
    if text.starts_with("not ok ") && !text.contains("# SKIP") && !text.contains("# TODO") {
        Some(|next| next.trim() == "...")
    } else if line.starts_with("---- ") && line.ends_with(" ----") {
        Some(|next| next.trim_end() == "failures:")
    } else if text.starts_with("FAIL ") {
        Some(|next| next.contains("⎯⎯⎯"))
    } else if line.starts_with("error: ") || line.starts_with("error[") {
        Some(|next| next.trim().is_empty())
    } else if line.starts_with("--- ") && line.contains(" failed") {
        Some(|_| true)
    } else {
        None
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{} …", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runner_is_heard() {
        let output = "ok 1 - fine\n  ---\n  ...\nnot ok 2 - is in sight\n  ---\n  error: 'scrolled'\n  ...\nok 3 - so\n\
                      not ok 4 - later # SKIP no browser\n\
                      test a ... FAILED\n\nfailures:\n\n---- a stdout ----\nleft: 1\n\nright: 2\n\nfailures:\n    a\n\
                      \u{1b}[31m FAIL \u{1b}[39m test/lines.test.ts > every line\nexpected 121\n⎯⎯⎯⎯[1/1]⎯\n\
                      error[E0308]: mismatched types\n --> src/a.rs:1\n\nwarning: so\n\
                      --- size failed: too large\nand then\n";
        assert_eq!(
            in_output(output),
            [
                "not ok 2 - is in sight",
                "  ---",
                "  error: 'scrolled'",
                "---- a stdout ----",
                "left: 1",
                "",
                "right: 2",
                "",
                " FAIL  test/lines.test.ts > every line",
                "expected 121",
                "error[E0308]: mismatched types",
                " --> src/a.rs:1",
                "--- size failed: too large",
            ]
        );
        assert_eq!(
            in_output("ok 1 - fine\ntest result: ok\n"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn long_output_stays_short() {
        let long = format!(
            "not ok 1 - {}\n{}",
            "x".repeat(5000),
            "  more\n".repeat(1000)
        );
        let found = in_output(&long);
        assert_eq!(found.len(), PASSAGE);
        assert!(found.iter().all(|line| line.chars().count() <= LINE + 2));
        let many = in_output(&"not ok 1 - one\n  ...\n".repeat(1000));
        assert_eq!(many.len(), ALL + 1);
    }
}
