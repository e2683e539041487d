//! A command is known by its row: the web side's facts are those of the table, and no other file names commands.

use super::{assert_none, files, is_test_file, read, root, shown, without_comments, without_tests};
use quire::command::row::{CommandRow, WriteAccess};
use quire::command::table::{COMMANDS, NAMES};
use std::fs;

/// The web side's file.
const FACTS: &str = "web/src/engine/commands.generated.ts";

/// Its lists: the name and what it says, and which commands are in it.
type Fact = (&'static str, &'static str, fn(&CommandRow) -> bool);

/// Whether it reads by a plan itself: a read on a moment tells that of the command inside.
fn is_planned(row: &CommandRow) -> bool {
    row.observe.is_some() && row.explain.is_some()
}

fn only_reads(row: &CommandRow) -> bool {
    matches!(row.access, WriteAccess::Read | WriteAccess::ByPipeline)
}

const LISTS: &[Fact] = &[
    ("COMMANDS", "Every command.", |_| true),
    (
        "WITH_WRITE_CONCERN",
        "Commands that take a write concern.",
        CommandRow::has_write_concern,
    ),
    (
        "OBSERVING",
        "Commands that run the one in their field `command`, and tell about that run.",
        |row| row.access == WriteAccess::ByInner,
    ),
    (
        "PLANNED",
        "Commands that read by a plan, which `quireObserve` tells.",
        is_planned,
    ),
    (
        "PLANNED_READS",
        "Those of them that only read, but for stages that write.",
        |row| is_planned(row) && only_reads(row),
    ),
    (
        "EXPLAINED_CURSORS",
        "Commands that read, open a cursor and can be explained.",
        |row| row.opens_cursor && row.explain.is_some() && only_reads(row),
    ),
    (
        "EXPLAINING",
        "Commands whose value is the command that they explain.",
        |row| row.name == "explain",
    ),
    (
        "CALLING_FUNCTIONS",
        "Commands that call functions which they bring, whatever operators they have.",
        |row| row.calls_functions,
    ),
    (
        "CURSOR_READERS",
        "Commands that read on a cursor, which gives its documents once: they are not run again after they failed.",
        |row| !row.is_retriable,
    ),
    (
        "CURSOR_CLOSERS",
        "Commands that close cursors: the end of another command's time does not end them.",
        |row| row.closes_cursors,
    ),
    (
        "WITH_PASSWORD",
        "Commands whose field `pwd` is a password, which is not shown.",
        |row| row.has_password,
    ),
    (
        "WAITING",
        "Commands whose reply may wait until something was written.",
        |row| row.waits_for_data,
    ),
];

/// The longest line of the web side's formatter.
const COLUMNS: usize = 120;

/// A list as the web side's formatter writes it.
fn list(name: &str, items: &[&str]) -> String {
    let head = format!("export const {name}: readonly string[] = [");
    let quoted: Vec<String> = items.iter().map(|item| format!("\"{item}\"")).collect();
    let line = format!("{head}{}];\n", quoted.join(", "));
    match line.len() <= COLUMNS + 1 {
        true => line,
        false => format!("{head}\n  {},\n];\n", quoted.join(",\n  ")),
    }
}

/// The text of the web side's file.
fn facts() -> String {
    let mut text = String::from(
        "/**\n * Facts about commands, by all their names. Written by `cargo xtask build` from the engine's table\n \
         * (`crate/src/command/table.rs`); by hand: `UPDATE_COMMANDS=1 cargo test --test tidy commands`.\n */\n",
    );
    for (name, says, has) in LISTS {
        let mut names: Vec<&str> = { NAMES.iter() }
            .filter(|(_, row)| has(row))
            .map(|(name, _)| *name)
            .collect();
        names.sort_unstable();
        text += &format!("\n/** {says} */\n{}", list(name, &names));
    }
    text
}

#[test]
fn the_web_side_has_the_facts_of_the_table() {
    let (file, now) = (root().join(FACTS), facts());
    if std::env::var_os("UPDATE_COMMANDS").is_some() {
        fs::write(&file, &now).expect("the file beside the engine's own can be written");
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == now,
        "{FACTS} is not what the table says: `cargo xtask build` writes it anew"
    );
}

/// Names of commands that are plain words too. Such a word is a command's name where it is compared or stands in a
/// list; elsewhere it may be a field's.
const WORDS: &[&str] = &[
    "aggregate",
    "compact",
    "count",
    "create",
    "delete",
    "distinct",
    "drop",
    "explain",
    "find",
    "hello",
    "insert",
    "ping",
    "update",
    "validate",
];

