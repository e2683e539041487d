"""What a program does with PyMongo, on the server whose address is given. Prints "done"."""

import sys
from pymongo import CursorType, InsertOne, MongoClient, UpdateOne
from pymongo.errors import DuplicateKeyError
from gridfs import GridFS

client = MongoClient(sys.argv[1], replicaSet="quire", w="majority", compressors="zlib", retryWrites=True)
db = client.python
many = db.many
many.insert_many([{"_id": i, "text": "x" * 200} for i in range(2000)])
assert sum(each["_id"] for each in many.find(batch_size=100)) == 1999 * 1000
# One answer after another to one question.
assert sum(1 for _ in many.find(cursor_type=CursorType.EXHAUST, batch_size=100)) == 2000
many.create_index([("text", 1), ("_id", -1)])
assert many.count_documents({"_id": {"$lt": 10}}) == 10
try:
    many.insert_one({"_id": 1})
    raise AssertionError("a duplicate was taken")
except DuplicateKeyError:
    pass
result = many.bulk_write([InsertOne({"_id": -1}), UpdateOne({"_id": 1}, {"$set": {"a": 1}})])
assert (result.inserted_count, result.modified_count) == (1, 1)
with client.start_session() as session:
    session.with_transaction(lambda s: db.moved.insert_one({"_id": 1}, session=s))
assert db.moved.find_one() == {"_id": 1}
with db.moved.watch() as stream:
    db.moved.insert_one({"_id": 2})
    assert next(stream)["documentKey"] == {"_id": 2}
files = GridFS(db)
assert files.get(files.put(b"quire" * 100000)).read() == b"quire" * 100000
client.close()
print("done")
