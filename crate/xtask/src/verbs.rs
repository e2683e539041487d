//! The table of verbs: name, purpose, options, function.
//!
//! Invariant: every verb and every option a verb reads has its line here; `--help` prints this table.

use crate::arguments::Arguments;
use crate::project::Project;
use crate::{bench, build, check, fuzz, profile, release, size, soak, start, test};

/// One verb of `cargo xtask`.
pub struct Verb {
    pub name: &'static str,
    /// One line for the overview.
    pub summary: &'static str,
    /// The whole text, for `cargo xtask <verb> --help`.
    pub text: &'static str,
    /// Options: name, placeholder of its value ("" for a flag), meaning.
    pub options: &'static [(&'static str, &'static str, &'static str)],
    run: fn(&Project, &Arguments) -> Result<(), String>,
}

/// Every verb, sorted by name.
pub const VERBS: &[Verb] = &[
    Verb {
        name: "bench",
        summary: "measure the packed npm package in Chromium beside other libraries",
        text: "Packs the npm package and runs the garden-shop workload in headless Chromium through its\n\
               exports alone (MongoClient in a worker and in the caller's thread, Engine, scripts) beside a\n\
               bare postMessage echo, plain JavaScript, lokijs, rxdb, mingo, nedb, sql.js and SQLite in\n\
               the same run; prints medians, ratios and a verdict for every target. Then measures places\n\
               beside kdbush, flatbush and turf, texts beside MiniSearch, FlexSearch and lunr, and a time\n\
               series beside one document each; the package in Node, transactions and change streams, the\n\
               playground's cold start with a warm HTTP cache beside PGlite's and sql.js's, and the engine by\n\
               itself, natively. The other libraries are installed (pinned) into benches/peers/ by this verb only.",
        options: &[
            (
                "adapters",
                "a,b",
                "only these in Chromium (benches/peers/adapters/; of --kinds, benches/peers/kinds/)",
            ),
            (
                "against",
                "FILE",
                "with --counts: compare with the counts that an earlier state left in target/row-counts.txt",
            ),
            (
                "before",
                "FILE",
                "with --replica: the packed package of another build, whose load is measured in the same run",
            ),
            ("chromium", "", "only the part in Chromium"),
            ("count", "N", "number of products (default 100000)"),
            (
                "counts",
                "",
                "only the instructions of the everyday commands of benches/rows (needs valgrind)",
            ),
            (
                "keep",
                "FILE",
                "add the runs to this file and report all in it: for measuring in pieces",
            ),
            ("kinds", "", "only places, texts and time series"),
            ("native", "", "only the native part"),
            ("node", "", "only the part in Node"),
            (
                "replica",
                "",
                "only transactions, the time until another tab is told, and a load with and without a watcher",
            ),
            (
                "rounds",
                "N",
                "rounds in Chromium, medians are printed (default 3, of the start 9)",
            ),
            (
                "server",
                "",
                "only MongoDB's Node driver through the server, and servers for test suites",
            ),
            (
                "start",
                "",
                "only the cold start: from a navigation to the first answer, beside PGlite and sql.js",
            ),
        ],
        run: bench::run,
    },
    Verb {
        name: "build",
        summary: "build the engine, the web app and the npm package; leaves pkg/ importable",
        text: "Installs what is missing, builds the release wasm, optimises it, builds the shell prelude,\n\
               the web app (web/dist/site) and the npm package (pkg/, importable in place). A part whose\n\
               inputs did not change is not built again.",
        options: &[("force", "", "build every part, changed or not")],
        run: build::run,
    },
    Verb {
        name: "check",
        summary: "the quick loop: formatting, clippy and unit tests",
        text: "cargo fmt --check, cargo clippy -D warnings (native) and the library's unit tests.",
        options: &[],
        run: check::run,
    },
    Verb {
        name: "fuzz",
        summary: "give the engine inputs that nobody thought of, for some minutes a target",
        text: "Builds the fuzz targets of fuzz/ (libFuzzer; needs a C++ compiler) and runs them one after the\n\
               other: bson, command, filter, keycode, pipeline, update. What breaks a promise is left in\n\
               tests/fuzz/, where the tests run it from then on.",
        options: &[
            ("minutes", "N", "minutes a target (default 10)"),
            ("only", "a,b", "only these targets"),
        ],
        run: fuzz::run,
    },
    Verb {
        name: "profile",
        summary: "find the functions that are run often, which are compiled for speed and not for size",
        text: "Builds the engine with counters (needs clang), runs the everyday commands of benches/profile on\n\
               it in Node, and writes crate/hot-functions.txt. To be run after a change of the compiler, of the\n\
               release profile or of the engine's dependencies, and now and then after changes of its code.",
        options: &[],
        run: profile::run,
    },
    Verb {
        name: "release",
        summary: "test everything, then pack the npm packages into target/package/",
        text: "Runs `cargo xtask test`; only when it is green, packs the three packages of pkg/ with `npm pack`, and\n\
               the source maps of quiredb into an archive; prints each file, its size and its SHA-256. Publishes\n\
               nothing.",
        options: &[],
        run: release::run,
    },
    Verb {
        name: "size",
        summary: "print the sizes of what is built and hold them against the budgets",
        text: "Prints raw and brotli sizes of the engine and of the page's scripts before the first Run, and\n\
               fails when one is above its budget; then what each module of the engine costs. Builds first\n\
               where needed.",
        options: &[],
        run: size::run,
    },
    Verb {
        name: "soak",
        summary: "try kills, tabs, faults, mutated commands and random models for as long as one likes",
        text: "Takes turns with new seeds: the simulated deployment (tabs, locks, storage with faults), real\n\
               browsers and tabs killed by their process ids, random operations, crashes of devices, mutated\n\
               commands, spoilt messages of the wire protocol, random filters, plans and collations, change\n\
               streams, and memory that ends. Prints the seed of each turn and what was tried; the first\n\
               failure ends it, with how to run that again. With --e2e, the end-to-end tests again and again\n\
               while the machine is busy; what failed is told at the end. Needs `cargo xtask build`.",
        options: &[
            (
                "at-once",
                "N",
                "how many programs of end-to-end tests run at a time under load (default 3)",
            ),
            (
                "e2e",
                "N",
                "so many runs of the end-to-end tests under load, and nothing else",
            ),
            (
                "load",
                "N",
                "threads that never wait beside them (default 16)",
            ),
            (
                "minutes",
                "N",
                "how long (default 10); each part has a turn in any case",
            ),
            (
                "only",
                "a,b",
                "only these parts: simulation, kills, data-file, serve, files, full, frames, model, crash, commands, filters, plans, streams, memory, collations",
            ),
            ("seed", "N", "the first turn's seed (default: by the clock)"),
            (
                "tests",
                "a,b",
                "only these files of end-to-end tests, under load",
            ),
        ],
        run: soak::run,
    },
    Verb {
        name: "start",
        summary: "install what is missing, build, and serve the playground on localhost",
        text: "Installs the wasm target, the maker of the glue for Cargo.lock's wasm-bindgen and the npm packages\n\
               where they are missing, builds the release wasm and the web app, serves it on localhost\n\
               and prints the address. A second start takes seconds. Ctrl-C ends it.",
        options: &[
            ("force", "", "build every part, changed or not"),
            (
                "port",
                "N",
                "the port (default 4747, or any free one when it is taken)",
            ),
        ],
        run: start::run,
    },
    Verb {
        name: "test",
        summary: "every check there is: formatting, lints, native, wasm, web, end-to-end, sizes",
        text: "Runs all steps even when one fails, code and product side by side, prints a table of steps with\n\
               what they took by the clock and of the processors, and ends with a line\n\
               `N passed, N failed, N skipped`. A whole run leaves its commit and its table in\n\
               target/whole-run.txt. Installs a browser where none is found.",
        options: &[
            (
                "installed",
                "",
                "install nothing before, and print no table",
            ),
            ("list", "", "print the names of the steps"),
            ("only", "a,b", "run only these steps, one after the other"),
            (
                "quick",
                "",
                "for work in between, under five minutes: lints, unit tests, golden scripts, one flow in a browser",
            ),
            ("report", "FILE", "write what became of each step there too"),
        ],
        run: test::run,
    },
];

