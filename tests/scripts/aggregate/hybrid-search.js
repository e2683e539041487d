// $rankFusion, $scoreFusion and $score over ranked and scored pipelines. Manual: $rankFusion, $scoreFusion, $score
db.teas.insertMany([{_id: 1, name: "green mint tea", price: 4, at: [0, 0]}, {_id: 2, name: "green tea", price: 9, at: [3, 3]}, {_id: 3, name: "black tea", price: 4, at: [1, 1]}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3 } }
db.teas.createIndexes([{name: "text"}, {at: "2d"}])
//> [ 'name_text', 'at_2d' ]
db.teas.aggregate([{$rankFusion: {input: {pipelines: {cheap: [{$sort: {price: 1}}], near: [{$geoNear: {near: [0, 0], key: "at"}}, {$limit: 2}]}}}}, {$project: {_id: 1, score: {$meta: "score"}}}])
//> [
//>   { _id: 1, score: 0.03278688524590164 },
//>   { _id: 3, score: 0.03252247488101534 },
//>   { _id: 2, score: 0.015873015873015872 }
//> ]
db.teas.aggregate([{$rankFusion: {input: {pipelines: {cheap: [{$sort: {price: 1}}], named: [{$match: {$text: {$search: "green"}}}, {$sort: {score: {$meta: "textScore"}}}]}}, combination: {weights: {named: 0.5}}, scoreDetails: true}}, {$limit: 1}, {$project: {_id: 1, details: {$meta: "scoreDetails"}}}])
//> [
//>   {
//>     _id: 1,
//>     details: {
//>       value: 0.02445795875198308,
//>       description: 'value output by reciprocal rank fusion algorithm, computed as sum of (weight * (1 / (60 + rank))) across input pipelines from which this document is output, from:',
//>       details: [
//>         { inputPipelineName: 'cheap', rank: 1, weight: 1, details: [] },
//>         {
//>           inputPipelineName: 'named',
//>           rank: 2,
//>           weight: 0.5,
//>           value: 0.6666666666666666,
//>           details: []
//>         }
//>       ]
//>     }
//>   }
//> ]
db.teas.aggregate([{$rankFusion: {input: {pipelines: {cheap: [{$sort: {price: 1}}]}}, scoreDetails: true}}, {$match: {_id: 2}}, {$set: {score: {$meta: "score"}}}])
//> [
//>   {
//>     _id: 2,
//>     name: 'green tea',
//>     price: 9,
//>     at: [ 3, 3 ],
//>     score: 0.015873015873015872
//>   }
//> ]
db.teas.aggregate([{$scoreFusion: {input: {pipelines: {named: [{$match: {$text: {$search: "green"}}}], price: [{$score: {score: "$price"}}]}, normalization: "none"}, combination: {weights: {price: 0.5}}, scoreDetails: true}}, {$project: {score: {$meta: "score"}, details: {$meta: "scoreDetails"}}}])
//> [
//>   {
//>     _id: 2,
//>     score: 2.625,
//>     details: {
//>       value: 2.625,
//>       description: 'the value calculated by combining the scores (either normalized or raw) across input pipelines from which this document is output from:',
//>       normalization: 'none',
//>       combination: { method: 'average' },
//>       details: [
//>         {
//>           inputPipelineName: 'named',
//>           inputPipelineRawScore: 0.75,
//>           weight: 1,
//>           value: 0.75,
//>           details: []
//>         },
//>         {
//>           inputPipelineName: 'price',
//>           inputPipelineRawScore: 9,
//>           weight: 0.5,
//>           value: 4.5,
//>           details: []
//>         }
//>       ]
//>     }
//>   },
//>   {
//>     _id: 1,
//>     score: 1.3333333333333333,
//>     details: {
//>       value: 1.3333333333333333,
//>       description: 'the value calculated by combining the scores (either normalized or raw) across input pipelines from which this document is output from:',
//>       normalization: 'none',
//>       combination: { method: 'average' },
//>       details: [
//>         {
//>           inputPipelineName: 'named',
//>           inputPipelineRawScore: 0.6666666666666666,
//>           weight: 1,
//>           value: 0.6666666666666666,
//>           details: []
//>         },
//>         {
//>           inputPipelineName: 'price',
//>           inputPipelineRawScore: 4,
//>           weight: 0.5,
//>           value: 2,
//>           details: []
//>         }
//>       ]
//>     }
//>   },
//>   {
//>     _id: 3,
//>     score: 1,
//>     details: {
//>       value: 1,
//>       description: 'the value calculated by combining the scores (either normalized or raw) across input pipelines from which this document is output from:',
//>       normalization: 'none',
//>       combination: { method: 'average' },
//>       details: [
//>         {
//>           inputPipelineName: 'named',
//>           inputPipelineRawScore: 0,
//>           weight: 1,
//>           value: 0,
//>           details: []
//>         },
//>         {
//>           inputPipelineName: 'price',
//>           inputPipelineRawScore: 4,
//>           weight: 0.5,
//>           value: 2,
//>           details: []
//>         }
//>       ]
//>     }
//>   }
//> ]
db.teas.aggregate([{$scoreFusion: {input: {pipelines: {price: [{$score: {score: "$price"}}], id: [{$score: {score: "$_id", normalization: "sigmoid"}}, {$limit: 2}]}, normalization: "minMaxScaler"}, combination: {method: "expression", expression: {$sum: ["$$price", {$multiply: ["$$id", 10]}, "$price"]}}}}, {$project: {score: {$meta: "score"}}}])
//> [ { _id: 2, score: 20 }, { _id: 1, score: 4 }, { _id: 3, score: 4 } ]
db.teas.aggregate([{$score: {score: {$multiply: ["$price", 2]}, normalization: "minMaxScaler", weight: 0.5, scoreDetails: true}}, {$sort: {s: {$meta: "score"}, _id: 1}}, {$limit: 1}, {$project: {score: {$meta: "score"}, details: {$meta: "scoreDetails"}}}])
//> [
//>   {
//>     _id: 2,
//>     score: 0.5,
//>     details: {
//>       value: 0.5,
//>       description: 'the score calculated from multiplying a weight in the range [0,1] with either a normalized or nonnormalized value:',
//>       rawScore: 18,
//>       normalization: 'minMaxScaler',
//>       weight: 0.5,
//>       expression: "{ string: { $multiply: [ '$price', 2 ] } }",
//>       details: []
//>     }
//>   }
//> ]
db.createView("some", "teas", [{$match: {_id: {$lt: 3}}}])
//> { ok: 1 }
db.some.aggregate([{$rankFusion: {input: {pipelines: {a: [{$sort: {price: -1}}], b: [{$sort: {_id: -1}}]}}}}, {$project: {score: {$meta: "score"}}}])
//> [
//>   { _id: 2, score: 0.03278688524590164 },
//>   { _id: 1, score: 0.03225806451612903 }
//> ]
db.nothing.aggregate([{$rankFusion: {input: {pipelines: {a: [{$sort: {a: 1}}]}}}}])
//>
db.teas.aggregate([{$project: {score: {$meta: "score"}}}])
//> MongoServerError[Location40218]: query requires score metadata, but it is not available
db.teas.aggregate([{$score: {score: "$name"}}])
//> MongoServerError[TypeMismatch]: Executor error during aggregate command on namespace: test.teas :: caused by :: $multiply only supports numeric types, not string
db.teas.aggregate([{$match: {}}, {$rankFusion: {input: {pipelines: {a: [{$sort: {a: 1}}]}}}}])
//> MongoServerError[Location10170100]: $rankFusion must be the first stage in the pipeline
db.teas.aggregate([{$rankFusion: {input: {pipelines: {a: [{$match: {}}]}}}}])
//> MongoServerError[Location9191100]: Pipeline did not begin with a ranked stage. All subpipelines to the $rankFusion stage must begin with one of $search, $vectorSearch, $geoNear, or have a custom $sort in the pipeline.
db.teas.aggregate([{$scoreFusion: {input: {pipelines: {a: [{$sort: {a: 1}}]}, normalization: "none"}}}])
//> MongoServerError[Location9402500]: Pipeline did not begin with a ranked stage. All subpipelines to the $scoreFusion stage must begin with one of $search, $vectorSearch, or have a custom $score in the pipeline.
db.createCollection("series", {timeseries: {timeField: "t"}})
//> { ok: 1 }
db.series.aggregate([{$rankFusion: {input: {pipelines: {a: [{$sort: {a: 1}}]}}}}])
//> MongoServerError[Location10557301]: $rankFusion is unsupported on timeseries collections
db.setMetadata.aggregate([{$setMetadata: {score: 1}}, {$_internalRank: {as: "rank", sortBy: {a: 1}}}])
//>