/// Words and files where they are no commands' names: the end of the file's path, the word, and what it is there.
#[rustfmt::skip]
const NOT_COMMANDS: &[(&str, &str, &str)] = &[
    ("aggregate/stages/coll_stats.rs", "count", "an option of the stage"),
    ("aggregate/stages/merge_specification.rs", "insert", "a value of `whenNotMatched`"),
    ("change_stream/event.rs", "collMod", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "create", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "createIndexes", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "delete", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "drop", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "dropDatabase", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "dropIndexes", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "renameCollection", "an operation of the oplog, or an event"),
    ("change_stream/event.rs", "update", "an operation of the oplog, or an event"),
    ("catalog/names.rs", "profile", "the end of a collection's name"),
    ("command/diagnostics/coll_stats.rs", "count", "a field of the reply"),
    ("command/diagnostics/db_stats.rs", "dataSize", "a field of the reply"),
    ("command/diagnostics/hello.rs", "hostInfo", "a field of the command"),
    ("command/diagnostics/profiler.rs", "insert", "an operation of the profile"),
    ("command/diagnostics/profiler.rs", "update", "an operation of the profile"),
    ("command/diagnostics/server_status.rs", "delete", "a counter"),
    ("command/diagnostics/server_status.rs", "insert", "a counter"),
    ("command/diagnostics/server_status.rs", "update", "a counter"),
    ("command/read/aggregate.rs", "explain", "a field of the command"),
    ("command/request/stable_api.rs", "count", "an option of `$collStats`"),
    ("command/request/write_concern.rs", "fsync", "a field of a write concern"),
    ("command/write/bulk_write.rs", "delete", "a kind of operation"),
    ("command/write/bulk_write.rs", "insert", "a kind of operation"),
    ("command/write/bulk_write.rs", "update", "a kind of operation"),
    ("exec/explain.rs", "explain", "a field of `aggregate`"),
    ("expr/string/replacing.rs", "find", "an argument of the expression"),
    ("state/log.rs", "collMod", "an operation of the oplog"),
    ("state/log.rs", "createIndexes", "an operation of the oplog"),
    ("state/log.rs", "dropDatabase", "an operation of the oplog"),
    ("state/log.rs", "dropIndexes", "an operation of the oplog"),
    ("state/log.rs", "renameCollection", "an operation of the oplog"),
];

/// Whether the text around a literal compares it, matches it or has it in a list.
fn is_compared(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    let is_item = before.ends_with(['[', ',']) && after.starts_with([',', ']']);
    let is_pattern = before.ends_with('|') || after.starts_with("=>") || after.starts_with('|');
    let is_equated = before.ends_with("==") || before.ends_with("!=");
    is_item || is_pattern || is_equated || after.starts_with("==") || after.starts_with("!=")
}

/// The commands' names that a file's code has as literals, but for words that are no names there.
fn named_in(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (name, _) in &NAMES {
        let literal = format!("\"{name}\"");
        let names = code.match_indices(&literal).any(|(at, _)| {
            let (before, after) = code.split_at(at);
            !WORDS.contains(name) || is_compared(before, &after[literal.len()..])
        });
        if names {
            found.push(*name);
        }
    }
    found
}

/// The names of the commands that a file's module runs, from the rows of the table's text.
fn own_names(table: &str, module: &str) -> Vec<&'static str> {
    let is_own = |row: &&CommandRow| {
        let head = format!("\"{}\",", row.name);
        let after = table.split_once(&head).map_or("", |(_, after)| after);
        after.trim_start().starts_with(&format!("{module}::"))
    };
    COMMANDS
        .iter()
        .filter(is_own)
        .flat_map(CommandRow::names)
        .collect()
}

#[test]
fn commands_are_named_in_their_own_files_and_in_the_table() {
    let source = read(&root().join("crate/src/command/table.rs"));
    let (mut offenders, mut used) = (Vec::new(), Vec::new());
    for path in files("crate/src", &[".rs"]) {
        let file = shown(&path);
        if is_test_file(&path) || file.ends_with("command/table.rs") {
            continue;
        }
        let text = read(&path);
        let code = without_comments(without_tests(&text));
        let module = path.file_stem().unwrap_or_default().to_string_lossy();
        let own = match file.contains("/command/") {
            true => own_names(&source, &module),
            false => Vec::new(),
        };
        for name in named_in(&code) {
            let allowed =
                |(end, word, _): &&(&str, &str, &str)| file.ends_with(end) && *word == name;
            match NOT_COMMANDS.iter().find(allowed) {
                Some(allowed) => used.push(allowed),
                None if own.contains(&name) => {}
                None => offenders.push(format!("{file} names `{name}`")),
            }
        }
    }
    assert_none(
        "a fact about a command is a field of its row in command/table.rs",
        &offenders,
    );
    let unused = NOT_COMMANDS
        .iter()
        .filter(|allowed| !used.contains(allowed));
    let unused: Vec<String> = unused
        .map(|(file, word, _)| format!("{file}: {word}"))
        .collect();
    assert_none("what is allowed is there", &unused);
}

#[test]
fn names_are_told_from_fields() {
    assert!(named_in("reply.append(\"count\", 1)").is_empty());
    assert_eq!(named_in("match name { \"count\" => 1 }"), ["count"]);
    assert_eq!(named_in("[\n  \"a\",\n  \"find\",\n]"), ["find"]);
    assert_eq!(named_in("if name == \"drop\" {"), ["drop"]);
    assert_eq!(named_in("call(\"collStats\")"), ["collStats"]);
    assert_eq!(own_names("new(\"ping\",\n ping::run,", "ping"), ["ping"]);
}
