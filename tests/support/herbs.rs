//! A collection of herbs for tests over IndexedDB, and the commands that fill it.
//!
//! Invariant: commands are canonical Extended JSON, as `QuireEngine::run_json` takes them.

use quire::wasm::QuireEngine;
use std::fmt::Write;

/// Runs a command that must succeed.
pub fn run(engine: &mut QuireEngine, command: &str) -> String {
    let reply = engine.run_json(command);
    assert!(
        reply.contains(r#""ok":{"$numberDouble":"1.0"}"#) && !reply.contains("writeErrors"),
        "{command}: {reply}"
    );
    reply
}

/// An insert of documents `{_id: n, tag, text}` for a range.
pub fn insert(from: u32, to: u32, more: &str) -> String {
    let mut command = String::from(r#"{"insert":"herbs","$db":"garden","documents":["#);
    for n in from..to {
        let comma = if n > from { "," } else { "" };
        write!(
            command,
            r#"{comma}{{"_id":{n},"tag":"t{}","text":"{:a>180}"}}"#,
            n % 50,
            n
        )
        .expect("a string takes text");
    }
    command.push(']');
    command.push_str(more);
    command.push('}');
    command
}
