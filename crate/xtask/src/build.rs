//! `cargo xtask build`: release wasm, wasm-opt, the shell prelude, the web app, the npm packages.
//!
//! Invariant: a part is skipped only when the contents of all its inputs are those of its last
//! successful build and its outputs are there.
//!
//! # The build, in order
//!
//! `cargo xtask build` (crate/xtask, standard library only) runs, in this order:
//! 1. The engine's compiler, the compilation of `crate/glue` and `npm ci` side by side; then `crate/glue`, which is
//!    built of the wasm-bindgen CLI's libraries without its test runner, writes `quire.js`, `quire_bg.wasm` and
//!    `quire.d.ts` into `web/wasm/` (ignored by git), and wasm-opt (npm `binaryen`) goes over the engine.
//!    Everything in `web/` imports the engine from there.
//!    Beside it the languages of text indexes (`crate/stemmers`) become `languages.wasm`, which needs no glue.
//! 2. Where the engine's table of commands changed, a test of `tests/tidy/commands.rs` writes
//!    `web/src/engine/commands.generated.ts`, which is checked in.
//! 3. In `web/`: `npm run build:prelude`, `npm run build:page` (into `web/dist/site/`), `npm run build:pkg` (into
//!    `pkg/`). Both leave out the unused parts of js-bson (`scripts/pure-bson.mjs`). Both write
//!    `THIRD-PARTY-NOTICES.txt` (`scripts/notices.mjs`) from Cargo's list of the engine's crates and the bundlers'
//!    lists of modules and fonts, and stop at a piece without a licence text (`web/licences/` has those that pieces do
//!    not bring along).
//! 4. `pkg/npm/` (the hand-kept `package.json` and `README.md` of each npm package) and the licences are copied to
//!    `pkg/`.
//!
//! # The npm packages
//!
//! `quiredb` (`pkg/dist/`) has one file an entry point, the same for pages that import by address, for bundlers and for
//! Node, and the same once more as `.cjs` for `require` in Node. Each asks for the worker (`worker.js`), its part for
//! scripts (`runner.js`) and the three WebAssembly files by a literal `new URL("…", import.meta.url)`, which bundlers
//! follow (`src/pkg/defaults.ts`); in Node the WebAssembly is read as a file. The entry's file fetches the code that
//! few programs need, and that code imports from the entry what both share. `quiredb-inline` (`pkg/inline/`) is the
//! engine, the sandbox and the whole worker as text, which `quiredb/inline` imports: twice the engine would be more
//! than the package may weigh. `quiredb-playground` (`pkg/playground/`) is the page without WebAssembly. It is a
//! package of its own, and not a download of `quiredb copy-site`, because a documentation is built where there may be
//! no network, and by the version in its lock file; few who import the client want it. `pkg/site/` is what `quiredb
//! copy-site` makes of both: tests and benches serve it. `pkg/maps/` has the source maps, which a release has as an
//! archive. `tests/toolchains` tries the packed files in each tool, and `cargo xtask` holds what `quiredb` weighs
//! wherever it packs it (`size.rs`).
//!
//! The hand-kept files lie in `pkg/npm/` because a plain `wasm-pack build` deletes `pkg/package.json`, overwrites
//! `pkg/README.md` and writes a `pkg/.gitignore` that hides everything; the next `cargo xtask build` puts ours
//! back. A part whose inputs did not change (by content) is not built again; the stamps are in `target/stamps/`.

use crate::arguments::Arguments;
use crate::copies;
use crate::fingerprint::{Fingerprint, Stamp};
use crate::glue;
use crate::hot;
use crate::install;
use crate::order;
use crate::process::Program;
use crate::progress::{Progress, seconds, side_by_side};
use crate::project::Project;
use crate::standard;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of steps that `all` announces.
pub const STEPS: usize = 6;

/// The WebAssembly features that the engine may use. Named one by one: with all features on, wasm-opt emits imports
/// that browsers reject. All of these are in every browser since 2022.
const WASM_FEATURES: &str = "--enable-bulk-memory --enable-bulk-memory-opt --enable-sign-ext \
     --enable-mutable-globals --enable-nontrapping-float-to-int --enable-reference-types --enable-multivalue";

/// The passes by which wasm-opt makes the engine fast. Left to itself it inlines every function that has one caller,
/// also those that are kept apart because they are needed seldom: a browser compiles a function whole when it is first
/// called, and the first command would wait for all of it. The compiler has inlined the hot ones by then.
///
/// Functions that stay apart, and lie beside those of their module, resemble each other more, so brotli packs them
/// better: 702 600 bytes with a size of 300 in the order of use, 697 900 in the order of names, and then 690 600 with
/// 100, 685 200 with 60, 680 900 with 30 and as much with 5. Eighteen everyday commands take 0.98 of the time.
///
/// The first kilobyte of memory is the end of the stack: no address there is the sum of a pointer and an offset that
/// runs over, so that offsets go into loads and stores, which saves 2 300 bytes. `-O3` makes nothing measured faster
/// than `-O2`, and takes 1 200 bytes more.
const WASM_PASSES: &str = "-O2 --one-caller-inline-max-function-size=30 --low-memory-unused";
/// The passes that put the functions in their order (`order.rs`).
const ORDER: &str = "--reorder-functions-by-name --strip-debug --strip-producers";

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    let mut progress = Progress::new(STEPS);
    all(project, &mut progress, arguments.flag("force"))?;
    println!(
        "\nBuilt in {}: the npm package in {}, the web app in {}.",
        seconds(progress.elapsed()),
        project.relative(&project.package),
        project.relative(&project.site())
    );
    Ok(())
}

