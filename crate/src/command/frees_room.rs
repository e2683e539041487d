//! Which commands free room: those stay allowed where storage has none left.
//!
//! Invariant: a request that could store anything new is not among them, even if it removes more.

use crate::command::request::Request;
use crate::command::row::CommandRow;

/// Whether a command can do nothing but remove documents, indexes, collections or moments.
#[derive(Clone, Copy)]
pub enum FreesRoom {
    Never,
    Always,
    /// Where its fields say so.
    When(fn(&Request<'_>) -> bool),
}

impl CommandRow {
    /// Whether this request can do nothing but free room.
    #[inline(never)]
    pub fn frees(&self, request: &Request<'_>) -> bool {
        match self.frees_room {
            FreesRoom::Never => false,
            FreesRoom::Always => true,
            FreesRoom::When(says_so) => says_so(request),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::bson::Document;
    use crate::bson::extended_json::parse_document;
    use crate::engine::Engine;
    use crate::expr::testing::TestEnv;

    fn code(engine: &mut Engine, command: &str) -> i64 {
        let command = parse_document(command).expect("it is a document");
        let reply = engine.run(command.as_bytes(), &TestEnv).reply;
        let reply = Document::from_valid_bytes(&reply);
        reply
            .get("code")
            .as_number()
            .map_or(0, |code| code.to_i64_saturating())
    }

    #[test]
    fn a_full_deployment_takes_what_frees_room_and_nothing_else() {
        let mut engine = Engine::create(&TestEnv).expect("an empty deployment opens");
        let insert = r#"{"insert": "c", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}, {"_id": 4}], "$db": "d"}"#;
        assert_eq!(code(&mut engine, insert), 0);
        engine.set_full("no room".to_owned());
        for refused in [
            insert,
            r#"{"update": "c", "updates": [{"q": {}, "u": {"$unset": {"a": 1}}}], "$db": "d"}"#,
            r#"{"create": "e", "$db": "d"}"#,
            r#"{"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a"}], "$db": "d"}"#,
            r#"{"aggregate": "c", "pipeline": [{"$out": "e"}], "cursor": {}, "$db": "d"}"#,
            r#"{"findAndModify": "c", "query": {}, "update": {"$set": {"a": 1}}, "$db": "d"}"#,
            r#"{"bulkWrite": 1, "ops": [{"delete": 0, "filter": {}}, {"insert": 0, "document": {}}], "nsInfo": [{"ns": "d.c"}], "$db": "admin"}"#,
        ] {
            assert_eq!(code(&mut engine, refused), 14031, "{refused}");
        }
        for allowed in [
            r#"{"find": "c", "$db": "d"}"#,
            r#"{"findAndModify": "c", "query": {"_id": 1}, "remove": true, "$db": "d"}"#,
            r#"{"bulkWrite": 1, "ops": [{"delete": 0, "filter": {"_id": 2}}], "nsInfo": [{"ns": "d.c"}], "$db": "admin"}"#,
            r#"{"delete": "c", "deletes": [{"q": {"_id": 3}, "limit": 1}], "$db": "d"}"#,
            r#"{"dropIndexes": "c", "index": "*", "$db": "d"}"#,
            r#"{"drop": "c", "$db": "d"}"#,
            r#"{"dropDatabase": 1, "$db": "d"}"#,
        ] {
            assert_eq!(code(&mut engine, allowed), 0, "{allowed}");
        }
        engine.set_writable();
        assert_eq!(code(&mut engine, insert), 0);
        engine.set_read_only("broken".to_owned());
        assert_eq!(code(&mut engine, r#"{"drop": "c", "$db": "d"}"#), 20);
    }
}
