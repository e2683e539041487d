// What $graphLookup finds by null and by nothing, and which documents it takes for the same.
// Manual: reference/operator/aggregation/graphLookup
db.f.insertMany([{_id: "null", to: null}, {_id: "missing"}, {_id: "items", to: [null]}, {_id: "value", to: 1}]).acknowledged
//> true
// Null finds null, also in an array; nothing finds nothing, and a document without the field is found by neither.
db.l.insertMany([{_id: 1, s: null}, {_id: 2}, {_id: 3, s: [null, 1]}]).acknowledged
//> true
db.l.aggregate([{$graphLookup: {from: "f", startWith: "$s", connectFromField: "x", connectToField: "to", as: "r", maxDepth: 0}}]).toArray().map((d) => d.r.map((f) => f._id).sort())
//> [ [ 'items', 'null' ], [], [ 'items', 'null', 'value' ] ]
db.way.insertMany([{_id: 3, name: "c", next: null}, {_id: 4}, {_id: 5, name: null}]).acknowledged
//> true
db.way.aggregate([{$match: {_id: 3}}, {$graphLookup: {from: "way", startWith: "$name", connectFromField: "next", connectToField: "name", as: "r"}}]).toArray()[0].r.map((f) => f._id).sort()
//> [ 3, 5 ]
// A collation finds names, and tells documents by their _id alone.
db.g.insertMany([{_id: 1, name: "erica", friends: ["jeremy"]}, {_id: "foo", name: "jeremy"}, {_id: "FOO", name: "JEREMY"}]).acknowledged
//> true
db.g.aggregate([{$match: {name: "erica"}}, {$graphLookup: {from: "g", startWith: "$friends", connectFromField: "friends", connectToField: "name", as: "r"}}], {collation: {locale: "en_US", strength: 2}}).toArray()[0].r.map((f) => f._id).sort()
//> [ 'FOO', 'foo' ]
