// Posts with their comments inside, and indexes that reach into arrays.
use cms

db.users.drop(); db.posts.drop()
db.users.insertMany([
  { _id: "alex", name: "Alex Rivera", karma: 12 },
  { _id: "sam", name: "Sam Okafor", karma: 40 },
  { _id: "kim", name: "Kim Lee", karma: 3 },
])

const authors = ["alex", "sam", "kim"], topics = ["databases", "gardens", "paper", "trains"]
for (let i = 0; i < 300; i++) {
  db.posts.insertOne({
    title: "Post " + i,
    author: authors[i % 3],
    date: new Date(Date.UTC(2024, 0, 1 + i)),
    tags: [topics[i % 4], topics[(i + 1) % 4]],
    comments: [
      { who: authors[(i + 1) % 3], text: "First!" },
      { who: authors[(i + 2) % 3], text: "I disagree with " + authors[(i + 1) % 3] },
    ].slice(0, i % 3),
  })
}

// What does it cost to find one author's posts? Before and after an index.
const cost = (what, filter) => {
  const stats = db.posts.find(filter).explain("executionStats").executionStats
  print(what + ":", stats.totalKeysExamined, "keys,", stats.totalDocsExamined, "documents read to find", stats.nReturned)
}
cost("author, no index", { author: "alex" })
db.posts.createIndex({ author: 1 })
cost("author, indexed", { author: "alex" })

// An index over an array has one key an element, also inside embedded documents.
cost("tag, no index", { tags: "paper" })
db.posts.createIndex({ tags: 1 })
cost("tag, indexed", { tags: "paper" })
cost("commenter, no index", { "comments.who": "kim" })
db.posts.createIndex({ "comments.who": 1 })
cost("commenter, indexed", { "comments.who": "kim" })

// The newest post, joined to its author here in the script.
const post = db.posts.find().sort({ date: -1 })[0]
const author = db.users.findOne({ _id: post.author })
print(post.title, "by", author.name)

// The plan of the last question. Its tree is above the whole explain.
db.posts.find({ "comments.who": "kim" }).explain("executionStats")
