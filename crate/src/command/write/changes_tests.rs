//! Tests of the changes that commands hand out: counts by default, and with documents the operations that an oplog
//! would have, in their order.

use crate::bson::{DocumentBuilder, extended_json};
use crate::engine::Engine;
use crate::query::testing::TestEnv;
use crate::state::{Changes, DocumentTotals, Interest, Operation};

struct Session(Engine);

impl Session {
    fn asking(interest: Interest) -> Self {
        let mut engine = Engine::create(&TestEnv).expect("an empty deployment opens");
        engine.base_mut().changes = Changes::with(interest);
        Self(engine)
    }

    fn run(&mut self, command: &str) -> bool {
        let command = extended_json::parse_document(command).expect("the test's JSON is valid");
        let of_admin = ["bulkWrite", "renameCollection"];
        let database = match of_admin.iter().all(|name| command.get(name).is_missing()) {
            true => "d",
            false => "admin",
        };
        let mut builder = DocumentBuilder::new();
        { builder.append_all(command.as_document()) }.append("$db", database);
        let reply = self.0.run(builder.finish().as_bytes(), &TestEnv).reply;
        crate::bson::Document::from_valid_bytes(&reply)
            .get("ok")
            .is_truthy()
    }

    /// The operations of a command.
    fn operations(&mut self, command: &str) -> Vec<String> {
        assert!(self.run(command), "{command}");
        let worded = |operation: &Operation| match operation {
            Operation::Inserted(to, new) => format!("i {to} {}", new.as_document()),
            Operation::Updated {
                namespace,
                before,
                after,
                ..
            } => format!(
                "u {namespace} {} {}",
                before.as_document(),
                after.as_document()
            ),
            Operation::Deleted(from, old) => format!("d {from} {}", old.as_document()),
            other => format!("{other:?}"),
        };
        self.0.changes().operations().iter().map(worded).collect()
    }

    fn told(&mut self, command: &str) -> String {
        self.run(command);
        extended_json::to_string(
            (&self.0.changes().told()).into(),
            extended_json::Format::Relaxed,
        )
    }
}

