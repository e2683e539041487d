//! `cargo xtask soak`: the bounded random tests, with other seeds and for as long as one likes.
//!
//! The parts take turns: the simulated deployment, kills of real browsers, random models and commands. Invariants:
//! every run has a seed that is printed before it; the first failure ends the soak, with the line that runs it again.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::progress::seconds;
use crate::project::Project;
use crate::{browser, install, loaded};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The program of a part.
enum Work {
    /// A program of Node's, told `--seed` and `--minutes`, which prints its counts.
    Script(&'static str),
    /// Tests of cargo's, which are told their seed and their length by variables.
    Test {
        /// What they are compiled to: an option of `cargo test`.
        program: &'static str,
        /// What the names of the tests have in them: their module, or the one test.
        name: &'static str,
        /// The variable that says how long the test is, and how long it is here.
        length: Option<(&'static str, u32)>,
    },
    /// A test of Vitest's, which is told its seed and how long it is.
    Web {
        file: &'static str,
        length: (&'static str, u32),
    },
}

/// One part of the soak.
struct Part {
    name: &'static str,
    title: &'static str,
    work: Work,
}

const CASES: &str = "QUIRE_CASES";
/// The tests of the whole engine.
const NATIVE: &str = "--test native";
/// The unit tests.
const UNITS: &str = "--lib";

/// Every part, in the order of their turns.
const PARTS: &[Part] = &[
    Part {
        name: "simulation",
        title: "tabs, locks and storage with faults, simulated",
        work: Work::Script("tests/simulation/simulate.mjs"),
    },
    Part {
        name: "kills",
        title: "browsers and tabs killed by their process ids",
        work: Work::Script("tests/e2e/kills.mjs"),
    },
    Part {
        name: "data-file",
        title: "processes killed while they write to a data file",
        work: Work::Script("tests/e2e/data-file-kills.mjs"),
    },
    Part {
        name: "serve",
        title: "servers of a data file killed while four clients write",
        work: Work::Script("tests/e2e/serve-kills.mjs"),
    },
    Part {
        name: "files",
        title: "data files on a disk that is cut off, fails and fills up",
        work: Work::Test {
            program: NATIVE,
            name: "files::",
            length: None,
        },
    },
    Part {
        name: "full",
        title: "data files on a disk without room",
        work: Work::Test {
            program: NATIVE,
            name: "full_disk::",
            length: None,
        },
    },
    Part {
        name: "frames",
        title: "messages of the wire protocol, spoilt",
        work: Work::Web {
            file: "src/wire/wire.test.ts",
            length: ("QUIRE_FRAMES", 1_000_000),
        },
    },
    Part {
        name: "model",
        title: "random operations on pages and trees against an ordered map",
        work: Work::Test {
            program: NATIVE,
            name: "model::",
            length: Some(("QUIRE_OPERATIONS", 300_000)),
        },
    },
    Part {
        name: "crash",
        title: "devices that stop at every write",
        work: Work::Test {
            program: NATIVE,
            name: "crash::",
            length: None,
        },
    },
    Part {
        name: "commands",
        title: "mutated commands",
        work: Work::Test {
            program: NATIVE,
            name: "garbage::",
            length: Some((CASES, 40_000)),
        },
    },
    Part {
        name: "filters",
        title: "random filters against a naive matcher",
        work: Work::Test {
            program: NATIVE,
            name: "differential::",
            length: None,
        },
    },
    Part {
        name: "plans",
        title: "random queries, each plan against the scan",
        work: Work::Test {
            program: NATIVE,
            name: "planned::",
            length: Some((CASES, 200_000)),
        },
    },
    Part {
        name: "streams",
        title: "change streams resumed behind any token, over crashes",
        work: Work::Test {
            program: NATIVE,
            name: "streams::",
            length: Some(("QUIRE_OPERATIONS", 100_000)),
        },
    },
    Part {
        name: "memory",
        title: "engines whose browser gives them no more memory, each at another size",
        work: Work::Web {
            file: "test/brim.test.ts",
            length: ("QUIRE_ENDS", 12),
        },
    },
    Part {
        name: "pipelines",
        title: "random pipelines, optimised and as written",
        work: Work::Test {
            program: UNITS,
            name: "optimize_tests::",
            length: Some((CASES, 50_000)),
        },
    },
    Part {
        name: "moments",
        title: "moments of pages against maps that are copied",
        work: Work::Test {
            program: UNITS,
            name: "moments_tests::",
            length: Some((CASES, 4)),
        },
    },
    Part {
        name: "batches",
        title: "sorted batches into trees against an ordered map",
        work: Work::Test {
            program: UNITS,
            name: "sorted_batches_agree",
            length: Some((CASES, 100)),
        },
    },
    Part {
        name: "patterns",
        title: "random patterns, with what failed remembered and without",
        work: Work::Test {
            program: UNITS,
            name: "remembering_changes_nothing",
            length: None,
        },
    },
    Part {
        name: "collations",
        title: "random queries with collations",
        work: Work::Test {
            program: NATIVE,
            name: "collated::",
            length: Some((CASES, 3000)),
        },
    },
];

/// How long a script's turn is; a test's is as long as it takes.
const TURN: Duration = Duration::from_secs(60);

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    if let Some(runs) = arguments.number::<u32>("e2e")? {
        built(project)?;
        return loaded::run(project, arguments, runs);
    }
    let minutes = arguments.number::<u64>("minutes")?.unwrap_or(10);
    let first = match arguments.number::<u32>("seed")? {
        Some(seed) => seed,
        None => chance(),
    };
    let only = arguments.list("only");
    if let Some(name) = only
        .iter()
        .find(|name| PARTS.iter().all(|part| part.name != **name))
    {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        return Err(format!("there is no part `{name}`: {}", names.join(", ")));
    }
    let parts: Vec<&Part> = PARTS
        .iter()
        .filter(|part| only.is_empty() || only.contains(&part.name))
        .collect();
    prepare(project, &parts)?;
    let begun = Instant::now();
    let end = begun + Duration::from_secs(minutes * 60);
    let mut tried: Vec<(&str, u32)> = parts.iter().map(|part| (part.name, 0)).collect();
    let mut seed = first;
    // Each part has one turn at least, however short the time is.
    while tried.iter().any(|(_, turns)| *turns == 0) || Instant::now() < end {
        for (part, (_, turns)) in parts.iter().zip(&mut tried) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() && *turns > 0 {
                break;
            }
            println!(
                "\n=== {} (seed {seed}, {} so far): {}",
                part.name,
                seconds(begun.elapsed()),
                part.title
            );
            turn(project, part, seed, left.clamp(TURN / 6, TURN))?;
            *turns += 1;
            seed = next(seed);
        }
    }
    let turns: Vec<String> = tried
        .iter()
        .map(|(name, turns)| format!("{name} {turns}"))
        .collect();
    println!(
        "\nNothing found in {}, from seed {first} on; turns: {}.",
        seconds(begun.elapsed()),
        turns.join(", ")
    );
    Ok(())
}

/// Makes sure that the parts' tools and built files are there.
fn prepare(project: &Project, parts: &[&Part]) -> Result<(), String> {
    let scripts = |part: &&&Part| !matches!(part.work, Work::Test { .. });
    if parts.iter().find(scripts).is_none() {
        return Ok(());
    }
    if parts.iter().any(|part| part.name == "kills") {
        browser::install(project)?;
    }
    built(project)
}

/// Makes sure that Node and its packages are there, and what `cargo xtask build` leaves.
fn built(project: &Project) -> Result<(), String> {
    install::need_node(project)?;
    install::npm_packages(project, &project.web)?;
    for needed in [
        project.engine().join("quire_bg.wasm"),
        project.package.join("dist").join("index.js"),
    ] {
        if !needed.is_file() {
            return Err(format!(
                "{} is missing: run `cargo xtask build` first",
                project.relative(&needed)
            ));
        }
    }
    Ok(())
}

/// One turn of a part; its output is seen.
fn turn(project: &Project, part: &Part, seed: u32, time: Duration) -> Result<(), String> {
    let program = match &part.work {
        Work::Script(file) => {
            let script = Program::new(project, "node")
                .argument(file)
                .words("--seed")
                .argument(seed.to_string())
                .words("--minutes")
                .argument(format!("{:.2}", time.as_secs_f64() / 60.0));
            match browser::find(project) {
                Some(browser) => script.variable("CHROMIUM", browser),
                None => script,
            }
        }
        Work::Web {
            file,
            length: (variable, length),
        } => Program::new(project, "node")
            .words("node_modules/vitest/vitest.mjs run")
            .argument(file)
            .within(&project.web)
            .variable("QUIRE_SEED", seed.to_string())
            .variable(variable, length.to_string()),
        Work::Test {
            program,
            name,
            length,
        } => {
            let test = Program::new(project, "cargo")
                .words("test --quiet --profile checked")
                .words(program)
                .argument(name)
                .variable("QUIRE_SEED", seed.to_string());
            match length {
                Some((variable, length)) => test.variable(variable, length.to_string()),
                None => test,
            }
        }
    };
    program.run().map_err(|message| {
        format!(
            "{} found something: {message}\nagain with: cargo xtask soak --only {} --seed {seed} --minutes 1",
            part.name, part.name
        )
    })
}

/// The seed of the next turn: scripts go on from theirs one by one, so that turns are far apart.
fn next(seed: u32) -> u32 {
    seed.wrapping_add(1_000_003) & (u32::MAX >> 1)
}

/// A seed by the clock.
fn chance() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    next(now.map_or(0, |now| now.subsec_nanos() ^ (now.as_secs() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_of_their_own_and_seeds_stay_small() {
        let mut names: Vec<_> = PARTS.iter().map(|part| part.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PARTS.len());
        let mut seed = chance();
        for _ in 0..10_000 {
            assert!(seed <= u32::MAX >> 1);
            seed = next(seed);
        }
    }
}
