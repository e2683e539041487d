//! Runs the golden scripts of `tests/scripts` natively: engine, QuickJS-ng, and the shell's prelude.
//!
//! Each runs twice, all in memory and with every page fetched when it is missed; both must answer the same.
//! The format is described in `tests/scripts/README.md`. Needs `web/dist/prelude.js`, which
//! `cargo xtask build` and `cargo xtask test` make (`npm run build:prelude` in `web/`). With `QUIRE_BLESS`
//! set, the expected lines are rewritten with the answers; a filter may name scripts:
//! `cargo test --test scripts -- cms`.

use quire::bson::Document;
use quire::bson::extended_json::{Format, parse_document, write_document};
use quire::command::Topology;
use quire::engine::{Engine, Outcome};
use quire::env::native::NativeEnv;
use quire::env::{Env, FunctionCall};
use quire::storage::conformance::block_on;
use quire::storage::{
    Delivery, Durability, EVERY_PAGE, Fetched, MemoryDevice, PageDevice, PageNumber,
};
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Runtime};
use std::cell::{OnceCell, RefCell};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// 2026-01-01T00:00:00Z.
const NOW: i64 = 1_767_225_600_000;
const SEED: u64 = 2026;

/// Stops the script's own clock and seeds its randomness, as the engine's are.
const STILL: &str = "{
    const Real = Date;
    globalThis.Date = class Date extends Real {
        constructor(...parts) { if (parts.length === 0) super(now); else super(...parts); }
        static now() { return now; }
    };
    let state = 1;
    Math.random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
}";

/// How often commands stopped at a page that was not in memory.
static FAULTS: AtomicU32 = AtomicU32::new(0);

/// A run of lines and the answer they must get.
struct Step {
    source: String,
    expected: Vec<String>,
    /// The step's first line in the file, from 1.
    line: usize,
}

fn split(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut step = Step {
        source: String::new(),
        expected: Vec::new(),
        line: 1,
    };
    let mut in_answer = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(answer) = line.strip_prefix("//>") {
            in_answer = true;
            step.expected
                .push(answer.strip_prefix(' ').unwrap_or(answer).to_owned());
            continue;
        }
        if in_answer {
            steps.push(step);
            step = Step {
                source: String::new(),
                expected: Vec::new(),
                line: at + 1,
            };
            in_answer = false;
        }
        step.source.push_str(line);
        step.source.push('\n');
    }
    steps.push(step);
    steps.retain(|step| !step.source.trim().is_empty());
    steps
}

/// Runs a command with no page in memory that is not the catalog's: each comes from the device when it is missed, and
/// the command is run again, as in a browser right after opening.
fn run_cold(engine: &mut Engine, device: &MemoryDevice, bytes: &[u8], env: &dyn Env) -> Outcome {
    if let Some(batch) = engine.take_batch().expect("the pages are whole") {
        block_on(device.write(&batch, Durability::Relaxed)).expect("memory takes it");
        engine.confirm(batch.sequence);
    }
    for number in 1..engine.pager().page_count() {
        engine.pager_mut().evict(number);
    }
    while let Err(error) = Engine::prepare(engine.pager_mut(), env) {
        let page = error
            .missing_page
            .unwrap_or_else(|| panic!("the catalog: {error}"));
        deliver(engine, device, &[page]);
    }
    loop {
        let outcome = engine.run(bytes, env);
        FAULTS.fetch_add(u32::from(outcome.missing_page.is_some()), Ordering::Relaxed);
        match outcome.missing_page {
            None => return outcome,
            Some(EVERY_PAGE) => {
                let all: Vec<PageNumber> = (1..engine.pager().page_count()).collect();
                deliver(engine, device, &all);
            }
            Some(page) => deliver(engine, device, &[page]),
        }
    }
}

fn deliver(engine: &mut Engine, device: &MemoryDevice, asked: &[PageNumber]) {
    let pager = engine.pager_mut();
    let known = pager.durable_sequence();
    let mut fetched = Fetched {
        header: block_on(device.read_header()).expect("memory can be read"),
        pages: Vec::new(),
    };
    for number in asked {
        let page = block_on(device.read_pages(*number, 1)).expect("memory can be read");
        fetched.pages.extend(page);
    }
    assert_eq!(pager.deliver(fetched, asked, known), Ok(Delivery::Taken));
}

/// The host of a script: the native one, with functions inside commands in a realm of their own, as in the sandbox.
struct ScriptEnv {
    native: NativeEnv,
    prelude: String,
    /// Made by the first call.
    functions: OnceCell<Context>,
}

