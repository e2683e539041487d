//! Tests of the commands over the catalog: requests in Extended JSON, replies as the server prints them.

#[cfg(test)]
mod tests {
    use crate::bson::{Document, DocumentBuf, DocumentBuilder, extended_json};
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

        fn reply(&mut self, database: &str, command: &str) -> DocumentBuf {
            let command = extended_json::parse_document(command).expect("the test's JSON is valid");
            let mut builder = DocumentBuilder::new();
            builder
                .append_all(command.as_document())
                .append("$db", database);
            DocumentBuf::from_valid_bytes(self.0.run(builder.finish().as_bytes(), &TestEnv).reply)
        }

        /// The reply without `ok: 1`.
        fn run(&mut self, command: &str) -> String {
            let reply = self.reply("d", command);
            let text = reply.as_document().to_string();
            text.replace(", ok: 1.0 }", " }")
                .replace("{ ok: 1.0 }", "{}")
        }

        /// Code and message of a failure.
        fn fails(&mut self, command: &str) -> (i64, String) {
            let reply = self.reply("d", command);
            let code = reply.get("code").as_exact_i64();
            assert!(code.is_some(), "{command} gave {}", reply.as_document());
            (
                code.unwrap_or(0),
                reply.get("errmsg").as_str().unwrap_or_default().to_owned(),
            )
        }

        fn insert(&mut self, collection: &str, documents: &[&str]) {
            let mut unit = self.0.base_mut().begin(false);
            let mut scratch = crate::catalog::WriteScratch::default();
            let namespace = format!("d.{collection}");
            let mut target = { unit.writer() }
                .into_created(&namespace, &mut || [9; 16])
                .expect("created");
            for document in documents {
                let document =
                    extended_json::parse_document(document).expect("the test's JSON is valid");
                target
                    .insert(document.as_document(), &mut scratch)
                    .expect("inserted");
            }
        }

        fn index_names(&mut self, collection: &str) -> Vec<String> {
            let reply = self.reply("d", &format!("{{\"listIndexes\": \"{collection}\"}}"));
            let batch = reply
                .get("cursor")
                .as_document()
                .unwrap_or(Document::EMPTY)
                .get("firstBatch");
            batch
                .as_array()
                .map(|batch| batch.iter())
                .into_iter()
                .flatten()
                .filter_map(|index| index.as_document()?.get("name").as_str().map(str::to_owned))
                .collect()
        }

        fn assert_valid(&mut self, collection: &str) {
            // Once with the catalog's rows behind, once written.
            self.assert_valid_now(collection);
            self.0.take_batch().expect("it seals");
            self.assert_valid_now(collection);
        }

