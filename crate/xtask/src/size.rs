//! Size budgets: the bytes that a reader downloads, brotli-compressed, held against the promised ones.
//!
//! # The budgets, and how they are kept
//!
//! Compiled for size (opt-level "z"), but for the functions of `crate/hot-functions.txt`: those lose the attributes for
//! size and are inlined into each other, by flags that only `cargo xtask build` gives (`crate/xtask/src/hot.rs`; a
//! plain `wasm-pack build` is right, small and 1.4 to 2 times slower). Held to 720 KB of brotli by `cargo xtask size`,
//! with room for transactions, change streams, geo, text and time series. It was 492 before the engine had patterns of
//! its own (24), bounds and checkpoints in its loops (12), repair, salvage and compaction (20): the host's regular
//! expressions, used before, could not be stopped. Moments take 17; observed runs, forks, and pages and trees shown
//! down to their bytes 10. `cargo xtask profile` writes the list: an engine with LLVM's counters (`crate/page`)
//! runs the everyday commands of `benches/profile`. Symbols name the compiler, the profile and the dependencies they
//! were made with; after a change of these the list fits nothing, and the sizes' check says so. The standard library is
//! compiled with the engine, without the words of panics (`standard.rs`), all of it is optimised as one program
//! (`crate/page`), values are copied by one instruction where that is seldom (`copies.rs`), and functions lie in an
//! order that brotli packs well (`order.rs`). Other code keeps the size there too: both error types are one word (a
//! box; `StorageError::fault` has the kind), small maps are `storage::SortedMap` and sets of records
//! `exec::record_set`, and doubles and decimals are worded by `bson` (`wording`, `Decimal`) and never by the standard
//! library's or a dependency's `Display` (whose 15 KB the IndexedDB wrapper's own upgrade listener would bring).
//!
//! The bytes that a page loads before its first Run are held to 200 KB of brotli. They are 188: js-bson's classes, 13
//! KB of it, come with the first Run, once for the page and once for the worker, whose first file reads the few members
//! it needs from bytes.
//!
//! Browsers check the whole module before its first command, and compile each function whole when it is first called.
//! So a part that a command needs seldom (options, refusals, work that only stored data asks for) is a function of its
//! own, `#[inline(never)]`, and wasm-opt puts a function of one caller into that one only where it is small
//! (`WASM_PASSES` in `crate/xtask/src/build.rs`): createIndexes, the first insert and the first find together have 136
//! KB of code compiled, and 165 KB when it inlines as it likes, which makes nothing faster later on.

use crate::arguments::Arguments;
use crate::build;
use crate::count::Count;
use crate::hot;
use crate::modules;
use crate::process::Program;
use crate::progress::Progress;
use crate::project::Project;
use std::fs;

/// Kilobytes (1024 bytes) of brotli that the engine's wasm may have, with the whole query, update and
/// aggregation languages, patterns, every ordered index, the plan cache, repair, salvage and moments in it.
const ENGINE_BUDGET: f64 = 720.0;
/// Kilobytes of brotli that all scripts loaded before the first Run may have.
const PAGE_BUDGET: f64 = 200.0;
/// Kilobytes of brotli that a page with snippets loads before its reader does anything.
const ELEMENT_BUDGET: f64 = 20.0;

/// What `npm pack` says of the package `quiredb`, by the names of its JSON, and the most that each may be: those who
/// install it download the first, and have the second and the third on their disks.
const PACKAGE_BUDGET: [(&str, &str, u64); 3] = [
    ("size", "bytes packed", 2_500_000),
    ("unpackedSize", "bytes unpacked", 8_000_000),
    ("entryCount", "files", 150),
];

/// Measures with Node's own brotli; prints one line a file: `group<TAB>file<TAB>raw<TAB>brotli`.
const SCRIPT: &str = include_str!("size.mjs");

/// The verb.
pub fn run(project: &Project, _: &Arguments) -> Result<(), String> {
    let mut progress = Progress::new(build::STEPS);
    build::all(project, &mut progress, false)?;
    println!();
    let count = measure(project)?;
    let named = build::named_engine(project);
    let bytes = fs::read(&named).map_err(|error| format!("{}: {error}", named.display()))?;
    println!("\nThe engine's wasm, before compression:");
    modules::print(&bytes)?;
    if count.failed == 0 {
        Ok(())
    } else {
        Err("a size is above its budget".to_owned())
    }
}

