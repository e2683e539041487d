//! The inputs that fuzzing found, and some that led it far: none breaks a promise any more.
//!
//! `tests/fuzz/<target>/` holds them; `cargo xtask fuzz` adds to them.

use crate::support::fuzzed;
use std::fs;
use std::path::Path;

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fuzz")
        .join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the target has inputs") {
        let path = entry.expect("the folder is readable").path();
        println!("{}", path.display());
        run(&fs::read(&path).expect("the input is readable"));
        count += 1;
    }
    assert!(count >= 10, "{target} has {count} inputs");
}

#[test]
fn bson() {
    replay("bson", fuzzed::bson);
}

#[test]
fn commands() {
    replay("command", fuzzed::command);
}

#[test]
fn filters() {
    replay("filter", fuzzed::filter);
}

#[test]
fn index_keys() {
    replay("keycode", fuzzed::keycode);
}

#[test]
fn patterns() {
    replay("pattern", fuzzed::pattern);
}

#[test]
fn pipelines() {
    replay("pipeline", fuzzed::pipeline);
}

#[test]
fn updates() {
    replay("update", fuzzed::update);
}