        fn assert_valid_now(&mut self, collection: &str) {
            let reply = self.reply("d", &format!("{{\"validate\": \"{collection}\"}}"));
            assert!(reply.get("valid").is_truthy(), "{}", reply.as_document());
        }
    }

    #[test]
    fn creates_drops_and_lists() {
        let mut session = Session::new();
        assert_eq!(session.run(r#"{"create": "a"}"#), "{}");
        assert_eq!(
            session.run(r#"{"create": "a"}"#),
            "{}",
            "the same options again are no error"
        );
        assert_eq!(
            session.fails(r#"{"create": "a", "capped": true, "size": 1}"#),
            (
                48,
                "namespace d.a already exists, but with different options: { uuid: UUID(\"40404040-4040-4040-8040-404040404040\") }".to_owned()
            )
        );
        assert_eq!(
            session.run(r#"{"create": "log", "capped": true, "size": 5000, "max": 3}"#),
            "{}"
        );
        for (command, code) in [
            (r#"{"create": "x", "capped": true}"#, 72),
            (r#"{"create": "x", "size": 10}"#, 72),
            (r#"{"create": "x", "capped": true, "size": 0}"#, 2),
            (r#"{"create": "x", "bogus": 1}"#, 40415),
            (r#"{"create": "x", "viewOn": "", "pipeline": []}"#, 2),
            (r#"{"create": "x", "validator": 5}"#, 14),
            (r#"{"create": "a$b"}"#, 73),
            (r#"{"create": ".x"}"#, 73),
            (r#"{"create": "system.indexes"}"#, 73),
            (r#"{"create": 5}"#, 73),
            (r#"{"create": "x", "capped": "yes"}"#, 14),
        ] {
            assert_eq!(session.fails(command).0, code, "{command}");
        }
        let listed = session.run(r#"{"listCollections": 1, "filter": {"options.capped": true}}"#);
        assert_eq!(
            listed,
            "{ cursor: { id: 0, ns: \"d.$cmd.listCollections\", firstBatch: [ { name: \"log\", type: \"collection\", \
         options: { capped: true, size: 5120, max: 3 }, info: { readOnly: false, uuid: UUID(\"40404040-4040-4040-8040-404040404040\") }, idIndex: { v: 2, key: { _id: 1 }, name: \"_id_\" } } ] } }"
        );
        assert_eq!(
            session.run(r#"{"listCollections": 1, "nameOnly": true, "cursor": {"batchSize": 1}}"#),
            "{ cursor: { id: 4629771061636907072, ns: \"d.$cmd.listCollections\", firstBatch: [ { name: \"a\", type: \
         \"collection\" } ] } }"
        );
        assert_eq!(
            session.run(r#"{"drop": "a"}"#),
            "{ nIndexesWas: 1, ns: \"d.a\" }"
        );
        assert_eq!(session.run(r#"{"drop": "a"}"#), "{}");
        let databases = session.reply("admin", r#"{"listDatabases": 1, "nameOnly": true}"#);
        assert_eq!(
            databases.as_document().to_string(),
            "{ databases: [ { name: \"admin\" }, { name: \"config\" }, { name: \"d\" }, { name: \"local\" } ], \
             ok: 1.0 }"
        );
        assert_eq!(session.fails(r#"{"listDatabases": 1}"#).0, 13);
        assert_eq!(session.run(r#"{"dropDatabase": 1}"#), "{}");
        let left = session.run(r#"{"listCollections": 1, "nameOnly": true}"#);
        assert!(!left.contains("name"), "{left}");
        assert_eq!(session.run(r#"{"dropDatabase": 1}"#), "{}");
    }

    #[test]
    fn builds_and_drops_indexes() {
        let mut session = Session::new();
        session.insert("c", &[r#"{"_id": 1, "a": 1}"#, r#"{"_id": 2, "a": 1}"#]);
        let one = |spec: &str| format!("{{\"createIndexes\": \"c\", \"indexes\": [{spec}]}}");
        assert_eq!(
            session.run(&one(r#"{"key": {"a": 1}, "name": "a_1"}"#)),
            "{ numIndexesBefore: 1, numIndexesAfter: 2, createdCollectionAutomatically: false }"
        );
        assert_eq!(
            session.run(&one(r#"{"key": {"a": 1.0}, "name": "a_1"}"#)),
            "{ numIndexesBefore: 2, numIndexesAfter: 2, note: \"all indexes already exist\" }"
        );
        for (spec, code, message) in [
            (
                r#"{"key": {"z": 0}, "name": "z_0"}"#,
                67,
                "Error in specification { key: { z: 0 }, name: \"z_0\" } :: caused by :: Values in the index key pattern cannot be 0.",
            ),
            (
                r#"{"key": {"": 1}, "name": "ef"}"#,
                67,
                "Error in specification { key: { : 1 }, name: \"ef\" } :: caused by :: Index keys cannot be an empty field.",
            ),
            (
                r#"{"key": {"$x": 1}, "name": "dx"}"#,
                67,
                "Error in specification { key: { $x: 1 }, name: \"dx\" } :: caused by :: Index key contains an illegal field name: field name starts with '$'.",
            ),
            (
                r#"{"key": {"u": 1}, "bogus": true, "name": "u_1"}"#,
                197,
                "Error in specification { key: { u: 1 }, bogus: true, name: \"u_1\" } :: caused by :: The field 'bogus' is not valid for an index specification. Specification: { key: { u: 1 }, bogus: true, name: \"u_1\" }",
            ),
            (
                r#"{"key": {"n": 1}, "name": ""}"#,
                67,
                "Error in specification { key: { n: 1 }, name: \"\", v: 2 } :: caused by :: index name cannot be empty",
            ),
            (
                r#"{"key": {"s": 1}, "name": "*"}"#,
                2,
                "The index name '*' is not valid.",
            ),
            (
                r#"{"key": {"_id": -1}, "name": "_id_-1"}"#,
                2,
                "The field 'key' for an _id index must be {_id: 1}, but got { _id: -1 }",
            ),
            (
                r#"{"key": {"_id": 1}, "name": "_id_", "expireAfterSeconds": 1}"#,
                197,
                "The field 'expireAfterSeconds' is not valid for an _id index specification. Specification: { key: { _id: 1 }, name: \"_id_\", expireAfterSeconds: 1, v: 2 }",
            ),
            (
                r#"{"key": {"w": 1}, "expireAfterSeconds": -1, "name": "w_1"}"#,
                67,
                ". Index spec: { key: { w: 1 }, expireAfterSeconds: -1, name: \"w_1\" } :: caused by :: TTL index 'expireAfterSeconds' option cannot be less than 0",
            ),
            (
                r#"{"key": {"w": 1, "a": 1}, "expireAfterSeconds": 10, "name": "w_1_a_1"}"#,
                67,
                "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: { key: { w: 1, a: 1 }, expireAfterSeconds: 10, name: \"w_1_a_1\" }",
            ),
            (
                r#"{"key": {"p": 1}, "sparse": true, "partialFilterExpression": {"a": 1}, "name": "p_1"}"#,
                67,
                "Error in specification { key: { p: 1 }, sparse: true, partialFilterExpression: { a: 1 }, name: \"p_1\", v: 2 } :: caused by :: cannot mix \"partialFilterExpression\" and \"sparse\" options",
            ),
            (
                r#"{"key": {"a": 1}, "name": "other"}"#,
                85,
                "Index already exists with a different name: a_1",
            ),
            (
                r#"{"key": {"b": 1}, "name": "a_1"}"#,
                86,
                "An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: { v: 2, key: { b: 1 }, name: \"a_1\" }, existing index: { v: 2, key: { a: 1 }, name: \"a_1\" }",
            ),
            (
                r#"{"key": {"a": 1}, "name": "a_1", "expireAfterSeconds": 5}"#,
                85,
                "An equivalent index already exists with the same name but different options. Requested index: { v: 2, key: { a: 1 }, name: \"a_1\", expireAfterSeconds: 5 }, existing index: { v: 2, key: { a: 1 }, name: \"a_1\" }",
            ),
            (
                r#"{"key": {"a": 1}}"#,
                9,
                "Error in specification { key: { a: 1 } } :: caused by :: The 'name' field is a required property of an index specification",
            ),
            (
                r#"{"key": {"a": "magic"}, "name": "m"}"#,
                67,
                "Error in specification { key: { a: \"magic\" }, name: \"m\" } :: caused by :: Unknown index plugin 'magic'",
            ),
        ] {
            assert_eq!(
                session.fails(&one(spec)),
                (code, message.to_owned()),
                "{spec}"
            );
        }
        assert_eq!(
            session
                .fails(&one(r#"{"key": {"t": "2dsphere_bucket"}, "name": "t"}"#))
                .0,
            238
        );
        assert_eq!(
            session
                .fails(&one(r#"{"key": {"t": "2dsphere_bucket"}, "name": "w"}"#))
                .0,
            238
        );
        assert_eq!(
            session.fails(r#"{"createIndexes": "c", "indexes": []}"#).0,
            2
        );
        assert_eq!(session.fails(r#"{"createIndexes": "c"}"#).0, 40414);
        let (code, message) =
            session.fails(&one(r#"{"key": {"a": -1}, "name": "u", "unique": 1}"#));
        assert_eq!(code, 11000);
        assert!(
        message.ends_with(
            ":: caused by :: E11000 duplicate key error collection: d.c index: u dup key: { a: 1 }"
        ),
        "{message}"
    );
        let fresh = r#"{"createIndexes": "fresh", "indexes": [{"key": {"a": 1}, "name": "a"}, {"key": {"z": 0}, "name": "z"}]}"#;
        assert_eq!(session.fails(fresh).0, 67);
        assert_eq!(
            session.fails(r#"{"listIndexes": "fresh"}"#),
            (26, "ns does not exist: d.fresh".to_owned())
        );
        session.run(&one(r#"{"key": {"b": 1, "c": -1}, "name": "bc"}, {"key": {"t": 1}, "name": "t", "hidden": true}"#));
        for (command, code, message) in [
            (
                r#"{"dropIndexes": "c", "index": "nope"}"#,
                27,
                "index not found with name [nope]",
            ),
            (
                r#"{"dropIndexes": "c", "index": ["a_1", "nope"]}"#,
                27,
                "index not found with name [nope]",
            ),
            (
                r#"{"dropIndexes": "c", "index": {"q": 1}}"#,
                27,
                "can't find index with key: { q: 1 }",
            ),
            (
                r#"{"dropIndexes": "c", "index": "_id_"}"#,
                72,
                "cannot drop _id index",
            ),
            (
                r#"{"dropIndexes": "c"}"#,
                40414,
                "BSON field 'dropIndexes.index' is missing but a required field",
            ),
            (
                r#"{"dropIndexes": "nosuch", "index": "*"}"#,
                26,
                "ns not found d.nosuch",
            ),
        ] {
            assert_eq!(
                session.fails(command),
                (code, message.to_owned()),
                "{command}"
            );
        }
        assert_eq!(session.index_names("c"), ["_id_", "a_1", "bc", "t"]);
        assert_eq!(
            session.run(r#"{"dropIndexes": "c", "index": {"b": 1, "c": -1}}"#),
            "{ nIndexesWas: 4 }"
        );
        assert_eq!(
            session.run(r#"{"dropIndexes": "c", "index": "*"}"#),
            "{ nIndexesWas: 3, msg: \"non-_id indexes dropped for collection\" }"
        );
        session.assert_valid("c");
    }

    #[test]
    fn modifies_indexes_and_limits() {
        let mut session = Session::new();
        session.run(r#"{"create": "c"}"#);
        session.run(
            r#"{"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1"},
            {"key": {"w": 1}, "name": "w_1", "expireAfterSeconds": 3600.9}]}"#,
        );
        let modify = |index: &str| format!("{{\"collMod\": \"c\", \"index\": {index}}}");
        for (index, reply) in [
            (
                r#"{"name": "a_1", "hidden": true}"#,
                "{ hidden_old: false, hidden_new: true }",
            ),
            (r#"{"name": "a_1", "hidden": true}"#, "{}"),
            (
                r#"{"keyPattern": {"a": 1}, "hidden": false}"#,
                "{ hidden_old: true, hidden_new: false }",
            ),
            (
                r#"{"name": "w_1", "expireAfterSeconds": 60}"#,
                "{ expireAfterSeconds_old: 3600, expireAfterSeconds_new: 60 }",
            ),
            (
                r#"{"name": "a_1", "expireAfterSeconds": 60}"#,
                "{ expireAfterSeconds_new: 60 }",
            ),
        ] {
            assert_eq!(session.run(&modify(index)), reply, "{index}");
        }
        for (index, code, message) in [
            (
                r#"{"name": "_id_", "hidden": true}"#,
                2,
                "can't hide _id index",
            ),
            (
                r#"{"name": "_id_", "expireAfterSeconds": 1}"#,
                72,
                "the _id field does not support TTL indexes",
            ),
            (
                r#"{"name": "nope", "hidden": true}"#,
                27,
                "cannot find index nope for ns d.c",
            ),
            (
                r#"{"hidden": true}"#,
                72,
                "Must specify either index name or key pattern.",
            ),
            (
                r#"{"name": "a_1"}"#,
                72,
                "no expireAfterSeconds, hidden, unique, or prepareUnique field",
            ),
            (
                r#"{"name": "w_1", "expireAfterSeconds": -5}"#,
                72,
                "TTL index 'expireAfterSeconds' option cannot be less than 0",
            ),
        ] {
            assert_eq!(
                session.fails(&modify(index)),
                (code, message.to_owned()),
                "{index}"
            );
        }
        assert_eq!(
            session.fails(r#"{"collMod": "c", "cappedSize": 5}"#),
            (72, "Collection must be capped.".to_owned())
        );
        assert_eq!(
            session.fails(r#"{"collMod": "gone"}"#),
            (26, "ns does not exist".to_owned())
        );
        session.run(r#"{"create": "log", "capped": true, "size": 4096}"#);
        assert_eq!(
            session.run(r#"{"collMod": "log", "cappedSize": 300, "cappedMax": 2}"#),
            "{}"
        );
        session.insert("log", &[r#"{"_id": 1}"#, r#"{"_id": 2}"#, r#"{"_id": 3}"#]);
        let stats = session.reply("d", r#"{"collStats": "log"}"#);
        let number = |name| stats.get(name).as_exact_i64();
        assert_eq!(
            (number("count"), number("max"), number("maxSize")),
            (Some(2), Some(2), Some(512))
        );
    }

    #[test]
    fn renames_within_and_across_databases() {
        let mut session = Session::new();
        session.insert("a", &[r#"{"_id": 1, "x": 1}"#]);
        session.insert("b", &[r#"{"_id": 2}"#]);
        let mut rename = |command: &str| {
            let reply = session.reply("admin", command);
            reply.get("code").as_exact_i64().unwrap_or(0)
        };
        assert_eq!(rename(r#"{"renameCollection": "d.a", "to": "d.b"}"#), 48);
        assert_eq!(rename(r#"{"renameCollection": "d.a", "to": "d.a"}"#), 20);
        assert_eq!(rename(r#"{"renameCollection": "d.none", "to": "d.x"}"#), 26);
        assert_eq!(rename(r#"{"renameCollection": "d.a", "to": "d."}"#), 73);
        assert_eq!(
            rename(r#"{"renameCollection": "d.a", "to": "d.b", "dropTarget": true}"#),
            0
        );
        assert_eq!(rename(r#"{"renameCollection": "d.b", "to": "e.c"}"#), 0);
        let size = session.reply("e", r#"{"dataSize": "e.c"}"#);
        assert_eq!(size.get("numObjects").as_exact_i64(), Some(1));
        assert_eq!(
            session.run(r#"{"listCollections": 1, "nameOnly": true}"#),
            "{ cursor: { id: 0, ns: \"d.$cmd.listCollections\", firstBatch: [] } }"
        );
    }

    #[test]
    fn converts_to_capped_keeping_the_newest() {
        let mut session = Session::new();
        let documents: Vec<String> = (0..50)
            .map(|n| format!("{{\"_id\": {n}, \"text\": \"{}\"}}", "x".repeat(60)))
            .collect();
        let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
        session.insert("c", &documents);
        session.run(r#"{"createIndexes": "c", "indexes": [{"key": {"text": 1}, "name": "t"}]}"#);
        assert_eq!(
            session
                .run(r#"{"cloneCollectionAsCapped": "c", "toCollection": "copy", "size": 1000}"#),
            "{}"
        );
        assert_eq!(
            session.run(r#"{"convertToCapped": "c", "size": 1000}"#),
            "{}"
        );
        for collection in ["c", "copy"] {
            let stats = session.reply("d", &format!("{{\"collStats\": \"{collection}\"}}"));
            assert!(stats.get("capped").is_truthy());
            assert_eq!(stats.get("count").as_exact_i64(), Some(12));
            assert_eq!(session.index_names(collection), ["_id_"]);
            session.assert_valid(collection);
        }
        assert_eq!(
            session
                .fails(r#"{"convertToCapped": "none", "size": 1000}"#)
                .0,
            26
        );
        assert_eq!(session.fails(r#"{"convertToCapped": "c"}"#).0, 72);
        assert_eq!(
            session
                .fails(r#"{"cloneCollectionAsCapped": "c", "toCollection": "copy", "size": 9}"#)
                .0,
            48
        );
    }

    #[test]
    fn measures_collections_and_databases() {
        let mut session = Session::new();
        session.insert("c", &[r#"{"_id": 1, "a": "x"}"#, r#"{"_id": 2, "a": "y"}"#]);
        assert_eq!(
            session.run(r#"{"collStats": "c"}"#),
            "{ ns: \"d.c\", size: 46, count: 2, avgObjSize: 23, numOrphanDocs: 0, storageSize: 16384, freeStorageSize: \
         0, capped: false, nindexes: 1, indexDetails: {}, indexBuilds: [], totalIndexSize: 16384, totalSize: 32768, \
         indexSizes: { _id_: 16384 }, scaleFactor: 1 }"
        );
        assert_eq!(session.fails(r#"{"collStats": "c", "scale": 0}"#).0, 2);
        assert_eq!(
            session.run(r#"{"dbStats": 1, "scale": 1024}"#),
            "{ db: \"d\", collections: 1, views: 0, objects: 2, avgObjSize: 23.0, dataSize: 0.0, storageSize: 16.0, \
         indexes: 1, indexSize: 16.0, totalSize: 32.0, scaleFactor: 1024 }"
        );
        assert_eq!(
            session.run(r#"{"dataSize": "d.c"}"#),
            "{ size: 46, numObjects: 2, millis: 0, estimate: false }"
        );
        let text = session.run(r#"{"validate": "c", "full": true}"#);
        assert!(
            text.contains(
                "keysPerIndex: { _id_: 2 }, indexDetails: { _id_: { valid: true, spec: { v: 2, key: { _id: 1 }, name: \"_id_\" } } }, valid: true"
            ),
            "{text}"
        );
        assert_eq!(session.fails(r#"{"validate": "none"}"#).0, 26);
    }

    #[test]
    fn documents_expire_when_the_clock_is_moved() {
        let mut session = Session::new();
        session.insert(
            "reviews",
            &[
                r#"{"_id": 1, "time_field": {"$date": {"$numberLong": "0"}}}"#,
                r#"{"_id": 2, "time_field": {"$date": {"$numberLong": "7200000"}}}"#,
                r#"{"_id": 3}"#,
            ],
        );
        session.run(
            r#"{"createIndexes": "reviews", "indexes": [{"key": {"time_field": 1}, "name": "t",
                "expireAfterSeconds": 3600}]}"#,
        );
        let count = |session: &mut Session| {
            let stats = session.reply("d", r#"{"collStats": "reviews"}"#);
            stats.get("count").as_exact_i64()
        };
        assert_eq!(count(&mut session), Some(3));
        session.run(r#"{"quireClock": 1, "advanceMillis": 3600001}"#);
        assert_eq!(count(&mut session), Some(2));
        session
            .run(r#"{"collMod": "reviews", "index": {"name": "t", "expireAfterSeconds": 100000}}"#);
        session.run(r#"{"quireClock": 1, "advanceMillis": 36000000}"#);
        assert_eq!(count(&mut session), Some(2));
        session.run(r#"{"collMod": "reviews", "index": {"name": "t", "expireAfterSeconds": 5}}"#);
        session.run(r#"{"quireClock": 1, "advanceMillis": 60000}"#);
        assert_eq!(count(&mut session), Some(1));
        let status = session.reply("d", r#"{"serverStatus": 1}"#);
        let metrics = status
            .get("metrics")
            .as_document()
            .unwrap_or(Document::EMPTY);
        let ttl = metrics.get("ttl").as_document().unwrap_or(Document::EMPTY);
        assert_eq!(ttl.get("deletedDocuments").as_exact_i64(), Some(2));
        session.assert_valid("reviews");
    }

    #[test]
    fn shows_the_catalog_as_older_books_do() {
        let mut session = Session::new();
        session.insert("c", &[r#"{"_id": 1}"#]);
        session.run(r#"{"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1", "unique": true}]}"#);
        let catalog = &session.0.base_mut().catalog;
        let printed = |name: &str| {
            let documents = catalog.virtual_collection("d", name).unwrap_or_default();
            documents
                .iter()
                .map(|document| document.as_document().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            printed("system.indexes"),
            [
                r#"{ v: 2, key: { _id: 1 }, name: "_id_", ns: "d.c" }"#,
                r#"{ v: 2, unique: true, key: { a: 1 }, name: "a_1", ns: "d.c" }"#,
            ]
        );
        assert_eq!(
            printed("system.namespaces"),
            [
                r#"{ name: "d.c", options: {} }"#,
                r#"{ name: "d.c.$_id_" }"#,
                r#"{ name: "d.c.$a_1" }"#
            ]
        );
        assert!(catalog.virtual_collection("d", "c").is_none());
    }
}