/// Holds the package against its budget, by what `npm pack --json` said of it.
pub fn hold_package(said: &str) -> Result<(), String> {
    let mut too_large = Vec::new();
    for (name, what, budget) in PACKAGE_BUDGET {
        let found = number(said, name).ok_or_else(|| {
            format!(
                "npm pack told no {name}: {}",
                said.chars().take(200).collect::<String>()
            )
        })?;
        println!("quiredb: {found} {what} of {budget} allowed");
        if found > budget {
            too_large.push(format!("{found} {what}, and {budget} are allowed"));
        }
    }
    if too_large.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "the package quiredb is too large: {}",
            too_large.join("; ")
        ))
    }
}

/// A member of a JSON text that is a whole number. Files have a `size` of their own: a package's own comes before them.
fn number(json: &str, name: &str) -> Option<u64> {
    let (_, after) = json.split_once(&format!("\"{name}\":"))?;
    let digits = after.trim_start();
    let end = digits.find(|letter: char| !letter.is_ascii_digit())?;
    digits.get(..end)?.parse().ok()
}

/// Prints all sizes; each budget is one check.
pub fn measure(project: &Project) -> Result<Count, String> {
    let said = Program::new(project, "node")
        .words("--input-type=module --eval")
        .argument(SCRIPT)
        .argument("--")
        .argument(project.engine().join("quire_bg.wasm"))
        .argument(project.site())
        .argument(project.package.join("dist"))
        .read()?;
    println!("{:<8} {:>10} {:>10}  file", "what", "raw KB", "brotli KB");
    let (mut engine, mut page, mut element) = (None, None, None);
    for line in said.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let [group, file, raw, brotli] = parts.as_slice() else {
            continue;
        };
        let kilobytes = |text: &str| text.parse::<f64>().map(|bytes| bytes / 1024.0);
        let (Ok(raw), Ok(brotli)) = (kilobytes(raw), kilobytes(brotli)) else {
            continue;
        };
        println!("{group:<8} {raw:>10.1} {brotli:>10.1}  {file}");
        match *group {
            "engine" => *engine.get_or_insert(0.0) += brotli,
            "page" => *page.get_or_insert(0.0) += brotli,
            "element" => *element.get_or_insert(0.0) += brotli,
            _ => {}
        }
    }
    let mut count = Count::default();
    for (what, found, budget) in [
        ("engine wasm", engine, ENGINE_BUDGET),
        ("page scripts before the first Run", page, PAGE_BUDGET),
        ("element.js with what it imports", element, ELEMENT_BUDGET),
    ] {
        let found = found.ok_or_else(|| format!("{what}: nothing was measured"))?;
        let good = found <= budget;
        println!(
            "{what}: {found:.1} KB brotli of {budget} allowed{}",
            if good { "" } else { ": TOO LARGE" }
        );
        count.check(good);
    }
    let share = hot::share(project)?;
    let good = share >= hot::ENOUGH;
    println!(
        "{share} % of the hot functions are in the engine, of at least {}{}",
        hot::ENOUGH,
        if good {
            ""
        } else {
            ": RUN `cargo xtask profile`"
        }
    );
    count.check(good);
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_held_against_each_budget() {
        let said = |size: u64, unpacked: u64, count: u64| {
            format!(
                "[{{\n  \"name\": \"quiredb\",\n  \"size\": {size},\n  \"unpackedSize\": {unpacked},\n  \
                 \"files\": [{{ \"path\": \"a\", \"size\": 9000000 }}],\n  \"entryCount\": {count},\n  \"bundled\": []\n}}]"
            )
        };
        assert_eq!(hold_package(&said(2_500_000, 8_000_000, 150)), Ok(()));
        for (size, unpacked, count, told) in [
            (2_500_001, 1, 1, "2500001 bytes packed"),
            (1, 8_000_001, 1, "8000001 bytes unpacked"),
            (1, 1, 151, "151 files"),
        ] {
            let refused = hold_package(&said(size, unpacked, count));
            assert!(
                refused.is_err_and(|message| message.contains(told)),
                "{told}"
            );
        }
        assert!(hold_package("[]").is_err());
    }
}
