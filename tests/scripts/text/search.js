// $text: terms, phrases, negations, languages and sensitivities. Manual: reference/operator/query/text.
db.articles.createIndex({ subject: "text" })
//> subject_text
db.articles.insertMany([{ _id: 1, subject: "coffee", author: "xyz", views: 50 }, { _id: 2, subject: "Coffee Shopping", author: "efg", views: 5 }, { _id: 3, subject: "Baking a cake", author: "abc", views: 90 }, { _id: 4, subject: "baking", author: "xyz", views: 100 }, { _id: 5, subject: "Café Con Leche", author: "abc", views: 200 }, { _id: 6, subject: "Сырники", author: "jkl", views: 80 }, { _id: 7, subject: "coffee and cream", author: "efg", views: 10 }, { _id: 8, subject: "Cafe con Leche", author: "xyz", views: 10 }])
//> {
//>   acknowledged: true,
//>   insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8 }
//> }
const ids = (text, more) => db.articles.find({ $text: text, ...more }, { _id: 1 }).sort({ _id: 1 }).toArray().map(one => one._id).join(" ")
ids({ $search: "coffee" })
//> 1 2 7
ids({ $search: "bake coffee cake" })
//> 1 2 3 4 7
ids({ $search: "\"coffee shop\"" })
//> 2
ids({ $search: "coffee -shop" })
//> 1 7
ids({ $search: "\"coffee shop\" cream" })
//> 2
ids({ $search: "coffee -\"and cream\"" })
//> 1 2
ids({ $search: "leche", $language: "es" })
//> 5 8
ids({ $search: "сырники CAFÉS" })
//> 5 6 8
ids({ $search: "Coffee", $caseSensitive: true })
//> 2
ids({ $search: "\"Café Con Leche\"", $caseSensitive: true })
//> 5
ids({ $search: "CAFÉ", $diacriticSensitive: true })
//> 5
ids({ $search: "leche -cafe", $diacriticSensitive: true })
//> 5
ids({ $search: "CAFÉ", $diacriticSensitive: true, $caseSensitive: true })
//>
ids({ $search: "" })
//>
ids({ $search: "the and of" })
//>
ids({ $search: "-coffee" })
//>
ids({ $search: "coffee" }, { author: "efg" })
//> 2 7
ids({ $search: "coffee" }, { views: { $gt: 5 }, author: { $in: ["xyz", "efg"] } })
//> 1 7
// Scores: for one text the weight, times 1, 1.5, 1.75… for each time a term is there, times a half and half of its share
// of the text, times 1.1 where it is the whole text.
db.articles.find({ $text: { $search: "coffee cake" } }, { score: { $meta: "textScore" }, _id: 1 }).sort({ score: { $meta: "textScore" }, _id: 1 })
//> [
//>   { _id: 1, score: 1 },
//>   { _id: 2, score: 0.75 },
//>   { _id: 3, score: 0.75 },
//>   { _id: 7, score: 0.75 }
//> ]
db.articles.find({ $text: { $search: "coffee" } }, { _id: 1 }).sort({ s: { $meta: "textScore" } }).limit(1)
//> [ { _id: 1 } ]
db.articles.find({ $text: { $search: "cake" } }, { score: { $meta: "textScore" } })
//> [
//>   {
//>     _id: 3,
//>     subject: 'Baking a cake',
//>     author: 'abc',
//>     views: 90,
//>     score: 0.75
//>   }
//> ]
db.articles.aggregate([{ $match: { $text: { $search: "cake" } } }, { $group: { _id: null, views: { $sum: "$views" } } }])
//> [ { _id: null, views: 90 } ]
db.articles.aggregate([{ $match: { $text: { $search: "cake coffee" } } }, { $sort: { score: { $meta: "textScore" }, _id: 1 } }, { $project: { _id: 1, s: { $meta: "textScore" } } }])
//> [
//>   { _id: 1, s: 1 },
//>   { _id: 2, s: 0.75 },
//>   { _id: 3, s: 0.75 },
//>   { _id: 7, s: 0.75 }
//> ]
db.articles.aggregate([{ $match: { $text: { $search: "cake coffee" } } }, { $addFields: { s: { $meta: "textScore" } } }, { $match: { s: { $gt: 1 } } }, { $project: { s: 1 } }])
//>
db.articles.aggregate([{ $match: { $text: { $search: "coffee" }, views: { $gte: 10 } } }, { $set: { s: { $meta: "textScore" } } }, { $sort: { views: 1 } }, { $project: { s: 1, views: 1 } }])
//> [ { _id: 7, views: 10, s: 0.75 }, { _id: 1, views: 50, s: 1 } ]
db.articles.find({ $text: { $search: "coffee" } }, { s: { $meta: "textScore" }, k: { $meta: "sortKey" }, _id: 1 }).sort({ s: { $meta: "textScore" } })
//> [
//>   { _id: 1, s: 1, k: [ 1 ] },
//>   { _id: 2, s: 0.75, k: [ 0.75 ] },
//>   { _id: 7, s: 0.75, k: [ 0.75 ] }
//> ]
// In an $or every other branch has an index; its documents have no score.
db.articles.createIndex({ views: 1 })
//> views_1
db.articles.find({ $or: [{ $text: { $search: "cake" } }, { views: 200 }] }, { score: { $meta: "textScore" }, _id: 1 })
//> [ { _id: 5 }, { _id: 3, score: 0.75 } ]
db.articles.find({ $and: [{ $or: [{ $text: { $search: "cake" } }, { views: { $gt: 99 } }] }, { author: "abc" }] }, { _id: 1 }).sort({ _id: 1 })
//> [ { _id: 3 }, { _id: 5 } ]
// Other commands.
[db.articles.countDocuments({ $text: { $search: "coffee" } }), db.articles.find({ $text: { $search: "coffee" } }).count()]
//> [ 3, 3 ]
db.articles.distinct("author", { $text: { $search: "coffee cake" } })
//> [ 'abc', 'efg', 'xyz' ]
db.articles.updateMany({ $text: { $search: "coffee -cream" } }, { $set: { hot: true } }).modifiedCount
//> 2
db.articles.findAndModify({ query: { $text: { $search: "coffee" } }, sort: { s: { $meta: "textScore" } }, update: { $inc: { views: 1 } }, new: true, fields: { views: 1 } })
//> { _id: 1, views: 51 }
db.articles.deleteMany({ $text: { $search: "baking" }, views: 100 }).deletedCount
//> 1
ids({ $search: "baking" })
//> 3
db.articles.updateOne({ $text: { $search: "сырники" } }, { $set: { subject: "Cheesecakes" } }).modifiedCount
//> 1
[ids({ $search: "сырники" }), ids({ $search: "cheesecake" })]
//> [ '', '6' ]
db.createView("coffees", "articles", [{ $match: { $text: { $search: "coffee" } } }])
//> { ok: 1 }
db.coffees.find({ views: { $gt: 10 } }, { _id: 1 })
//> [ { _id: 1 } ]
db.articles.aggregate([{ $limit: 1 }, { $lookup: { from: "articles", pipeline: [{ $match: { $text: { $search: "leche" } } }, { $project: { _id: 1, s: { $meta: "textScore" } } }], as: "l" } }, { $project: { l: 1, _id: 0 } }])
//> [
//>   {
//>     l: [
//>       { _id: 5, s: 0.6666666666666666 },
//>       { _id: 8, s: 0.6666666666666666 }
//>     ]
//>   }
//> ]
db.articles.aggregate([{ $match: { $text: { $search: "cake" } } }, { $unionWith: { coll: "articles", pipeline: [{ $match: { $text: { $search: "shops" } } }] } }, { $project: { _id: 1 } }])
//> [ { _id: 3 }, { _id: 2 } ]
// Compound indexes: a value for each field before the text; fields behind it are tested on keys.
db.shop.createIndex({ dept: 1, description: "text", price: 1 })
//> dept_1_description_text_price_1
db.shop.insertMany([{ _id: 1, dept: "tech", description: "lime green computer", price: 5 }, { _id: 2, dept: "tech", description: "wireless red mouse", price: 9 }, { _id: 3, dept: "kitchen", description: "green placemat", price: 2 }, { _id: 4, dept: "tech", description: "a green, green mouse" }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4 } }
db.shop.find({ dept: "tech", $text: { $search: "green" } }, { s: { $meta: "textScore" } }).sort({ _id: 1 })
//> [
//>   {
//>     _id: 1,
//>     dept: 'tech',
//>     description: 'lime green computer',
//>     price: 5,
//>     s: 0.6666666666666666
//>   },
//>   {
//>     _id: 4,
//>     dept: 'tech',
//>     description: 'a green, green mouse',
//>     s: 1.25
//>   }
//> ]
db.shop.find({ dept: "tech", $text: { $search: "green mouse" }, price: { $gt: 4 } }).sort({ _id: 1 })
//> [
//>   {
//>     _id: 1,
//>     dept: 'tech',
//>     description: 'lime green computer',
//>     price: 5
//>   },
//>   { _id: 2, dept: 'tech', description: 'wireless red mouse', price: 9 }
//> ]
db.shop.find({ dept: "tech", $text: { $search: "green" }, price: null }, { _id: 1 })
//> [ { _id: 4 } ]
// Languages of documents, and of documents inside.
db.quotes.createIndex({ original: "text", "translation.quote": "text" })
//> original_text_translation.quote_text
db.quotes.insertMany([{ _id: 1, language: "portuguese", original: "A sorte protege os audazes.", translation: [{ language: "english", quote: "Fortune favors the bold." }, { language: "spanish", quote: "La suerte protege a los audaces." }] }, { _id: 2, language: "spanish", original: "Nada hay más surrealista que la realidad.", translation: [{ language: "french", quote: "Il n'y a rien de plus surréaliste que la réalité" }] }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
const quotes = (search, language) => db.quotes.find({ $text: { $search: search, $language: language } }, { _id: 1 }).toArray().map(one => one._id).join(" ");
[quotes("fortunes", "english"), quotes("réalités", "french"), quotes("audaz", "spanish"), quotes("réalités", "english")]
//> [ '1', '2', '1', '' ]
// Chinese is not cut into words: a text between two signs of punctuation is one term. An array of keywords is found by each.
db.books.createIndex({ title: "text", words: "text" })
//> title_text_words_text
db.books.insertMany([{ _id: 1, title: "北京大学的历史" }, { _id: 2, title: "北京大学的历史", words: ["北京", "大学", "历史"] }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
db.books.find({ $text: { $search: "北京" } }, { _id: 1 })
//> [ { _id: 2 } ]
db.books.find({ $text: { $search: "北京大学的历史" } }, { _id: 1 }).sort({ _id: 1 })
//> [ { _id: 1 }, { _id: 2 } ]
