//! `cargo xtask fuzz`: the fuzz targets of `fuzz/`, each for some minutes.
//!
//! Needs a C++ compiler (libFuzzer is built from source) and nothing of a nightly toolchain. Invariant: an input that
//! breaks a promise is left in `tests/fuzz/<target>/`, where the tests run it from then on.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::project::Project;
use std::fs;
use std::path::Path;

/// Every target, in the order of running; their bodies are in `tests/support/fuzzed.rs`.
const TARGETS: &[&str] = &[
    "bson", "command", "filter", "keycode", "pattern", "pipeline", "update",
];
/// The compiler's flags of cargo-fuzz: counters at edges, and the operands of comparisons.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";
/// The only kind of machine that the flags above were tried on.
const MACHINE: &str = "x86_64-unknown-linux-gnu";
/// Operands that every operator is first given, as Extended JSON.
const OPERANDS: &[&str] = &[
    "1",
    "\"$a\"",
    "[1, 2]",
    "[\"$a\", 1]",
    "{\"a\": 1}",
    "[{\"a\": 1}]",
    "null",
    "{\"input\": \"$a\", \"as\": \"x\", \"in\": \"$$x\"}",
    "{\"date\": {\"$date\": {\"$numberLong\": \"5\"}}, \"unit\": \"day\", \"timezone\": \"UTC\"}",
    "[\"$s\", \"t\", \"u\"]",
];

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    let minutes = arguments.number::<u32>("minutes")?.unwrap_or(10);
    let only = arguments.list("only");
    if let Some(name) = only.iter().find(|name| !TARGETS.contains(name)) {
        return Err(format!(
            "there is no target `{name}`: {}",
            TARGETS.join(", ")
        ));
    }
    let folder = project.target.join("fuzz");
    Program::new(project, "cargo")
        .words("build --release --target")
        .argument(MACHINE)
        .argument("--target-dir")
        .argument(&folder)
        .within(&project.root.join("fuzz"))
        .variable("RUSTFLAGS", FLAGS)
        .run()?;
    let names = Names::read(project)?;
    let dictionary = folder.join("dictionary.txt");
    write(&dictionary, names.dictionary().as_bytes())?;
    let mut found = Vec::new();
    for target in TARGETS {
        if !only.is_empty() && !only.contains(target) {
            continue;
        }
        println!("\n{target}, {minutes} min");
        let (corpus, seeds) = (
            folder.join("corpus").join(target),
            folder.join("seeds").join(target),
        );
        let kept = project.root.join("tests").join("fuzz").join(target);
        for needed in [&corpus, &seeds, &kept] {
            fs::create_dir_all(needed).map_err(|error| error.to_string())?;
        }
        for (number, seed) in names.seeds(target).iter().enumerate() {
            write(&seeds.join(number.to_string()), seed.as_bytes())?;
        }
        // A first list of choices, for the targets that are led by such.
        let choices: Vec<u8> = (0..=255).rev().collect();
        write(&seeds.join("choices"), &choices)?;
        let binary = folder.join(MACHINE).join("release").join(target);
        let ended = Program::new(project, &binary.to_string_lossy())
            .argument(format!("-dict={}", dictionary.display()))
            .argument(format!("-max_total_time={}", minutes * 60))
            .words("-max_len=2000 -timeout=20 -print_final_stats=1 -verbosity=0")
            .argument(format!("-artifact_prefix={}/found-", kept.display()))
            .argument(&corpus)
            .argument(&seeds)
            .argument(&kept)
            .run();
        if ended.is_err() {
            found.push(*target);
        }
    }
    if found.is_empty() {
        println!("\nNothing found.");
        return Ok(());
    }
    Err(format!(
        "inputs were found for {}: they are in tests/fuzz/",
        found.join(", ")
    ))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The names of COMPAT.md: the words of the language that the fuzzer is given.
struct Names {
    tables: Vec<(String, Vec<String>)>,
}

impl Names {
    fn read(project: &Project) -> Result<Self, String> {
        let text = fs::read_to_string(project.root.join("COMPAT.md"))
            .map_err(|error| format!("COMPAT.md: {error}"))?;
        let tables = text.split("\n## ").skip(1).map(|section| {
            let names = section
                .lines()
                .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
            (
                section.lines().next().unwrap_or_default().to_owned(),
                names.map(|(name, _)| name.to_owned()).collect(),
            )
        });
        Ok(Self {
            tables: tables.collect(),
        })
    }

    fn of(&self, table: &str) -> impl Iterator<Item = &str> {
        self.tables
            .iter()
            .filter(move |(name, _)| name == table)
            .flat_map(|(_, names)| names.iter().map(String::as_str))
    }

    fn dictionary(&self) -> String {
        let all = self.tables.iter().flat_map(|(_, names)| names);
        all.filter(|name| !name.contains(['"', '\\']))
            .map(|name| format!("\"{name}\"\n"))
            .collect()
    }

    /// Inputs to begin with: each operator of the target's language with each operand.
    fn seeds(&self, target: &str) -> Vec<String> {
        let forms: &[(&str, &str)] = match target {
            "command" => &[("Commands", "{\"NAME\": @}\n{\"NAME\": \"c\"}")],
            "filter" => &[
                ("Query operators", "{\"a\": {\"NAME\": @}}\n{\"a\": [1]}"),
                ("Query operators", "{\"NAME\": @}\n{\"a\": [1]}"),
                ("Expressions", "{\"$expr\": {\"NAME\": @}}\n{\"a\": [1]}"),
            ],
            "pipeline" => &[
                ("Stages", "{\"NAME\": @}\n{\"$match\": {\"a\": 1}}"),
                (
                    "Expressions",
                    "{\"$project\": {\"x\": {\"NAME\": @}}}\n{\"$sort\": {\"x\": 1}}",
                ),
                (
                    "Accumulators",
                    "{\"$group\": {\"_id\": \"$a\", \"x\": {\"NAME\": @}}}",
                ),
                (
                    "Window operators",
                    "{\"$setWindowFields\": {\"sortBy\": {\"_id\": 1}, \"output\": {\"x\": {\"NAME\": @}}}}",
                ),
            ],
            "update" => &[
                ("Update operators", "{}\n{\"NAME\": {\"a\": @}}"),
                (
                    "Update operators",
                    "{\"a\": 1}\n{\"$push\": {\"e\": {\"NAME\": @, \"$each\": [1]}}}",
                ),
                ("Stages", "{}\n[{\"NAME\": @}]"),
            ],
            _ => &[],
        };
        let mut seeds = Vec::new();
        for (table, form) in forms {
            for name in self.of(table) {
                let form = form.replace("NAME", name);
                seeds.extend(OPERANDS.iter().map(|operand| form.replace('@', operand)));
            }
        }
        seeds
    }
}
