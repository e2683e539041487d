//! Tests of insert, update, delete and findAndModify: requests in Extended JSON, replies as text.

use crate::bson::{DocumentBuf, DocumentBuilder, extended_json};
use crate::command::topology::Topology;
use crate::engine::Engine;
use crate::query::testing::TestEnv;

struct Session(Engine);

impl Session {
    fn new() -> Self {
        let mut engine = Engine::create(&TestEnv).expect("an empty deployment opens");
        // Its replies have no times.
        engine.set_topology(Topology::Standalone);
        Self(engine)
    }

    /// One with `{_id: 1, n: 1}` to `{_id: 3, n: 3}` in `c`.
    fn with_three() -> Self {
        let mut session = Self::new();
        session
            .run(r#"{"insert":"c","documents":[{"_id":1,"n":1},{"_id":2,"n":2},{"_id":3,"n":3}]}"#);
        session
    }

    fn reply(&mut self, command: &str) -> DocumentBuf {
        let command = extended_json::parse_document(command).expect("the test's JSON is valid");
        let mut builder = DocumentBuilder::new();
        builder.append_all(command.as_document()).append("$db", "d");
        DocumentBuf::from_valid_bytes(self.0.run(builder.finish().as_bytes(), &TestEnv).reply)
    }

    /// The reply in relaxed Extended JSON, without `ok: 1`.
    fn run(&mut self, command: &str) -> String {
        let reply = self.reply(command);
        let text = extended_json::to_string((&reply).into(), extended_json::Format::Relaxed);
        text.replace(",\"ok\":1.0}", "}")
    }

    fn fails(&mut self, command: &str) -> String {
        let reply = self.reply(command);
        let message = reply.get("errmsg").as_str().unwrap_or("it did not fail");
        format!(
            "{}: {message}",
            reply.get("code").as_exact_i64().unwrap_or(0)
        )
    }

    fn all(&mut self) -> String {
        let reply = self.reply(r#"{"find":"c"}"#);
        let cursor = reply
            .get("cursor")
            .as_document()
            .expect("find gives a cursor");
        extended_json::to_string(cursor.get("firstBatch"), extended_json::Format::Relaxed)
    }
}

#[test]
fn inserts_put_the_id_in_front_and_report_each_failure() {
    let mut session = Session::new();
    assert_eq!(
        session.run(r#"{"insert":"c","documents":[{"n":1,"_id":1}]}"#),
        r#"{"n":1}"#
    );
    assert_eq!(session.all(), r#"[{"_id":1,"n":1}]"#);
    assert_eq!(
        session.run(r#"{"insert":"c","documents":[{"_id":2},{"_id":1},{"_id":3}]}"#),
        "{\"n\":1,\"writeErrors\":[{\"index\":1,\"code\":11000,\"keyPattern\":{\"_id\":1},\"keyValue\":{\"_id\":1},\
         \"errmsg\":\"E11000 duplicate key error collection: d.c index: _id_ dup key: { _id: 1 }\"}]}"
    );
    let reply = session
        .run(r#"{"insert":"c","ordered":false,"documents":[{"_id":1},{"_id":[1]},{"_id":4}]}"#);
    assert!(
        reply.starts_with(r#"{"n":1,"writeErrors":[{"index":0,"code":11000"#),
        "{reply}"
    );
    assert!(
        reply.contains(
            r#"{"index":1,"code":53,"errmsg":"The '_id' value cannot be of type array"}"#
        )
    );
    assert_eq!(session.all(), r#"[{"_id":1,"n":1},{"_id":2},{"_id":4}]"#);
    session.run(r#"{"insert":"o","documents":[{},{}]}"#);
    let ids = session.run(r#"{"find":"o"}"#);
    assert!(ids.matches("$oid").count() == 2, "{ids}");
}

#[test]
fn inserts_refuse_what_the_server_refuses() {
    let mut session = Session::new();
    assert_eq!(
        session.fails(r#"{"insert":"c","documents":[]}"#),
        "16: Write batch sizes must be between 1 and 100000. Got 0 operations."
    );
    assert_eq!(
        session.fails(r#"{"insert":"c"}"#),
        "40414: BSON field 'insert.documents' is missing but a required field"
    );
    assert_eq!(
        session.fails(r#"{"insert":"c","documents":[5]}"#),
        "14: BSON field 'insert.documents.0' is the wrong type 'int', expected type 'object'"
    );
    assert_eq!(
        session.fails(r#"{"insert":"c","documents":[{}],"x":1}"#),
        "40415: BSON field 'insert.x' is an unknown field."
    );
    assert_eq!(
        session.fails(r#"{"insert":"system.indexes","documents":[{}]}"#),
        "73: cannot write to 'd.system.indexes'"
    );
}

#[test]
fn updates_one_many_and_upserts() {
    let mut session = Session::with_three();
    assert_eq!(
        session.run(r#"{"update":"c","updates":[{"q":{"_id":2},"u":{"$inc":{"n":10}}}]}"#),
        r#"{"n":1,"nModified":1}"#
    );
    assert_eq!(
        session.run(
            r#"{"update":"c","updates":[{"q":{"n":{"$lt":5}},"u":{"$set":{"n":3}},"multi":true}]}"#
        ),
        r#"{"n":2,"nModified":1}"#
    );
    assert_eq!(
        session.all(),
        r#"[{"_id":1,"n":3},{"_id":2,"n":12},{"_id":3,"n":3}]"#
    );
    assert_eq!(
        session.run(r#"{"update":"c","updates":[{"q":{"_id":9},"u":{"$set":{"x":1}},"upsert":true},{"q":{"_id":9},"u":{"y":1},"upsert":true}]}"#),
        r#"{"n":2,"upserted":[{"index":0,"_id":9}],"nModified":1}"#
    );
    assert_eq!(
        session.run(
            r#"{"update":"c","updates":[{"q":{},"sort":{"_id":-1},"u":{"$set":{"last":true}}}]}"#
        ),
        r#"{"n":1,"nModified":1}"#
    );
    assert_eq!(
        session.all(),
        r#"[{"_id":1,"n":3},{"_id":2,"n":12},{"_id":3,"n":3},{"_id":9,"y":1,"last":true}]"#
    );
    assert_eq!(
        session.run(r#"{"update":"none","updates":[{"q":{},"u":{"$set":{"a":1}}}]}"#),
        r#"{"n":0,"nModified":0}"#
    );
}

#[test]
fn updates_report_errors_by_statement() {
    let mut session = Session::with_three();
    assert_eq!(
        session.run(r#"{"update":"c","updates":[{"q":{"_id":1},"u":{"$inc":{"n.x":1}}},{"q":{"_id":2},"u":{"$inc":{"n":1}}}]}"#),
        "{\"n\":0,\"nModified\":0,\"writeErrors\":[{\"index\":0,\"code\":28,\"errmsg\":\"Plan executor error during update :: \
         caused by :: Cannot create field 'x' in element {n: 1}\"}]}"
    );
    let reply = session.run(r#"{"update":"c","ordered":false,"updates":[{"q":{},"u":{"$bad":{"a":1}}},{"q":{"_id":2},"u":{"$inc":{"n":1}}}]}"#);
    assert!(reply.starts_with(r#"{"n":1,"nModified":1,"writeErrors":[{"index":0,"code":9,"errmsg":"Unknown modifier: $bad."#), "{reply}");
    let reply = session.run(r#"{"update":"c","updates":[{"q":{},"u":{"a":1},"multi":true}]}"#);
    assert!(
        reply.contains("multi update is not supported for replacement-style update"),
        "{reply}"
    );
    assert_eq!(
        session.fails(r#"{"update":"c","updates":[{"q":{},"u":5}]}"#),
        "9: Update argument must be either an object or an array"
    );
    assert_eq!(
        session.fails(r#"{"update":"c","updates":[{"q":{},"u":{},"z":1}]}"#),
        "40415: BSON field 'update.updates.z' is an unknown field."
    );
}

#[test]
fn a_vote_counts_once() {
    let mut session = Session::new();
    session.run(r#"{"insert":"c","documents":[{"_id":1,"helpful_votes":0,"voter_ids":[]}]}"#);
    let vote = r#"{"update":"c","updates":[{"q":{"_id":1,"voter_ids":{"$ne":7}},"u":{"$inc":{"helpful_votes":1},"$push":{"voter_ids":7}}}]}"#;
    assert_eq!(session.run(vote), r#"{"n":1,"nModified":1}"#);
    assert_eq!(session.run(vote), r#"{"n":0,"nModified":0}"#);
    assert_eq!(
        session.all(),
        r#"[{"_id":1,"helpful_votes":1,"voter_ids":[7]}]"#
    );
    session
        .run(r#"{"update":"c","updates":[{"q":{"voter_ids":7},"u":{"$set":{"voter_ids.$":8}}}]}"#);
    assert_eq!(
        session.all(),
        r#"[{"_id":1,"helpful_votes":1,"voter_ids":[8]}]"#
    );
}

#[test]
fn deletes_one_or_all() {
    let mut session = Session::with_three();
    assert_eq!(
        session.run(r#"{"delete":"c","deletes":[{"q":{"n":{"$gt":1}},"limit":1}]}"#),
        r#"{"n":1}"#
    );
    assert_eq!(session.all(), r#"[{"_id":1,"n":1},{"_id":3,"n":3}]"#);
    assert_eq!(
        session.run(r#"{"delete":"c","deletes":[{"q":{},"limit":0}]}"#),
        r#"{"n":2}"#
    );
    assert!(
        session
            .run(r#"{"validate":"c"}"#)
            .contains(r#""valid":true"#)
    );
    assert_eq!(
        session.fails(r#"{"delete":"c","deletes":[{"q":{}}]}"#),
        "40414: BSON field 'delete.deletes.limit' is missing but a required field"
    );
    assert_eq!(
        session.fails(r#"{"delete":"c","deletes":[{"q":{},"limit":2}]}"#),
        "9: The limit field in delete objects must be 0 or 1. Got 2"
    );
}

#[test]
fn find_and_modify_gives_the_document_before_or_after() {
    let mut session = Session::with_three();
    assert_eq!(
        session.run(r#"{"findAndModify":"c","query":{"_id":1},"update":{"$inc":{"n":5}}}"#),
        r#"{"lastErrorObject":{"n":1,"updatedExisting":true},"value":{"_id":1,"n":1}}"#
    );
    assert_eq!(
        session
            .run(r#"{"findAndModify":"c","sort":{"n":-1},"update":{"$inc":{"n":1}},"new":true}"#),
        r#"{"lastErrorObject":{"n":1,"updatedExisting":true},"value":{"_id":1,"n":7}}"#
    );
    assert_eq!(
        session.run(r#"{"findAndModify":"c","query":{"_id":8},"update":{"$set":{"a":1}},"upsert":true,"new":true}"#),
        r#"{"lastErrorObject":{"n":1,"updatedExisting":false,"upserted":8},"value":{"_id":8,"a":1}}"#
    );
    assert_eq!(
        session.run(r#"{"findAndModify":"c","query":{"_id":8},"update":{"$set":{"b":2}},"fields":{"_id":0,"a":1}}"#),
        r#"{"lastErrorObject":{"n":1,"updatedExisting":true},"value":{"a":1}}"#
    );
    assert_eq!(
        session.run(r#"{"findAndModify":"c","query":{"_id":8},"remove":true}"#),
        r#"{"lastErrorObject":{"n":1},"value":{"_id":8,"a":1,"b":2}}"#
    );
    assert_eq!(
        session.run(r#"{"findAndModify":"c","query":{"_id":8},"update":{"$set":{"a":1}}}"#),
        r#"{"lastErrorObject":{"n":0,"updatedExisting":false},"value":null}"#
    );
    assert_eq!(
        session.run(r#"{"findAndModify":"c","sort":{"$natural":-1},"remove":true}"#),
        r#"{"lastErrorObject":{"n":1},"value":{"_id":3,"n":3}}"#
    );
    let explained = session.run(
        r#"{"explain":{"update":"c","updates":[{"q":{},"u":{"$inc":{"n":1}}}]},"verbosity":"executionStats"}"#,
    );
    assert!(explained.contains(r#""stage":"UPDATE""#), "{explained}");
    assert!(
        explained.contains(r#""totalDocsExamined":1,"#),
        "{explained}"
    );
    assert_eq!(
        session.fails(r#"{"findAndModify":"c"}"#),
        "9: Either an update or remove=true must be specified"
    );
    assert_eq!(
        session.fails(r#"{"findAndModify":"c","query":{"_id":1},"update":{"$set":{"_id":2}}}"#),
        "66: Plan executor error during findAndModify :: caused by :: Performing an update on the path '_id' would \
         modify the immutable field '_id'"
    );
}

#[test]
fn a_unique_index_refuses_updates_and_leaves_them_undone() {
    let mut session = Session::with_three();
    session.run(r#"{"createIndexes":"c","indexes":[{"key":{"n":1},"name":"n_1","unique":true}]}"#);
    let reply = session.run(r#"{"update":"c","updates":[{"q":{"_id":1},"u":{"$set":{"n":2}}}]}"#);
    assert!(
        reply.contains("Plan executor error during update :: caused by :: E11000"),
        "{reply}"
    );
    assert!(reply.contains(r#""keyValue":{"n":2}"#), "{reply}");
    assert_eq!(
        session.all(),
        r#"[{"_id":1,"n":1},{"_id":2,"n":2},{"_id":3,"n":3}]"#
    );
}

#[test]
fn pipelines_update_each_document() {
    let mut session = Session::with_three();
    assert_eq!(
        session.run(
            r#"{"update":"c","updates":[{"q":{"n":{"$gt":1}},"u":[{"$set":{"d":{"$multiply":["$n","$$f"]}}},{"$unset":"n"}],"c":{"f":10},"multi":true}]}"#
        ),
        r#"{"n":2,"nModified":2}"#
    );
    assert_eq!(
        session
            .run(r#"{"update":"c","updates":[{"q":{"_id":1},"u":[{"$replaceWith":{"x":"$n"}}]}]}"#),
        r#"{"n":1,"nModified":1}"#
    );
    assert_eq!(
        session.all(),
        r#"[{"_id":1,"x":1},{"_id":2,"d":20},{"_id":3,"d":30}]"#
    );
    let reply = session.run(r#"{"update":"c","updates":[{"q":{},"u":[{"$match":{"a":1}}]}]}"#);
    assert!(
        reply.contains(r#""code":72,"errmsg":"$match is not allowed to be used within an update""#),
        "{reply}"
    );
    assert_eq!(
        session.run(
            r#"{"findAndModify":"c","query":{"_id":9,"a":2},"update":[{"$set":{"b":"$a"}}],"upsert":true,"new":true}"#
        ),
        r#"{"lastErrorObject":{"n":1,"updatedExisting":false,"upserted":9},"value":{"_id":9,"a":2,"b":2}}"#
    );
}

/// Documents of a batch with one bad one at `bad`, by a way of being bad; as JSON.
fn batch_with(bad: usize, way: usize) -> Vec<String> {
    const COUNT: usize = 11;
    (0..COUNT)
        .map(|n| {
            // Slugs descend, tags repeat: no index takes the keys in the documents' order.
            let slug = 900 - n * 7;
            match (n == bad, way) {
                (true, 0) => format!(r#"{{"_id":2,"u":{slug}}}"#),
                (true, 1) => format!(r#"{{"_id":{},"u":{slug}}}"#, 100 + (n + 3) % COUNT),
                (true, 2) => format!(r#"{{"_id":{},"u":{}}}"#, 100 + n, 900 - (n + 5) % COUNT * 7),
                (true, 3) => {
                    format!(r#"{{"_id":{},"u":{slug},"t":[1],"s":[2]}}"#, 100 + n)
                }
                (true, 4) => r#"{"_id":[1]}"#.to_owned(),
                (true, 5) => format!(r#"{{"_id":{},"u":["n",1]}}"#, 100 + n),
                _ => format!(r#"{{"_id":{},"u":{slug},"t":["a",{}]}}"#, 100 + n, n % 3),
            }
        })
        .collect()
}

#[test]
fn a_batch_ends_as_its_documents_would_one_by_one_wherever_one_is_bad() {
    let prepared = || {
        let mut session = Session::with_three();
        session.run(
            r#"{"createIndexes":"c","indexes":[{"key":{"u":1},"name":"u","unique":true,"sparse":true},
            {"key":{"t":-1,"s":1},"name":"ts"},
            {"key":{"t":1},"name":"p","partialFilterExpression":{"u":{"$gt":850}}}]}"#,
        );
        session.run(r#"{"insert":"c","documents":[{"_id":50,"u":"n","t":[]}]}"#);
        session
    };
    for bad in 0..11 {
        for way in 0..7 {
            for ordered in [true, false] {
                let documents = batch_with(bad, way);
                let (mut batch, mut single) = (prepared(), prepared());
                let reply = batch.reply(&format!(
                    r#"{{"insert":"c","ordered":{ordered},"documents":[{}]}}"#,
                    documents.join(",")
                ));
                let mut errors = Vec::new();
                let mut inserted = 0;
                for (index, document) in documents.iter().enumerate() {
                    let reply =
                        single.run(&format!(r#"{{"insert":"c","documents":[{document}]}}"#));
                    if let Some((_, error)) = reply.split_once(r#""writeErrors":[{"index":0"#) {
                        errors.push(format!("{{\"index\":{index}{}", &error[..error.len() - 2]));
                        if ordered {
                            break;
                        }
                    } else {
                        inserted += 1;
                    }
                }
                let place = format!("way {way} at {bad}, ordered {ordered}");
                assert_eq!(errors.len(), usize::from(way < 6), "{place}");
                assert_eq!(reply.get("n").as_exact_i64(), Some(inserted), "{place}");
                let text =
                    extended_json::to_string((&reply).into(), extended_json::Format::Relaxed);
                let expected = errors.join(",");
                assert!(text.contains(&expected), "{place}: {text}\n{expected}");
                assert_eq!(batch.all(), single.all(), "{place}");
                for command in [
                    r#"{"validate":"c","full":true}"#,
                    r#"{"explain":{"find":"c","filter":{"t":1}}}"#,
                ] {
                    assert_eq!(batch.run(command), single.run(command), "{place}");
                }
            }
        }
    }
}
