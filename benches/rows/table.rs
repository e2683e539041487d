//! The everyday commands whose instructions are counted, one a row.
//!
//! A command is Extended JSON. In it `@` stands for the number of the run, so that each run asks for another product,
//! and `@ID` for that product's `_id`. `RUNS` is set so that no row is over before its buffers are warm.

/// One command, and how often it is run while its instructions are counted.
pub struct Row {
    pub name: &'static str,
    pub runs: u32,
    pub command: &'static str,
}

const fn row(name: &'static str, runs: u32, command: &'static str) -> Row {
    Row {
        name,
        runs,
        command,
    }
}

/// Every row, by what it is about.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row("ping", 100, r#"{"ping": 1}"#),
    row("find by _id", 100, r#"{"find": "products", "filter": {"_id": "@ID"}, "limit": 1, "singleBatch": true}"#),
    row("find by _id, projected", 100, r#"{"find": "products", "filter": {"_id": "@ID"}, "projection": {"name": 1, "pricing": 1}}"#),
    row("find by ten keys", 50, r#"{"find": "products", "filter": {"number": {"$in": [@, 7, 77, 177, 277, 377, 477, 577, 677, 777]}}}"#),
    row("find a range in order", 50, r#"{"find": "products", "filter": {"pricing.sale": {"$gte": 10, "$lt": 20}}, "sort": {"pricing.sale": 1}}"#),
    row("find by a tag", 50, r#"{"find": "products", "filter": {"tags": "soil"}, "limit": 20}"#),
    row("find by either of two indexes", 50, r#"{"find": "products", "filter": {"$or": [{"number": @}, {"pricing.sale": {"$lt": 3}}]}}"#),
    row("find without an index", 3, r#"{"find": "products", "filter": {"details.weight": {"$gt": 95}}}"#),
    row("find by a pattern's beginning", 20, r#"{"find": "products", "filter": {"slug": {"$regex": "^small-r"}}}"#),
    row("find by a pattern", 3, r#"{"find": "products", "filter": {"description": {"$regex": "bin for", "$options": "i"}}}"#),
    row("find by $elemMatch", 3, r#"{"find": "products", "filter": {"tags": {"$elemMatch": {"$gt": "w", "$lt": "water-3"}}}, "limit": 100}"#),
    row("find, sorted in memory, ten", 3, r#"{"find": "products", "sort": {"details.weight": 1, "name": -1}, "limit": 10}"#),
    row("find, all sorted in memory", 3, r#"{"find": "products", "sort": {"name": 1}, "projection": {"name": 1}}"#),
    row("count all", 100, r#"{"count": "products"}"#),
    row("count a range", 20, r#"{"count": "products", "query": {"pricing.sale": {"$gte": 50, "$lt": 200}}}"#),
    row("count without an index", 3, r#"{"count": "products", "query": {"details.weight": {"$gt": 75}}}"#),
    row("distinct by an index", 10, r#"{"distinct": "products", "key": "tags"}"#),
    row("distinct without an index", 3, r#"{"distinct": "products", "key": "details.color"}"#),
    row("$match and $group", 10, r#"{"aggregate": "products", "pipeline": [{"$match": {"tags": "soil"}}, {"$group": {"_id": "$details.color", "n": {"$sum": 1}}}], "cursor": {}}"#),
    row("$group over all", 3, r#"{"aggregate": "products", "pipeline": [{"$group": {"_id": "$details.manufacturer", "average": {"$avg": "$pricing.sale"}, "sum": {"$sum": "$total_reviews"}}}], "cursor": {}}"#),
    row("$unwind and $group", 2, r#"{"aggregate": "products", "pipeline": [{"$unwind": "$tags"}, {"$group": {"_id": "$tags", "n": {"$sum": 1}}}, {"$sort": {"n": -1}}, {"$limit": 5}], "cursor": {}}"#),
    row("$lookup by _id", 3, r#"{"aggregate": "reviews", "pipeline": [{"$lookup": {"from": "products", "localField": "product", "foreignField": "_id", "as": "found"}}, {"$project": {"found.name": 1}}], "cursor": {}}"#),
    row("$lookup by an index", 3, r#"{"aggregate": "reviews", "pipeline": [{"$lookup": {"from": "products", "localField": "tag", "foreignField": "tags", "as": "found"}}, {"$project": {"n": {"$size": "$found"}}}], "cursor": {}}"#),
    row("$project with expressions", 3, r#"{"aggregate": "products", "pipeline": [{"$project": {"price": {"$multiply": ["$pricing.sale", 1.19]}, "title": {"$concat": ["$name", " (", "$details.color", ")"]}, "dear": {"$cond": [{"$gt": ["$pricing.sale", 100]}, "yes", "no"]}}}], "cursor": {"batchSize": 500}}"#),
    row("$setWindowFields", 2, r#"{"aggregate": "products", "pipeline": [{"$setWindowFields": {"partitionBy": "$details.color", "sortBy": {"number": 1}, "output": {"sum": {"$sum": "$total_reviews", "window": {"documents": ["unbounded", "current"]}}}}}, {"$limit": 10}], "cursor": {}}"#),
    row("insert one", 100, r#"{"insert": "products", "documents": [{"_id": "new @", "slug": "new-@", "number": 100@, "tags": ["soil", "new"], "pricing": {"sale": @.5}}]}"#),
    row("insert ten, without indexes", 30, r#"{"insert": "plain", "documents": [{"a": 1, "b": "x"}, {"a": 2}, {"a": 3}, {"a": 4}, {"a": 5}, {"a": 6}, {"a": 7}, {"a": 8}, {"a": 9}, {"a": 10, "n": @}]}"#),
    row("$inc by _id", 100, r#"{"update": "products", "updates": [{"q": {"_id": "@ID"}, "u": {"$inc": {"total_reviews": 1}}}]}"#),
    row("$set of an indexed field", 100, r#"{"update": "products", "updates": [{"q": {"_id": "@ID"}, "u": {"$set": {"pricing.sale": @.25}}}]}"#),
    row("$push to many", 3, r#"{"update": "products", "updates": [{"q": {"pricing.sale": {"$lt": 50}}, "u": {"$push": {"seen": @}}, "multi": true}]}"#),
    row("upsert", 50, r#"{"update": "counts", "updates": [{"q": {"_id": @}, "u": {"$inc": {"n": 1}}, "upsert": true}]}"#),
    row("findAndModify", 50, r#"{"findAndModify": "products", "query": {"number": @}, "update": {"$set": {"taken": true}}, "new": true}"#),
    row("delete one", 100, r#"{"delete": "products", "deletes": [{"q": {"_id": "@ID"}, "limit": 1}]}"#),
];
