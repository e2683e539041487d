/*
 * What a program does with MongoDB's C driver (libmongoc), on the server whose address is given. Prints "done".
 *
 * cc trial.c $(pkg-config --cflags --libs libmongoc-1.0)
 */
#include <mongoc/mongoc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bson_error_t error;

/* Ends the program where something is not as the driver's manual promises. */
#define CHECK(holds)                                                                  \
   do {                                                                               \
      if (!(holds)) {                                                                 \
         fprintf(stderr, "line %d: %s: %s\n", __LINE__, #holds, error.message);       \
         exit(1);                                                                     \
      }                                                                               \
   } while (0)

/* How many documents a cursor gives; it is destroyed. */
static int count(mongoc_cursor_t *cursor)
{
   const bson_t *document;
   int counted = 0;
   while (mongoc_cursor_next(cursor, &document))
      counted += 1;
   CHECK(!mongoc_cursor_error(cursor, &error));
   mongoc_cursor_destroy(cursor);
   return counted;
}

static int64_t number_of(const bson_t *reply, const char *name)
{
   bson_iter_t found;
   CHECK(bson_iter_init_find(&found, reply, name));
   return bson_iter_as_int64(&found);
}

/* Many documents in one batch, and a cursor over many batches. */
static void long_cursors(mongoc_collection_t *many)
{
   char text[400];
   memset(text, 'x', sizeof text);
   bson_t *documents[2000];
   for (int number = 0; number < 2000; number += 1) {
      documents[number] = BCON_NEW("_id", BCON_INT32(number));
      bson_append_utf8(documents[number], "text", -1, text, sizeof text);
   }
   CHECK(mongoc_collection_insert_many(many, (const bson_t **) documents, 2000, NULL, NULL, &error));
   for (int number = 0; number < 2000; number += 1)
      bson_destroy(documents[number]);
   bson_t *none = bson_new();
   bson_t *in_batches = BCON_NEW("batchSize", BCON_INT32(90));
   CHECK(count(mongoc_collection_find_with_opts(many, none, in_batches, NULL)) == 2000);
   bson_t *filter = BCON_NEW("_id", "{", "$lt", BCON_INT32(10), "}");
   CHECK(mongoc_collection_count_documents(many, filter, NULL, NULL, NULL, &error) == 10);
   bson_destroy(filter);
   bson_destroy(in_batches);
   bson_destroy(none);
}

/* Indexes, errors, updates, bulk writes, aggregation. */
static void reads_and_writes(mongoc_database_t *database, mongoc_collection_t *teas)
{
   bson_t reply;
   bson_t *indexes = BCON_NEW("createIndexes", "teas", "indexes", "[", "{", "key", "{", "name", BCON_INT32(1), "}", "name",
                              "by_name", "unique", BCON_BOOL(true), "}", "]");
   CHECK(mongoc_database_write_command_with_opts(database, indexes, NULL, NULL, &error));
   bson_destroy(indexes);
   CHECK(count(mongoc_collection_find_indexes_with_opts(teas, NULL)) == 2);
   bson_t *mint = BCON_NEW("name", "mint", "price", BCON_INT32(4));
   CHECK(mongoc_collection_insert_one(teas, mint, NULL, NULL, &error));
   CHECK(!mongoc_collection_insert_one(teas, mint, NULL, NULL, &error) && error.code == 11000);
   bson_destroy(mint);
   bson_t *named = BCON_NEW("name", "mint");
   bson_t *dearer = BCON_NEW("$inc", "{", "price", BCON_INT32(1), "}");
   CHECK(mongoc_collection_update_one(teas, named, dearer, NULL, &reply, &error));
   CHECK(number_of(&reply, "modifiedCount") == 1);
   bson_destroy(&reply);
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts(teas, NULL);
   bson_t *oolong = BCON_NEW("name", "oolong", "price", BCON_INT64(9));
   bson_t *absent = BCON_NEW("name", "sen");
   bson_t *upsert = BCON_NEW("upsert", BCON_BOOL(true));
   mongoc_bulk_operation_insert(bulk, oolong);
   CHECK(mongoc_bulk_operation_update_one_with_opts(bulk, absent, dearer, upsert, &error));
   mongoc_bulk_operation_remove_one(bulk, absent);
   CHECK(mongoc_bulk_operation_execute(bulk, &reply, &error) != 0);
   CHECK(number_of(&reply, "nInserted") == 1 && number_of(&reply, "nUpserted") == 1 && number_of(&reply, "nRemoved") == 1);
   bson_destroy(&reply);
   mongoc_bulk_operation_destroy(bulk);
   bson_t *pipeline = BCON_NEW("pipeline", "[", "{", "$group", "{", "_id", BCON_NULL, "sum", "{", "$sum", "$price", "}", "}", "}", "]");
   mongoc_cursor_t *groups = mongoc_collection_aggregate(teas, MONGOC_QUERY_NONE, pipeline, NULL, NULL);
   const bson_t *group;
   CHECK(mongoc_cursor_next(groups, &group) && number_of(group, "sum") == 14);
   mongoc_cursor_destroy(groups);
   bson_t *nonsense = BCON_NEW("$nonsense", BCON_INT32(1));
   mongoc_cursor_t *refused = mongoc_collection_find_with_opts(teas, nonsense, NULL, NULL);
   CHECK(!mongoc_cursor_next(refused, &group) && mongoc_cursor_error(refused, &error) && error.code == 2);
   mongoc_cursor_destroy(refused);
   bson_t *unknown = BCON_NEW("nothing", BCON_INT32(1));
   CHECK(!mongoc_database_command_simple(database, unknown, NULL, NULL, &error) && error.code == 59);
   bson_t *documents[] = {unknown, nonsense, pipeline, upsert, absent, oolong, dearer, named};
   for (size_t each = 0; each < sizeof documents / sizeof *documents; each += 1)
      bson_destroy(documents[each]);
}

/* A transaction that is committed, one that is aborted, and the changes that others see of them. */
static void transactions(mongoc_client_t *client, mongoc_client_t *other)
{
   mongoc_collection_t *moved = mongoc_client_get_collection(client, "c", "moved");
   mongoc_collection_t *seen = mongoc_client_get_collection(other, "c", "moved");
   bson_t *none = bson_new();
   const bson_t *change;
   /* Has the stream begin before the first change. */
   bson_t *brief = BCON_NEW("maxAwaitTimeMS", BCON_INT64(20));
   mongoc_change_stream_t *stream = mongoc_collection_watch(seen, none, brief);
   CHECK(!mongoc_change_stream_next(stream, &change));
   mongoc_client_session_t *session = mongoc_client_start_session(client, NULL, &error);
   CHECK(session != NULL);
   for (int round = 0; round < 2; round += 1) {
      bson_t options = BSON_INITIALIZER;
      CHECK(mongoc_client_session_start_transaction(session, NULL, &error));
      CHECK(mongoc_client_session_append(session, &options, &error));
      bson_t *document = BCON_NEW("_id", BCON_INT32(round));
      CHECK(mongoc_collection_insert_one(moved, document, &options, NULL, &error));
      CHECK(mongoc_collection_count_documents(seen, document, NULL, NULL, NULL, &error) == 0);
      if (round == 0)
         CHECK(mongoc_client_session_abort_transaction(session, &error));
      else
         CHECK(mongoc_client_session_commit_transaction(session, NULL, &error));
      CHECK(mongoc_collection_count_documents(seen, document, NULL, NULL, NULL, &error) == round);
      bson_destroy(document);
      bson_destroy(&options);
   }
   bson_iter_t found;
   bson_iter_t key;
   bool heard = false;
   while (!heard)
      heard = mongoc_change_stream_next(stream, &change);
   CHECK(bson_iter_init_find(&found, change, "operationType") && strcmp(bson_iter_utf8(&found, NULL), "insert") == 0);
   CHECK(bson_iter_init(&found, change) && bson_iter_find_descendant(&found, "documentKey._id", &key));
   CHECK(bson_iter_as_int64(&key) == 1);
   mongoc_client_session_destroy(session);
   mongoc_change_stream_destroy(stream);
   mongoc_collection_destroy(seen);
   mongoc_collection_destroy(moved);
   bson_destroy(brief);
   bson_destroy(none);
}

int main(int count_of_words, char **words)
{
   mongoc_init();
   CHECK(count_of_words == 2);
   char address[400];
   snprintf(address, sizeof address, "%s?replicaSet=quire&w=majority&retryWrites=true&compressors=zlib&appName=trial", words[1]);
   mongoc_client_t *client = mongoc_client_new(address);
   mongoc_client_t *other = mongoc_client_new(address);
   CHECK(client != NULL && other != NULL);
   mongoc_database_t *database = mongoc_client_get_database(client, "c");
   mongoc_collection_t *many = mongoc_client_get_collection(client, "c", "many");
   mongoc_collection_t *teas = mongoc_client_get_collection(client, "c", "teas");
   long_cursors(many);
   reads_and_writes(database, teas);
   transactions(client, other);
   mongoc_collection_destroy(teas);
   mongoc_collection_destroy(many);
   mongoc_database_destroy(database);
   mongoc_client_destroy(other);
   mongoc_client_destroy(client);
   mongoc_cleanup();
   puts("done");
   return 0;
}