/// Builds every part whose inputs changed, and installs the tools for it before.
pub fn all(project: &Project, progress: &mut Progress, force: bool) -> Result<(), String> {
    progress.step(
        "Rust's wasm32-unknown-unknown target, and the source of the library compiled with the engine",
        || {
            install::library_source(project)?;
            install::wasm_target(project)
        },
    )?;
    progress.step(
        "the engine: release wasm, optimised; beside it the npm packages of the web app (npm ci in web/)",
        || engine(project, force),
    )?;
    progress.step("the facts about commands that the web app needs", || {
        facts(project)
    })?;
    progress.step("the shell's prelude, which runs inside the sandbox", || {
        let inputs = &["src", "scripts", "package-lock.json"];
        let outputs = ["prelude-text.js", "prelude.image", "sandbox.wasm"]
            .map(|name| project.engine().join(name));
        script(project, "build:prelude", "prelude", inputs, &outputs, force)
    })?;
    let inputs = &[
        "src",
        "public",
        "scripts",
        "courses",
        "labs",
        "index.html",
        "course.html",
        "lab.html",
        "reference.html",
        "vite.config.ts",
        "package.json",
        "package-lock.json",
        "wasm",
        "licences",
        "../COMPAT.md",
        "../Cargo.lock",
        "../tests/scripts/examples",
    ];
    progress.step("the web app (web/dist/site)", || {
        script(
            project,
            "build:page",
            "site",
            inputs,
            &[project.site().join("index.html")],
            force,
        )
    })?;
    // The page is a package too, for sites that embed it.
    progress.step("the npm packages (pkg/)", || {
        let said = script(
            project,
            "build:pkg",
            "package",
            &[inputs.as_slice(), &["dist/site", "../pkg/npm"]].concat(),
            &["dist", "inline", "playground", "site"].map(|name| project.package.join(name)),
            force,
        )?;
        hand_kept_package_files(project)?;
        Ok(said)
    })
}

/// Writes the web app's file of facts about commands anew where the engine's table of them changed since the last
/// build.
///
/// The file is checked in, and a test holds it to the table: the first build here needs no compiler for it.
fn facts(project: &Project) -> Result<String, String> {
    let file = project.web.join("src/engine/commands.generated.ts");
    let mut inputs = Fingerprint::new();
    for input in [
        "crate/src/command/row.rs",
        "crate/src/command/table.rs",
        "tests/tidy/commands.rs",
    ] {
        inputs.path(&project.root.join(input));
    }
    let stamp = Stamp::new(project, "commands", &inputs);
    let said = match file.is_file() && (stamp.is_fresh() || stamp.is_first()) {
        true => "unchanged",
        false => {
            Program::new(project, "cargo")
                .words("test --quiet --test tidy commands::the_web_side")
                .variable("UPDATE_COMMANDS", "1")
                .run()?;
            "written"
        }
    };
    stamp.record()?;
    Ok(said.to_owned())
}

/// The engine as it is downloaded, but with the names of its functions.
pub fn named_engine(project: &Project) -> PathBuf {
    project.target.join("quire_bg.named.wasm")
}

