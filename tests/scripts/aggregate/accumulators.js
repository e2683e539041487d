// Accumulators that keep several or sort: the n-th first, last, lowest, and top and bottom of a group.
//
// Manual: reference/mql/accumulators
const ag = (p) => { try { return db.harvest.aggregate(p).toArray() } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
const all = (accumulator) => { const r = ag([{$sort: {_id: 1}}, {$group: {_id: null, r: accumulator}}]); return typeof r === "string" ? r : r[0].r }
db.harvest.insertMany([{_id: 1, bed: "north", herb: "mint", g: 40}, {_id: 2, bed: "north", herb: "thyme", g: 10}, {_id: 3, bed: "north", herb: "sage", g: null}, {_id: 4, bed: "south", herb: "basil", g: 70}, {_id: 5, bed: "south", herb: "dill"}, {_id: 6, bed: "south", herb: "chives", g: Long(20)}, {_id: 7, bed: "south", herb: "rocket", g: 20}]).acknowledged
//> true
ag([{$group: {_id: "$bed", top: {$top: {sortBy: {g: -1}, output: "$herb"}}, bottom: {$bottom: {sortBy: {g: -1, _id: 1}, output: ["$herb", "$g"]}}}}, {$sort: {_id: 1}}])
//> [
//>   { _id: 'north', top: 'mint', bottom: [ 'sage', null ] },
//>   { _id: 'south', top: 'basil', bottom: [ 'dill', null ] }
//> ]
ag([{$group: {_id: "$bed", r: {$topN: {n: 2, sortBy: {g: 1, _id: 1}, output: "$herb"}}}}, {$sort: {_id: 1}}])
//> [
//>   { _id: 'north', r: [ 'sage', 'thyme' ] },
//>   { _id: 'south', r: [ 'dill', 'chives' ] }
//> ]
ag([{$group: {_id: "$bed", r: {$bottomN: {n: 2, sortBy: {g: 1, _id: 1}, output: {herb: "$herb", g: "$g"}}}}}, {$sort: {_id: 1}}])
//> [
//>   {
//>     _id: 'north',
//>     r: [ { herb: 'thyme', g: 10 }, { herb: 'mint', g: 40 } ]
//>   },
//>   {
//>     _id: 'south',
//>     r: [ { herb: 'rocket', g: 20 }, { herb: 'basil', g: 70 } ]
//>   }
//> ]
// A missing output is null.
all({$bottomN: {n: 3, sortBy: {_id: 1}, output: "$g"}})
//> [ null, Long('20'), 20 ]
[all({$firstN: {n: 3, input: "$g"}}), all({$lastN: {n: 3, input: "$g"}}), all({$lastN: {n: 99, input: "$herb"}}), all({$lastN: {n: Long(1), input: "$nowhere"}})]
//> [
//>   [ 40, 10, null ],
//>   [ null, Long('20'), 20 ],
//>   [
//>     'mint',   'thyme',
//>     'sage',   'basil',
//>     'dill',   'chives',
//>     'rocket'
//>   ],
//>   [ null ]
//> ]
// $minN and $maxN pass over null and missing.
[all({$minN: {n: 2, input: "$g"}}), all({$minN: {n: 99, input: "$g"}}), all({$maxN: {n: 2, input: "$g"}}), all({$minN: {n: 2, input: "$nowhere"}}), all({$minN: {n: 2.0, input: "$herb"}})]
//> [
//>   [ 10, Long('20') ],
//>   [ 10, Long('20'), 20, 40, 70 ],
//>   [ 70, 40 ],
//>   [],
//>   [ 'basil', 'chives' ]
//> ]
["$firstN", "$lastN", "$minN", "$maxN"].map((name) => [all({[name]: {n: 0, input: "$g"}}), all({[name]: {n: "2", input: "$g"}}), all({[name]: {n: 1.5, input: "$g"}}), all({[name]: {input: "$g"}}), all({[name]: {n: 1}}), all({[name]: "$g"}), all({[name]: {n: 1, input: "$g", from: 1}})])
//> [
//>   [
//>     "5787908 'n' must be greater than 0, found 0",
//>     `5787902 Value for 'n' must be of integral type, but found "2"`,
//>     "5787903 Value for 'n' must be of integral type, but found 1.5",
//>     "5787906 Missing value for 'n'",
//>     "5787907 Missing value for 'input'",
//>     '5787801 specification must be an object; found $firstN: "$g"',
//>     "5787901 Unknown argument for 'n' operator: from"
//>   ],
//>   [
//>     "5787908 'n' must be greater than 0, found 0",
//>     `5787902 Value for 'n' must be of integral type, but found "2"`,
//>     "5787903 Value for 'n' must be of integral type, but found 1.5",
//>     "5787906 Missing value for 'n'",
//>     "5787907 Missing value for 'input'",
//>     '5787801 specification must be an object; found $lastN: "$g"',
//>     "5787901 Unknown argument for 'n' operator: from"
//>   ],
//>   [
//>     "5787908 'n' must be greater than 0, found 0",
//>     `5787902 Value for 'n' must be of integral type, but found "2"`,
//>     "5787903 Value for 'n' must be of integral type, but found 1.5",
//>     "5787906 Missing value for 'n'",
//>     "5787907 Missing value for 'input'",
//>     '5787900 specification must be an object; found $minN: "$g"',
//>     "5787901 Unknown argument for 'n' operator: from"
//>   ],
//>   [
//>     "5787908 'n' must be greater than 0, found 0",
//>     `5787902 Value for 'n' must be of integral type, but found "2"`,
//>     "5787903 Value for 'n' must be of integral type, but found 1.5",
//>     "5787906 Missing value for 'n'",
//>     "5787907 Missing value for 'input'",
//>     '5787900 specification must be an object; found $maxN: "$g"',
//>     "5787901 Unknown argument for 'n' operator: from"
//>   ]
//> ]
["$topN", "$bottomN"].map((name) => [all({[name]: {n: 0, sortBy: {g: 1}, output: "$g"}}), all({[name]: {n: 1, output: "$g"}}), all({[name]: {n: 1, sortBy: {g: 1}}}), all({[name]: {n: 1, sortBy: 1, output: "$g"}}), all({[name]: {sortBy: {g: 1}, output: "$g"}}), all({[name]: 5})])
//> [
//>   [
//>     "5787908 'n' must be greater than 0, found 0",
//>     "5788005 Missing value for 'sortBy'",
//>     "5788004 Missing value for 'output'",
//>     '10065 invalid parameter: expected an object (sortBy)',
//>     "5788003 Missing value for 'n'",
//>     '5788001 specification must be an object; found $topN: 5'
//>   ],
//>   [
//>     "5787908 'n' must be greater than 0, found 0",
//>     "5788005 Missing value for 'sortBy'",
//>     "5788004 Missing value for 'output'",
//>     '10065 invalid parameter: expected an object (sortBy)',
//>     "5788003 Missing value for 'n'",
//>     '5788001 specification must be an object; found $bottomN: 5'
//>   ]
//> ]
["$top", "$bottom"].map((name) => [all({[name]: {n: 1, sortBy: {g: 1}, output: "$g"}}), all({[name]: {output: "$g"}}), all({[name]: {sortBy: {g: 1}}}), all({[name]: {sortBy: {g: 2}, output: "$g"}}), all({[name]: "$g"})])
//> [
//>   [
//>     "5788002 Unknown argument to $top 'n'",
//>     "5788005 Missing value for 'sortBy'",
//>     "5788004 Missing value for 'output'",
//>     '15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)',
//>     '5788001 specification must be an object; found $top: "$g"'
//>   ],
//>   [
//>     "5788002 Unknown argument to $bottom 'n'",
//>     "5788005 Missing value for 'sortBy'",
//>     "5788004 Missing value for 'output'",
//>     '15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)',
//>     '5788001 specification must be an object; found $bottom: "$g"'
//>   ]
//> ]
// As expressions they take an array.
const ev = (e) => { try { return db.harvest.aggregate([{$limit: 1}, {$project: {_id: 0, r: e}}]).toArray()[0].r } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
[ev({$lastN: {n: 2, input: [1, null, 3]}}), ev({$minN: {n: 2, input: [5, null, "a", 3]}}), ev({$minN: {n: 2, input: []}}), ev({$lastN: {n: 2, input: "$herb"}}), ev({$minN: {n: 2, input: null}}), ev({$lastN: {n: 0, input: [1]}}), ev({$minN: {n: 1}})]
//> [
//>   [ null, 3 ],
//>   [ 3, 5 ],
//>   [],
//>   '5788200 Input must be an array',
//>   '5788200 Input must be an array',
//>   "5787908 'n' must be greater than 0, found 0",
//>   "5787907 Missing value for 'input'"
//> ]
// n may depend on the group's _id, and on nothing else.
db.byN.insertMany([{_id: 1, g: 1, v: 1}, {_id: 2, g: 2, v: 2}, {_id: 3, g: 2, v: 3}, {_id: 4, g: 2, v: 4}, {_id: 5, g: 1, v: 5}]).acknowledged
//> true
const byN = (accumulator) => { try { return db.byN.aggregate([{$sort: {_id: 1}}, {$group: {_id: {g: "$g"}, r: accumulator}}, {$sort: {_id: 1}}]).toArray().map((d) => d.r) } catch (x) { return x.code + " " + x.message } };
[byN({$firstN: {n: "$g", input: "$v"}}), byN({$lastN: {n: "$g", input: "$v"}}), byN({$minN: {n: {$add: ["$g", 1]}, input: "$v"}}), byN({$maxN: {n: "$g", input: "$v"}}), byN({$topN: {n: "$g", sortBy: {v: -1}, output: "$v"}}), byN({$bottomN: {n: "$g", sortBy: {v: -1}, output: "$v"}})]
//> [
//>   [ [ 1 ], [ 2, 3 ] ],
//>   [ [ 5 ], [ 3, 4 ] ],
//>   [ [ 1, 5 ], [ 2, 3, 4 ] ],
//>   [ [ 5 ], [ 4, 3 ] ],
//>   [ [ 5 ], [ 4, 3 ] ],
//>   [ [ 1 ], [ 3, 2 ] ]
//> ]
[byN({$firstN: {n: "$v", input: "$v"}}), byN({$topN: {n: {$subtract: ["$g", 1]}, sortBy: {v: 1}, output: "$v"}})]
//> [
//>   "5787902 Executor error during aggregate command on namespace: test.byN :: caused by :: Value for 'n' must be of integral type, but found missing",
//>   "5787908 Executor error during aggregate command on namespace: test.byN :: caused by :: 'n' must be greater than 0, found 0"
//> ]
