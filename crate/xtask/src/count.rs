//! Counting tests in the output of test runners.

/// Tests that passed, failed, and were left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Count {
    /// One check that passed.
    pub const PASSED: Self = Self {
        passed: 1,
        failed: 0,
        skipped: 0,
    };

    /// One check that failed.
    pub const FAILED: Self = Self {
        passed: 0,
        failed: 1,
        skipped: 0,
    };

    /// Adds one check.
    pub fn check(&mut self, good: bool) {
        self.add(if good { Self::PASSED } else { Self::FAILED });
    }

    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Adds up every summary line that cargo test, the wasm-bindgen runner, vitest and Node's own runner print.
pub fn in_output(output: &str) -> Count {
    let mut total = Count::default();
    for line in output.lines() {
        let line = without_colours(line);
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("test result:") {
            // cargo test and wasm-bindgen-test: "ok. 12 passed; 0 failed; …"
            total.add(before_words(rest, ';'));
        } else if let Some(rest) = line.strip_prefix("Tests ") {
            // vitest: "Tests  1 failed | 12 passed (13)"
            total.add(before_words(rest, '|'));
        } else if let Some((name, number)) = node_summary(line) {
            match name {
                "pass" => total.passed += number,
                "fail" => total.failed += number,
                _ => total.skipped += number,
            }
        } else if line.starts_with("# skipped: ") {
            // `tests/e2e/rust-tests.mjs`: "# skipped: WebKit: …"
            total.skipped += 1;
        }
    }
    total
}

/// Numbers that stand right before the words of the runners.
fn before_words(text: &str, separator: char) -> Count {
    let mut count = Count::default();
    for part in text.split(separator) {
        let words: Vec<&str> = part.split_whitespace().collect();
        for pair in words.windows(2) {
            match (
                pair.first().and_then(|word| word.parse::<u64>().ok()),
                pair.last(),
            ) {
                (Some(number), Some(&"passed")) => count.passed += number,
                (Some(number), Some(&"failed")) => count.failed += number,
                (Some(number), Some(&("ignored" | "skipped" | "todo"))) => count.skipped += number,
                _ => {}
            }
        }
    }
    count
}

/// Node's runner: "# pass 12" or "ℹ pass 12".
fn node_summary(line: &str) -> Option<(&'static str, u64)> {
    let mut words = line.split_whitespace();
    if !matches!(words.next()?, "#" | "ℹ") {
        return None;
    }
    let name = match words.next()? {
        "pass" => "pass",
        "fail" => "fail",
        "skipped" => "skipped",
        "todo" => "todo",
        _ => return None,
    };
    let number = words.next()?.parse().ok()?;
    if words.next().is_some() {
        None
    } else {
        Some((name, number))
    }
}

/// Removes terminal colour sequences.
pub fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runner() {
        let output = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured\n\
                      test result: FAILED. 3 passed; 2 failed; 0 ignored\n\
                      \u{1b}[2m      Tests \u{1b}[22m \u{1b}[31m1 failed\u{1b}[39m | \u{1b}[32m7 passed\u{1b}[39m | 2 skipped (10)\n\
                      # tests 4\n# pass 3\n# fail 1\n# skipped 3\nℹ pass 2\nℹ fail 0\nℹ todo 1\n\
                      # skipped: WebKit: it is missing\n";
        assert_eq!(
            in_output(output),
            Count {
                passed: 27,
                failed: 4,
                skipped: 8
            }
        );
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(
            in_output("3 passed\n# pass on the left 3\nTestsuite 4 failed"),
            Count::default()
        );
    }
}