impl ScriptEnv {
    fn realm(&self) -> Result<&Context, String> {
        if let Some(made) = self.functions.get() {
            return Ok(made);
        }
        let context = open_realm()?;
        context.with(|scope| {
            let globals = scope.globals();
            let refuse = Function::new(scope.clone(), |_: String| -> String {
                "{\"ok\":0,\"errmsg\":\"a function inside a command cannot run commands\"}"
                    .to_owned()
            });
            let print = Function::new(scope.clone(), |_: String| ());
            let install = || -> rquickjs::Result<()> {
                globals.set("__quireCommand", refuse?)?;
                globals.set("__quirePrint", print?)
            };
            install().map_err(|error| error.to_string())?;
            load_prelude(&scope, &self.prelude)
        })?;
        Ok(self.functions.get_or_init(|| context))
    }
}

impl Env for ScriptEnv {
    quire::env::hand_on!(native: now_millis, monotonic_millis, fill_random, unicode_class, zone_offset_seconds, collator, words);

    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
        let FunctionCall {
            source,
            this,
            arguments,
            ..
        } = *call;
        let given = format!("[{}]", arguments.join(","));
        self.realm()?.with(|scope| {
            let shell: Object = scope
                .globals()
                .get("quireShell")
                .map_err(|error| error.to_string())?;
            let call: Function = shell
                .get("callFunction")
                .map_err(|error| error.to_string())?;
            call.call::<_, String>((source, this.unwrap_or_default(), given))
                .catch(&scope)
                .map_err(|error| match error {
                    CaughtError::Exception(thrown) => format!(
                        "{}: {}",
                        thrown.get::<_, String>("name").unwrap_or_default(),
                        thrown.message().unwrap_or_default()
                    ),
                    other => other.to_string(),
                })
        })
    }
}

fn open_realm() -> Result<Context, String> {
    let runtime = Runtime::new().map_err(|error| error.to_string())?;
    runtime.set_max_stack_size(4 << 20);
    let context = Context::full(&runtime).map_err(|error| error.to_string())?;
    // The functions of a realm refer back to its context, which reference counting never frees: the
    // runtime is left to the end of the process.
    std::mem::forget(runtime);
    Ok(context)
}

fn load_prelude(scope: &Ctx<'_>, prelude: &str) -> Result<(), String> {
    let mut options = rquickjs::context::EvalOptions::default();
    options.strict = false;
    scope
        .eval_with_options::<(), _>(prelude, options)
        .catch(scope)
        .map_err(|error| format!("the prelude: {error}"))
}

/// The last fields of each reply begin so. They change with each write before them: they are left out, but for scripts
/// whose first line ends with the mark.
const TIMES: &str = ",\"$clusterTime\":";
const TIMES_MARK: &str = "(with times)";
/// The mark of a script whose deployment presents itself as a standalone.
const STANDALONE_MARK: &str = "(standalone)";

/// A shell over a fresh engine.
struct Shell {
    context: Context,
    printed: Rc<RefCell<Vec<String>>>,
}

impl Shell {
    fn open(prelude: &str, cold: bool, head: &str) -> Result<Self, String> {
        let has_times = head.ends_with(TIMES_MARK);
        let context = open_realm()?;
        let env = Rc::new(ScriptEnv {
            native: NativeEnv::fixed(NOW, SEED),
            prelude: prelude.to_owned(),
            functions: OnceCell::new(),
        });
        let mut engine = Engine::create(&*env).map_err(|error| error.to_string())?;
        if head.ends_with(STANDALONE_MARK) {
            engine.set_topology(Topology::Standalone);
        }
        let engine = RefCell::new(engine);
        let device = cold.then(MemoryDevice::new);
        let printed = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&printed);
        context.with(|scope| {
            let globals = scope.globals();
            let command = Function::new(scope.clone(), move |text: String| -> String {
                let command = match parse_document(&text) {
                    Ok(command) => command,
                    Err(error) => {
                        return format!("{{\"ok\":0,\"errmsg\":{:?}}}", error.to_string());
                    }
                };
                let mut engine = engine.borrow_mut();
                let outcome = match &device {
                    Some(device) => run_cold(&mut engine, device, command.as_bytes(), &*env),
                    None => engine.run(command.as_bytes(), &*env),
                };
                let mut reply = String::new();
                write_document(
                    &mut reply,
                    Document::from_valid_bytes(&outcome.reply),
                    Format::Canonical,
                );
                if let (false, Some(end)) = (has_times, reply.rfind(TIMES)) {
                    reply.truncate(end);
                    reply.push('}');
                }
                reply
            });
            let print = Function::new(scope.clone(), move |text: String| {
                sink.borrow_mut()
                    .extend(text.split('\n').map(str::to_owned));
            });
            let jobs_context = scope.clone();
            let jobs = Function::new(
                scope.clone(),
                move || while jobs_context.execute_pending_job() {},
            );
            let install = || -> rquickjs::Result<()> {
                globals.set("__quireCommand", command?)?;
                globals.set("__quirePrint", print?)?;
                globals.set("__quireRunJobs", jobs?)
            };
            install().map_err(|error| error.to_string())?;
            scope
                .eval::<(), _>(format!("const now = {NOW};{STILL}"))
                .catch(&scope)
                .map_err(|error| error.to_string())?;
            load_prelude(&scope, prelude)
        })?;
        Ok(Self { context, printed })
    }

    /// Everything a step prints, and its value.
    fn answer(&self, source: &str) -> Result<Vec<String>, String> {
        self.printed.borrow_mut().clear();
        let outcome: String = self.context.with(|scope| {
            scope
                .globals()
                .set("__quireSource", source)
                .map_err(|error| error.to_string())?;
            scope
                .eval::<String, _>(
                    "quireShell.evaluate(__quireSource, JSON.stringify({ asText: true, numbersAsDouble: false }))",
                )
                .catch(&scope)
                .map_err(|error| error.to_string())
        })?;
        let outcome = parse_document(&outcome).map_err(|error| error.to_string())?;
        let mut lines = std::mem::take(&mut *self.printed.borrow_mut());
        if let Some(error) = outcome.get("error").as_document() {
            lines.extend(
                error
                    .get("text")
                    .as_str()
                    .unwrap_or_default()
                    .split('\n')
                    .map(str::to_owned),
            );
            return Ok(lines);
        }
        if let Some(value) = outcome.get("value").as_document()
            && let Some(text) = value.get("text").as_str()
        {
            lines.extend(text.split('\n').map(str::to_owned));
        }
        Ok(lines)
    }
}

