//! Installing missing tools: the wasm target, the maker of the engine's glue, the npm packages; and for tests the
//! runner of tests in WebAssembly.
//!
//! Invariant: a tool of the right version on the PATH is used as it is; everything else goes below the
//! project's target folder, and nothing of the system is changed.

use crate::fingerprint::{Fingerprint, Stamp};
use crate::process::Program;
use crate::project::Project;
use std::fs;
use std::path::{Path, PathBuf};

/// The target of the engine's compilation.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// A file that a release build for it leaves, below cargo's target folder.
pub fn released(file: &str) -> String {
    format!("{TARGET}/release/{file}")
}

/// The folder of the toolchain's libraries and tools, one folder a target.
pub fn rust_libraries(project: &Project) -> Result<PathBuf, String> {
    let root = Program::new(project, "rustc")
        .words("--print sysroot")
        .read()?;
    Ok(Path::new(root.trim()).join("lib/rustlib"))
}

/// Adds the wasm target to the toolchain of rust-toolchain.toml.
pub fn wasm_target(project: &Project) -> Result<String, String> {
    // Without rustup (a distribution's Rust) only the compiler itself can say whether the target is there.
    if project.find_program("rustup").is_none() {
        return if rust_libraries(project)?.join(TARGET).is_dir() {
            Ok("found".to_owned())
        } else {
            Err(format!(
                "Rust's {TARGET} target is missing and there is no rustup to add it"
            ))
        };
    }
    let installed = Program::new(project, "rustup")
        .words("target list --installed")
        .read()?;
    if installed.lines().any(|line| line.trim() == TARGET) {
        return Ok("found".to_owned());
    }
    Program::new(project, "rustup")
        .words("target add")
        .argument(TARGET)
        .run()?;
    Ok("added".to_owned())
}

/// Adds the source of the standard library to the toolchain of rust-toolchain.toml.
pub fn library_source(project: &Project) -> Result<(), String> {
    if rust_libraries(project)?.join("src/rust/library").is_dir() {
        return Ok(());
    }
    Program::new(project, "rustup")
        .words("component add rust-src")
        .run()
        .map_err(|error| format!("the source of Rust's standard library: {error}"))
}

/// Adds LLVM's tools to the toolchain of rust-toolchain.toml: rustup does nothing where they are.
pub fn llvm_tools(project: &Project) -> Result<String, String> {
    Program::new(project, "rustup")
        .words("component add llvm-tools")
        .run()?;
    Ok("there".to_owned())
}

/// Has both programs of `crate/glue` compiled.
const TESTS: &str = "--features tests";

/// Where the maker of the engine's glue lies once it is compiled, without the ending of programs.
pub fn glue_program(project: &Project) -> PathBuf {
    project.tools.join("glue/debug/quire-glue")
}

/// Compiles `crate/glue`, which makes the engine's JavaScript.
///
/// # Errors
/// When its lock file and the engine's name other versions of wasm-bindgen: the glue would not fit.
pub fn glue_maker(project: &Project) -> Result<String, String> {
    let folder = project.root.join("crate/glue");
    let (own, engine) = (
        read(&folder.join("Cargo.lock"))?,
        read(&project.root.join("Cargo.lock"))?,
    );
    let made = locked_version(&own, "wasm-bindgen-cli-support");
    if made.is_none() || made != locked_version(&engine, "wasm-bindgen") {
        return Err(
            "crate/glue/Cargo.toml must name the version that wasm-bindgen has in Cargo.lock"
                .to_owned(),
        );
    }
    // Where the tests' runner is there already, the maker is compiled with the runner's features: without them cargo
    // would compile the crates that both share a second time.
    let has_tests = wasm_tests_program(project).is_file();
    compile_glue(project, if has_tests { TESTS } else { "" })
}

fn compile_glue(project: &Project, features: &str) -> Result<String, String> {
    Program::new(project, "cargo")
        .words("build --quiet --locked")
        .words(features)
        .words("--manifest-path")
        .argument(project.root.join("crate/glue/Cargo.toml"))
        .argument("--target-dir")
        .argument(project.tools.join("glue"))
        .run()?;
    Ok("compiled".to_owned())
}

/// Where the runner of tests in WebAssembly lies once it is compiled.
pub fn wasm_tests_program(project: &Project) -> PathBuf {
    project.tools.join("glue/debug/quire-wasm-tests")
}

/// Compiles the runner of tests in WebAssembly, which belongs to the maker of the glue.
pub fn wasm_tests(project: &Project) -> Result<String, String> {
    compile_glue(project, TESTS)
}

/// Installs the npm packages of a folder, as its lock file pins them.
pub fn npm_packages(project: &Project, folder: &Path) -> Result<String, String> {
    let lock = folder.join("package-lock.json");
    let mut inputs = Fingerprint::new();
    inputs.bytes(&fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?);
    let name = project
        .relative(folder)
        .to_string()
        .replace(['/', '\\'], "-");
    let stamp = Stamp::new(project, &format!("npm-{name}"), &inputs);
    if folder.join("node_modules").is_dir() && stamp.is_fresh() {
        return Ok("found".to_owned());
    }
    need_node(project)?;
    Program::npm(project)
        .words("ci --no-audit --no-fund --loglevel=error")
        .within(folder)
        .run()?;
    stamp.record()?;
    Ok("installed".to_owned())
}

/// Installs the tools that the packed package is tried with, below the target folder, and gives where they lie. Their
/// lock file is kept with the projects that they build.
pub fn toolchains(project: &Project) -> Result<PathBuf, String> {
    packages_of(project, "tests/toolchains", "toolchains")
}

/// Installs MongoDB's shell likewise, apart from the other tools: it is as large as all of them. Its packages' own
/// programs are not run, which fetch or compile what only encryption and Kerberos need.
pub fn mongosh(project: &Project) -> Result<PathBuf, String> {
    packages_of(project, "tests/toolchains/mongosh", "mongosh")
}

/// Installs the npm packages whose list a folder of the project keeps, into a folder below the target folder.
fn packages_of(project: &Project, kept: &str, name: &str) -> Result<PathBuf, String> {
    let folder = project.target.join(name);
    let say = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(say)?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let kept = project.root.join(kept).join(name);
        if kept.is_file() {
            fs::copy(kept, folder.join(name)).map_err(say)?;
        }
    }
    npm_packages(project, &folder)?;
    Ok(folder)
}

/// Refuses a Node that is missing or too old, and says where to get one.
pub fn need_node(project: &Project) -> Result<(), String> {
    let said = Program::new(project, "node").words("--version").read();
    let version =
        said.map_err(|_| "Node.js 20.19 or later is needed: https://nodejs.org/".to_owned())?;
    let major = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|n| n.parse().ok());
    if major.is_some_and(|number: u32| number >= 20) {
        return Ok(());
    }
    Err(format!(
        "Node.js 20.19 or later is needed; found {}",
        version.trim()
    ))
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The version of a package in a Cargo.lock.
fn locked_version<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    lines
        .next()?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_exactly_that_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