/// Compiles the engine for the browser, makes its glue, and has wasm-opt shrink it.
///
/// Three things wait for nothing but a processor and are done side by side: the engine's own compilation, whose last
/// third uses one core alone, the compilation of `crate/glue`, and the npm packages, among them wasm-opt.
fn engine(project: &Project, force: bool) -> Result<String, String> {
    let mut inputs = Fingerprint::new();
    for input in [
        "crate/src",
        "crate/stemmers",
        "crate/page",
        "crate/glue",
        "crate/hot-functions.txt",
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
        ".cargo",
    ] {
        inputs.path(&project.root.join(input));
    }
    inputs.bytes(WASM_FEATURES.as_bytes());
    inputs.bytes(WASM_PASSES.as_bytes());
    inputs.bytes(ORDER.as_bytes());
    inputs.bytes(include_bytes!("order.rs"));
    inputs.bytes(include_bytes!("copies.rs"));
    inputs.bytes(hot::FLAGS.as_bytes());
    inputs.bytes(standard::FLAGS.as_bytes());
    inputs.bytes(glue::END.as_bytes());
    let stamp = Stamp::new(project, "engine", &inputs);
    let folder = project.engine();
    let wasm = folder.join("quire_bg.wasm");
    let named = named_engine(project);
    let glue = folder.join(glue::FILE);
    let languages = folder.join("languages.wasm");
    let outputs = [&wasm, &named, &glue, &languages, &hot::compiled(project)];
    if !force && outputs.iter().all(|output| output.is_file()) && stamp.is_fresh() {
        let packages = install::npm_packages(project, &project.web)?;
        return Ok(format!("unchanged; npm packages {packages}"));
    }
    let said = side_by_side(&[
        ("the engine's compiler", &|| compile(project)),
        ("the maker of its glue", &|| install::glue_maker(project)),
        ("the npm packages", &|| {
            install::npm_packages(project, &project.web)
        }),
    ])?;
    hot::keep_compiled(project)?;
    let stepping = project.target.join("quire.stepping.wasm");
    copies::write(&hot::compiled(project), &hot::names(project)?, &stepping)?;
    Program::new(project, &install::glue_program(project).to_string_lossy())
        .argument(&stepping)
        .argument(&folder)
        .run()?;
    let before = length(&wasm)?;
    let optimised = folder.join("quire_bg.optimised.wasm");
    let wasm_opt = |from: &Path, passes: &str, to: &Path| {
        Program::new(project, "node")
            .argument(project.web.join("node_modules/binaryen/bin/wasm-opt"))
            .argument(from)
            .words(passes)
            .words(WASM_FEATURES)
            .argument("-o")
            .argument(to)
            .run()
    };
    // With names first, for the table of each module's bytes; the module that is downloaded has none.
    wasm_opt(&wasm, &format!("{WASM_PASSES} --debuginfo"), &named)?;
    order::write(&named, &wasm)?;
    wasm_opt(&wasm, ORDER, &optimised)?;
    let compiled = project
        .target
        .join(install::released("quire_stemmers.wasm"));
    let passes = "-Oz --strip-debug --strip-producers --strip-target-features";
    wasm_opt(&compiled, passes, &languages)?;
    glue::write(&folder)?;
    fs::rename(&optimised, &wasm).map_err(|error| format!("{}: {error}", wasm.display()))?;
    let after = length(&wasm)?;
    stamp.record()?;
    Ok(format!(
        "built: {} KB, from {} KB before wasm-opt; {} % of the hot functions are in it; {said}",
        after / 1024,
        before / 1024,
        hot::share(project)?
    ))
}

/// Runs the compiler over the engine.
fn compile(project: &Project) -> Result<String, String> {
    // The same flags for both: so the standard library is compiled once.
    for package in ["quire-page", "quire-stemmers"] {
        standard::cargo(project)
            .words(&format!("--quiet --lib --package {package}"))
            .variable("CARGO_TARGET_DIR", &project.target)
            .variable("CARGO_ENCODED_RUSTFLAGS", hot::flags(project)?)
            .run()?;
    }
    Ok("compiled".to_owned())
}

/// Runs one npm script of web/ unless its inputs (below web/) are those of its last run.
fn script(
    project: &Project,
    name: &str,
    stamp: &str,
    inputs: &[&str],
    outputs: &[std::path::PathBuf],
    force: bool,
) -> Result<String, String> {
    let mut fingerprint = Fingerprint::new();
    for input in inputs {
        fingerprint.path(&project.web.join(input));
    }
    for configuration in ["package.json", "tsconfig.json", "vite.config.ts"] {
        fingerprint.path(&project.web.join(configuration));
    }
    let stamp = Stamp::new(project, stamp, &fingerprint);
    if !force && outputs.iter().all(|output| output.exists()) && stamp.is_fresh() {
        return Ok("unchanged".to_owned());
    }
    Program::npm(project)
        .words("run --silent")
        .argument(name)
        .within(&project.web)
        .run()?;
    // A script may write among its own inputs (generated sources): the stamp is of the contents before it ran.
    stamp.record()?;
    Ok("built".to_owned())
}

/// Puts the hand-kept manifest and README of pkg/npm/ beside the package's build output.
///
/// They are kept one folder lower because a plain `wasm-pack build` deletes pkg/package.json,
/// overwrites pkg/README.md and leaves a pkg/.gitignore that hides everything. Those of the other packages are put in
/// their place by the package's build.
fn hand_kept_package_files(project: &Project) -> Result<(), String> {
    let say = |file: &Path, error: std::io::Error| format!("{}: {error}", file.display());
    let ignore = project.package.join(".gitignore");
    if fs::read_to_string(&ignore).is_ok_and(|text| text == "*") {
        fs::remove_file(&ignore).map_err(|error| say(&ignore, error))?;
    }
    let kept = project.package.join("npm");
    for entry in fs::read_dir(&kept)
        .map_err(|error| say(&kept, error))?
        .flatten()
    {
        let file = entry.path();
        if file.is_file() {
            fs::copy(&file, project.package.join(entry.file_name()))
                .map_err(|error| say(&file, error))?;
        }
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let file = project.root.join(licence);
        fs::copy(&file, project.package.join(licence)).map_err(|error| say(&file, error))?;
    }
    Ok(())
}

fn length(file: &Path) -> Result<u64, String> {
    fs::metadata(file)
        .map(|data| data.len())
        .map_err(|error| format!("{}: {error}", file.display()))
}