/// Runs the verb that the words name, or prints help.
pub fn run(words: &[String]) -> Result<(), String> {
    let name = words.first().map_or("help", String::as_str);
    if matches!(name, "help" | "--help" | "-h") {
        match words.get(1).and_then(|word| find(word)) {
            Some(verb) => print_verb(verb),
            None => print_overview(),
        }
        return Ok(());
    }
    let Some(verb) = find(name) else {
        print_overview();
        return Err(format!("there is no verb `{name}`"));
    };
    let rest = words.get(1..).unwrap_or_default();
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        print_verb(verb);
        return Ok(());
    }
    let arguments = Arguments::parse(rest, verb.options)
        .map_err(|message| format!("{message} (see `cargo xtask {name} --help`)"))?;
    (verb.run)(&Project::find()?, &arguments)
}

fn find(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.name == name)
}

fn print_overview() {
    println!("cargo xtask <verb> [options]\n");
    for verb in VERBS {
        println!("  {:<9}{}", verb.name, verb.summary);
    }
    println!("\n`cargo xtask <verb> --help` explains a verb and its options.");
}

fn print_verb(verb: &Verb) {
    println!(
        "cargo xtask {}: {}\n\n{}",
        verb.name, verb.summary, verb.text
    );
    if verb.options.is_empty() {
        return;
    }
    println!("\nOptions:");
    for (name, value, meaning) in verb.options {
        println!("  {:<18}{meaning}", format!("--{name} {value}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_sorted_and_their_options_too() {
        assert!(VERBS.is_sorted_by_key(|verb| verb.name));
        assert!(
            VERBS
                .iter()
                .all(|verb| verb.options.is_sorted_by_key(|option| option.0))
        );
    }

    #[test]
    fn an_unknown_verb_is_an_error() {
        assert!(run(&["fly".to_owned()]).is_err());
    }
}
