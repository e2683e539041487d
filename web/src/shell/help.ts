/** The texts of `help`, `db.help()`, `db.collection.help()` and `cursor.help()`: one line a method. */
import { ShellText } from "./show.ts";

type Lines = readonly (readonly [string, string])[];

function text(title: string, lines: Lines): ShellText {
  const width = Math.max(...lines.map(([name]) => name.length));
  return new ShellText(
    [`  ${title}:`, "", ...lines.map(([name, what]) => `    ${name.padEnd(width)}  ${what}`)].join("\n"),
  );
}

const SHELL: Lines = [
  ["use <name>", "Makes another database current"],
  ["show dbs", "Lists the databases"],
  ["show collections", "Lists the current database's collections"],
  ["it", "Shows the next documents of the last cursor"],
  ["db.help()", "Lists the methods of a database"],
  ["db.<name>.help()", "Lists the methods of a collection"],
  ["db.<name>.find().help()", "Lists the methods of a cursor"],
  ["print(…), printjson(…)", "Prints values"],
  ["bsonsize(document)", "How many bytes a document takes"],
  ['clock.advance("1h")', "Moves the engine's clock; clock.reset() sets it back"],
  ['quire.bookmark("start")', 'Keeps the data under a name; quire.restore("start") brings it back'],
  ["quire.help()", "Lists the methods of quire"],
];

const QUIRE: Lines = [
  ["bookmark(name)", "Keeps all databases as they are now under a name"],
  ["restore(nameOrNumber)", "Brings everything back as it was then"],
  ["restore(nameOrNumber, { database, collection })", "Brings back one database, or one collection"],
  ["moments()", "The moments that are kept: number, name, time, what was done, pages"],
];

const DATABASE: Lines = [
  ["getCollection(name)", "A collection by name, whatever the name"],
  ["getSiblingDB(name)", "Another database"],
  ["getCollectionNames()", "The names of the collections and views"],
  ["getCollectionInfos(filter)", "Names, types and options of the collections"],
  ["createCollection(name, options)", "Creates a collection (capped, validated, …)"],
  ["createView(name, source, pipeline)", "Creates a view"],
  ["dropDatabase()", "Drops the database"],
  ["aggregate(pipeline)", "Runs a pipeline which has no collection"],
  ["runCommand(command)", "Runs any command on the database"],
  ["adminCommand(command)", "Runs any command on the admin database"],
  ["stats()", "Counts and sizes of the database"],
  ["version()", "The MongoDB version the engine is compatible with"],
  ["serverStatus()", "The engine's figures"],
  ["hello()", "What the engine is and which limits it has"],
  ["setProfilingLevel(level, options)", "Which commands system.profile keeps; getProfilingStatus()"],
  ["setLogLevel(level, component)", "How much is logged; getLogComponents()"],
  ["createUser(user), getUsers(), dropUser(name)", "Users, which are kept but cannot sign in; roles likewise"],
];

const COLLECTION: Lines = [
  ["find(filter, projection)", "A cursor over the documents that match"],
  ["findOne(filter, projection)", "The first document that matches, or null"],
  ["aggregate(pipeline)", "A cursor over a pipeline's results"],
  ["countDocuments(filter)", "How many documents match"],
  ["estimatedDocumentCount()", "How many documents there are, by the collection's own count"],
  ["distinct(field, filter)", "The different values of a field"],
  ["insertOne(document), insertMany(documents)", "Insert"],
  ["updateOne(filter, update), updateMany(…)", "Update the first, or all, that match"],
  ["replaceOne(filter, replacement)", "Replaces the first that matches"],
  ["deleteOne(filter), deleteMany(filter)", "Delete the first, or all, that match"],
  ["findOneAndUpdate(filter, update)", "Updates one and gives it back; also …Replace, …Delete"],
  ["bulkWrite(operations)", "Runs several writes in one go"],
  ["createIndex(keys, options)", "Builds an index; also createIndexes"],
  ["getIndexes()", "Lists the indexes"],
  ["dropIndex(name), dropIndexes()", "Drop one index, or all but _id"],
  ["explain(verbosity)", "Explains the next call: explain().find(…)"],
  ["drop()", "Drops the collection"],
  ["renameCollection(name)", "Renames it"],
  ["isCapped(), convertToCapped(size)", "About a capped collection"],
  ["stats(), dataSize(), totalIndexSize()", "Figures"],
  ["validate()", "Checks the collection and its indexes"],
];

const CURSOR: Lines = [
  ["sort(order), limit(n), skip(n)", "Order and cut the results"],
  ["projection(fields)", "Which fields to give"],
  ["hint(index), min(bound), max(bound)", "Which index to use, between which bounds"],
  ["collation(options), comment(text)", "Language rules; a note"],
  ["toArray()", "All remaining documents"],
  ["forEach(f), map(f)", "Call a function for each document"],
  ["next(), hasNext(), tryNext()", "One document after another"],
  ["count(), size(), itcount()", "How many"],
  ["explain(verbosity)", "The plan, and what it cost"],
  ["[n]", "The document at a place"],
];

export const quireHelp = (): ShellText => text("Quire", QUIRE);
export const shellHelp = (): ShellText => text("Shell", SHELL);
export const databaseHelp = (): ShellText => text("Database Class", DATABASE);
export const collectionHelp = (): ShellText => text("Collection Class", COLLECTION);
export const cursorHelp = (): ShellText => text("Cursor Class", CURSOR);