/// Whether a line is as expected; `<*>` stands for any text.
fn fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split("<*>");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn run(path: &Path, prelude: &str, bless: bool, cold: bool) -> Result<usize, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let head = text.lines().next().unwrap_or_default();
    let shell = Shell::open(prelude, cold, head)?;
    let mut blessed = String::new();
    let mut failures = Vec::new();
    let steps = split(&text);
    for step in &steps {
        let mut lines = shell.answer(&step.source)?;
        for line in &mut lines {
            line.truncate(line.trim_end().len());
        }
        blessed.push_str(&step.source);
        let same = lines.len() == step.expected.len()
            && lines
                .iter()
                .zip(&step.expected)
                .all(|(line, expected)| fits(expected, line));
        let shown = if same { &step.expected } else { &lines };
        for line in shown {
            blessed.push_str(format!("//> {line}").trim_end());
            blessed.push('\n');
        }
        if !same {
            failures.push(format!(
                "line {}: {}\n  expected:\n    {}\n  answered:\n    {}",
                step.line,
                step.source.trim(),
                step.expected.join("\n    "),
                lines.join("\n    ")
            ));
        }
    }
    if bless && !failures.is_empty() {
        fs::write(path, blessed).map_err(|error| error.to_string())?;
        return Ok(steps.len());
    }
    if failures.is_empty() {
        Ok(steps.len())
    } else {
        Err(failures.join("\n"))
    }
}

fn collect(folder: &Path, scripts: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, scripts)?;
        } else if path.extension().is_some_and(|extension| extension == "js") {
            scripts.push(path);
        }
    }
    Ok(())
}

pub fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let prelude_path = root.join("web/dist/prelude.js");
    let Ok(prelude) = fs::read_to_string(&prelude_path) else {
        eprintln!(
            "web/dist/prelude.js is missing: run `cargo xtask build`, or `npm ci && npm run build:prelude` in web/"
        );
        return ExitCode::FAILURE;
    };
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let bless = std::env::var_os("QUIRE_BLESS").is_some();
    let mut scripts = Vec::new();
    if let Err(error) = collect(&root.join("tests/scripts"), &mut scripts) {
        eprintln!("tests/scripts: {error}");
        return ExitCode::FAILURE;
    }
    scripts.sort();
    scripts.retain(|path| {
        filter
            .as_ref()
            .is_none_or(|filter| path.to_string_lossy().contains(filter.as_str()))
    });
    let (mut passed, mut failed) = (0, 0);
    println!("\nrunning {} tests", scripts.len());
    for path in &scripts {
        let name = path.strip_prefix(root).unwrap_or(path).display();
        let warm = run(path, &prelude, bless, false);
        let cold = || run(path, &prelude, false, true);
        let outcome = warm.and_then(|_| cold().map_err(|reason| format!("page by page: {reason}")));
        match outcome {
            Ok(steps) => {
                passed += 1;
                println!("test {name} ({steps} steps) ... ok");
            }
            Err(reason) => {
                failed += 1;
                println!("test {name} ... FAILED\n{reason}");
            }
        }
    }
    let faults = FAULTS.load(Ordering::Relaxed);
    println!("\n{faults} pages were missed and fetched");
    if filter.is_none() && faults == 0 {
        eprintln!("no command missed a page: running page by page proves nothing");
        return ExitCode::FAILURE;
    }
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {verdict}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