#[test]
fn a_commands_changes_are_handed_out_until_the_next_one() {
    let mut session = Session::asking(Interest::Counts);
    let insert = r#"{"insert":"c","documents":[{"_id":1},{"_id":1},{"_id":2}],"ordered":false}"#;
    let two = r#"{"written":[{"kind":"inserted","namespace":"d.c","count":2}]}"#;
    assert_eq!(session.told(insert), two);
    let none = r#"{"written":[]}"#;
    assert_eq!(session.told(r#"{"find":"c"}"#), none);
    assert_eq!(session.told(insert), none);
    session.run(r#"{"delete":"c","deletes":[{"q":{"_id":1},"limit":1}]}"#);
    assert_eq!(session.told(r#"{"noCommand":1}"#), none);
    // What a failed command did is undone, and a fork's too.
    let built = r#"{"createIndexes":"c","indexes":[{"key":{"a":1},"name":"a"},{"key":{"b":1},"name":"b","unique":true}]}"#;
    session.run(r#"{"insert":"c","documents":[{"_id":3},{"_id":4}]}"#);
    assert_eq!(session.told(built), none);
    let fork = r#"{"quireFork":1,"commands":[{"delete":"c","deletes":[{"q":{},"limit":0}]}]}"#;
    assert_eq!(session.told(fork), none);
    let observed = r#"{"quireObserve":1,"command":{"delete":"c","deletes":[{"q":{},"limit":0}]}}"#;
    let three = r#"{"written":[{"kind":"deleted","namespace":"d.c","count":3}]}"#;
    assert_eq!(session.told(observed), three);
}

#[test]
fn what_fills_a_replacement_that_fails_is_no_change_of_the_next_command() {
    let mut session = Session::asking(Interest::Documents);
    session.run(r#"{"insert":"c","documents":[{"_id":1,"u":1},{"_id":2,"u":1}]}"#);
    session.run(r#"{"createIndexes":"t","indexes":[{"key":{"u":1},"name":"u","unique":true}]}"#);
    let counted = session.0.account();
    assert!(!session.run(r#"{"aggregate":"c","pipeline":[{"$out":"t"}],"cursor":{}}"#));
    assert_eq!(session.0.changes().documents(), DocumentTotals::default());
    assert!(session.0.changes().operations().is_empty());
    assert!(session.run(r#"{"insert":"d","documents":[{"_id":1}]}"#));
    assert_eq!(session.0.account()[4], counted[4] + 1);
    assert_eq!(session.0.changes().operations().len(), 2);
}

#[test]
fn what_a_script_does_again_and_again_is_told_once() {
    let mut session = Session::asking(Interest::Counts);
    session.0.take_changes(true);
    session.run(r#"{"insert":"c","documents":[{"_id":1},{"_id":2}]}"#);
    for _ in 0..3 {
        session.run(r#"{"aggregate":"c","pipeline":[{"$out":"o"}],"cursor":{}}"#);
        session.run(r#"{"delete":"c","deletes":[{"q":{},"limit":1}]}"#);
        for (from, to) in [("d.o", "d.p"), ("d.p", "d.o")] {
            session.run(&format!(r#"{{"renameCollection":"{from}","to":"{to}"}}"#));
        }
    }
    let all = session.0.take_changes(false);
    let told = extended_json::to_string((&all.told()).into(), extended_json::Format::Relaxed);
    assert_eq!(
        told,
        r#"{"written":[{"kind":"inserted","namespace":"d.c","count":2},{"kind":"deleted","namespace":"d.c","count":2},{"kind":"replaced","namespace":"d.o","count":0},{"kind":"renamed","namespace":"d.o","count":1,"from":"d.p"},{"kind":"renamed","namespace":"d.p","count":1,"from":"d.o"}]}"#
    );
}

#[test]
fn a_run_that_is_to_free_room_keeps_no_moment() {
    let mut session = Session::asking(Interest::Counts);
    session.run(r#"{"insert":"c","documents":[{"_id":1},{"_id":2}]}"#);
    session.0.set_full("no room".to_owned());
    assert!(session.run(r#"{"quireRun":"begin"}"#));
    // Nor does its beginning write: it needs no page that a device has to read.
    assert!(session.0.base_mut().catalog.is_dirty());
    assert!(session.run(r#"{"delete":"c","deletes":[{"q":{},"limit":0}]}"#));
    let numbers = session.0.pager_mut().moment_numbers().expect("readable");
    assert!(numbers.is_empty());
    session.0.set_writable();
    assert!(session.run(r#"{"quireRun":"end"}"#));
}

#[test]
fn with_documents_asked_for_a_commands_operations_are_an_oplogs() {
    let mut session = Session::asking(Interest::Documents);
    session.run(r#"{"insert":"c","documents":[{"_id":1,"n":1},{"_id":2,"n":2},{"_id":3,"n":2}]}"#);
    assert_eq!(
        session.operations(
            r#"{"update":"c","updates":[
                {"q":{"n":2},"u":{"$inc":{"n":1}},"multi":true},
                {"q":{"_id":1},"u":{"$set":{"n":1}}},
                {"q":{"_id":9},"u":{"$set":{"n":9}},"upsert":true}]}"#
        ),
        [
            "u d.c { _id: 2, n: 2 } { _id: 2, n: 3 }",
            "u d.c { _id: 3, n: 2 } { _id: 3, n: 3 }",
            "i d.c { _id: 9, n: 9 }",
        ]
    );
    assert_eq!(
        session.operations(r#"{"findAndModify":"c","query":{"_id":9},"remove":true}"#),
        ["d d.c { _id: 9, n: 9 }"]
    );
    assert_eq!(
        session.operations(
            r#"{"bulkWrite":1,"nsInfo":[{"ns":"d.c"},{"ns":"d.e"}],"ops":[
                {"insert":1,"document":{"_id":1}},
                {"delete":0,"filter":{"n":3},"multi":true},
                {"update":1,"filter":{"_id":1},"updateMods":{"$set":{"m":1}}}]}"#
        ),
        [
            r#"Created("d.e")"#,
            "i d.e { _id: 1 }",
            "d d.c { _id: 2, n: 3 }",
            "d d.c { _id: 3, n: 3 }",
            "u d.e { _id: 1 } { _id: 1, m: 1 }",
        ]
    );
    assert_eq!(
        session.operations(r#"{"aggregate":"c","pipeline":[{"$merge":"e"}],"cursor":{}}"#),
        ["u d.e { _id: 1, m: 1 } { _id: 1, m: 1, n: 1 }"]
    );
    let out = session.operations(r#"{"aggregate":"c","pipeline":[{"$out":"e"}],"cursor":{}}"#);
    assert_eq!(out.len(), 3, "{out:?}");
    assert!(out[0].starts_with(r#"Created("d.tmp.agg_out."#), "{out:?}");
    assert!(out[1].starts_with("i d.tmp.agg_out.") && out[1].ends_with("{ _id: 1, n: 1 }"));
    assert!(
        out[2].ends_with(r#"to: "d.e", drops_target: true }"#),
        "{out:?}"
    );
    assert_eq!(
        session.operations(r#"{"dropDatabase":1}"#),
        [
            r#"Dropped("d.c")"#,
            r#"Dropped("d.e")"#,
            r#"DroppedDatabase("d")"#
        ]
    );
}
