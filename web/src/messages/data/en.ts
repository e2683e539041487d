/**
 * The words of the data's menus and dialogs in English, fetched with them.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
import { first, plural } from "../plural.ts";
export const en = {
  "menu.label": (name: string) => `Actions for ${name}`,
  "menu.find": "Find documents",
  "menu.script": "Write its name into the script",
  "menu.use": "Use in the script",
  "menu.createCollection": "New collection…",
  "menu.createIndex": "New index…",
  "menu.import": "Import…",
  "menu.export": "Export…",
  "menu.samples": "Sample data…",
  "menu.dumpAll": "Export everything…",
  "menu.schema": "Schema",
  "menu.watch": "Watch changes",
  "menu.model": "Model",
  "menu.rename": "Rename…",
  "menu.dropCollection": "Drop collection…",
  "menu.dropView": "Drop view…",
  "menu.dropDatabase": "Drop database…",
  "menu.dropIndex": "Drop index…",
  "menu.hideIndex": "Hide from the planner",
  "menu.showIndex": "Show to the planner",
  "menu.copyName": "Copy name",
  "menu.copied": "Copied.",
  "menu.copyFailed": "The browser did not allow copying.",

  close: "Close",
  cancel: "Cancel",
  working: "Working…",

  "value.label": "Chosen value",
  "value.whole": "The whole value",
  "value.document": (number: string) => `document ${number}`,
  "value.format": "Wording",
  "value.copy": "Copy value",
  "value.copy.short": "value",
  "value.copyPath": "Copy path",
  "value.copyPath.short": "path",
  "value.copyDocument": "Copy document",
  "value.copyDocument.short": "document",
  "value.edit": "Edit",
  "value.type": "Type",
  "value.new": "New value",
  "value.save": "Save",
  "value.delete": "Delete document",
  "value.saved": "Saved in the database.",
  "value.deleted": "The document was deleted.",
  "value.undo": "Undo",
  "value.undone": "The old value is back.",
  "value.undeleted": "The document is back.",
  "value.gone": "This document is not in the collection any more.",
  "value.long": (most: string) =>
    `Longer than ${most} characters, it is not changed in a field: a script can, with updateOne.`,
  "value.notOfType": (type: string) => `This is no ${type}.`,

  "transfer.progress": "Progress",
  "transfer.stop": "Stop",

  "import.title": "Import files",
  "import.drop": "Drop files or a folder here, or choose them.",
  "import.choose": "Choose files",
  "import.chooseFolder": "Choose a folder",
  "import.kinds":
    "JSON or Extended JSON (an array, or a document a line), CSV or TSV with a header, and what mongodump " +
    "writes: an archive, a folder, or .bson files with their .metadata.json. Any of them may be packed by gzip.",
  "import.into": "Collection",
  "import.format": "Format",
  "import.format.json": "JSON, NDJSON or Extended JSON",
  "import.format.csv": "CSV or TSV with a header",
  "import.format.bson": "BSON (mongodump)",
  "import.columns": "Types of the columns",
  "import.type.auto": "number or text",
  "import.type.string": "text",
  "import.type.int32": "Int32",
  "import.type.int64": "Long",
  "import.type.double": "Double",
  "import.type.decimal": "Decimal128",
  "import.type.boolean": "Boolean",
  "import.type.date": "Date",
  "import.type.objectId": "ObjectId",
  "import.type.binary": "Binary",
  "import.type.skip": "leave out",
  "import.peek": "The first documents",
  "import.stopAtFirst": "Stop at the first document that is refused",
  "import.do": "Import",
  "import.progress": (inserted: string, failed: string) =>
    `${plural(inserted, "document")} inserted, ${failed} refused`,
  "import.done": (count: string, one: boolean, collection: string, file: string) =>
    `${count} ${one ? "document" : "documents"} of ${file} went into ${collection}.`,
  "import.incomplete": "The rest was not read.",
  "import.failed": (count: string, one: boolean) =>
    one ? `${count} was refused:` : `${count} were refused; the first of them:`,
  "import.failures": "What was refused",
  "import.line": (line: string) => `Line ${line}:`,
  "import.place": (line: string, column: string) => `Line ${line}, column ${column}:`,
  "import.fault.unexpected": (shown: string) => `${shown} cannot stand here.`,
  "import.fault.bracket": (shown: string) => `${shown} closes nothing that is open here.`,
  "import.fault.quote": (shown: string) => `The line ends inside the text ${shown}.`,
  "import.fault.document": (_shown: string) => "The document that begins here is never closed.",
  "import.fault.array": (_shown: string) => "The file ends inside its array.",
  "import.fault.long": (_shown: string) => "The document that begins here is too long.",
  "import.fault.wording": (shown: string, right: string) =>
    right === ""
      ? `${shown} cannot be read: it is no value of that type.`
      : `${shown} cannot be read. It has to be written like this: ${right}`,
  "import.fault.beside": (shown: string, right: string) => `${shown} has other names beside ${right}.`,
  "import.fault.wide": (shown: string, right: string) =>
    `No number keeps all digits of ${shown}.${right === "" ? "" : ` It can be written like this: ${right}`}`,
  "import.fault.twice": (shown: string) => `The name ${shown} is there twice in one document.`,
  "import.fault.deep": (_shown: string) => "Documents are nested too deeply here.",
  "import.fault.bareQuote": (_shown: string) =>
    "A quotation mark stands in a cell that does not begin with one. Put the cell in quotes, and double the mark.",
  "import.fault.strayQuote": (_shown: string) => "A quotation mark inside a cell in quotes has to be doubled.",
  "import.fault.openQuote": (_shown: string) => "The quotation mark that opens a cell here is never closed.",
  "import.fault.row": (_shown: string) => "The row that begins here is too long.",
  "import.fault.cell": (shown: string, right: string) => `${shown} is no ${right}.`,
  "import.fault.cells": (shown: string, right: string) => `The row has ${shown} cells, and the header ${right}.`,
  "import.fault.identical": (shown: string) =>
    `The header names ${shown} twice. Leave one of the columns out, or give it another name.`,
  "import.fault.incompatible": (shown: string, right: string) =>
    `The columns ${right} and ${shown} cannot both be there: one would be a value, and a document too.`,
  "import.fault.name": (shown: string) => `${shown} cannot be the name of a field.`,
  "import.fault.type": (shown: string, right: string) =>
    `The column ${shown} is said to be of the type ${right}, which there is not.`,
  "import.fault.binary": (_shown: string) => "This is no text. The file may be a picture, a program or an archive.",
  "import.fault.encoding": (_shown: string) =>
    "The text is not in UTF-8 here. Save the file as UTF-8 and import it again.",
  "import.fault.bson": (shown: string) => `This is no BSON document: ${shown}`,
  "import.fault.value": (shown: string) => `This cannot be stored: ${shown}`,
  "import.lost": "Copy the broken lines",
  "import.lost.copied": (count: string, one: boolean) =>
    one ? `${count} broken line was copied.` : `${count} broken lines were copied.`,
  "import.document": (number: string) => `Document ${number}:`,
  "import.another": "Import another",

  "many.reading": "Reading what the files hold…",
  "many.parts": "Collections to import",
  "many.chosen": (chosen: string, all: string) => `${chosen} of ${all} chosen`,
  "many.into": "goes into",
  "many.target": (name: string) => `Where ${name} goes: database and collection`,
  "many.view": "view",
  "many.capped": "capped",
  "many.indexes": (count: string, one: boolean) => (one ? `${count} index` : `${count} indexes`),
  "many.documents": (count: string, one: boolean) => (one ? `${count} document` : `${count} documents`),
  "many.viewMade": "The view was made.",
  "many.drop": "Drop the collections that have these names first",
  "many.drop.about": "Otherwise documents are added to what is there, and those whose _id is taken are refused.",
  "many.leftOut": (names: string) => `Not for here, and left out: ${names}.`,
  "many.none": "There is nothing to import in this.",
  "many.needsOne": "Choose at least one collection.",
  "many.needsName": (name: string) => `Write where ${name} goes as database.collection.`,
  "many.twice": (name: string) => `Two would go into ${name}.`,
  "many.progress": (done: string, all: string, inserted: string, failed: string) =>
    `${done} of ${plural(all, "collection")}; ${plural(inserted, "document")} inserted, ${failed} refused`,
  "many.done": (documents: string, one: boolean, collections: string, oneCollection: boolean) =>
    `${documents} ${one ? "document" : "documents"} went into ${collections} ` +
    `${oneCollection ? "collection" : "collections"}.`,
  "many.told": "Collection by collection",

  "archive.magic": (_offset: string, _name: string) => "This is no archive of mongodump.",
  "archive.ends": (offset: string, _name: string) =>
    `The archive stops in the middle, at byte ${offset}: the file is not whole. What came before was taken.`,
  "archive.bytes": (offset: string, _name: string) =>
    `The archive is damaged at byte ${offset}: there is neither a document nor the end of a block. What came ` +
    "before was taken.",
  "archive.header": (offset: string, _name: string) =>
    `The archive is damaged near byte ${offset}: what should tell which collection follows does not.`,
  "archive.order": (offset: string, name: string) =>
    `The archive is damaged at byte ${offset}: ${name} goes on after its end.`,
  "archive.checksum": (_offset: string, name: string) =>
    `The documents of ${name} are not those that were written: their checksum differs.`,
  "archive.open": (_offset: string, name: string) =>
    `The archive stops before the end of ${name}: the file is not whole. What came before was taken.`,
  "archive.packed": (offset: string, _name: string) =>
    `The gzip around the archive is damaged, or cut, after ${plural(offset, "unpacked byte")}. ` +
    "What came before was taken.",

  "dump.title": (name: string) => `Export the database ${name}`,
  "dump.title.all": "Export everything",
  "dump.about":
    "One archive, as mongodump --archive writes it: documents, options, indexes and views. Import it here " +
    "again, or give it to mongorestore.",
  "dump.holds": "What the archive will hold",
  "dump.nothing": "There is nothing to export yet.",
  "dump.line": (collections: string, one: boolean, documents: string) =>
    `${collections} ${one ? "collection" : "collections"}, ${documents}`,
  "dump.gzip": "Pack it by gzip",
  "dump.gzip.about": "Much smaller. To restore it elsewhere:",
  "dump.progress": (collections: string, all: string, documents: string) =>
    `${collections} of ${plural(all, "collection")}, ${plural(documents, "document")} written`,

  "export.title": (name: string) => `Export ${name}`,
  "export.result": (number: string) => `Export the documents of run ${number}`,
  "export.count": (count: string, one: boolean) => `${count} ${one ? "document" : "documents"}.`,
  "export.values": (count: string, one: boolean) => `${count} ${one ? "value" : "values"}.`,
  "export.unknown": "All documents, those not fetched yet too.",
  "export.format.json": "JSON array",
  "export.about.json": "Extended JSON, to read or to give to mongoimport --jsonArray.",
  "export.format.ndjson": "NDJSON",
  "export.about.ndjson": "A document a line, as mongoexport writes.",
  "export.format.csv": "CSV",
  "export.about.csv": "A column for every path; arrays as JSON. Types are lost.",
  "export.format.bson": "BSON",
  "export.about.bson": "Byte for byte what is stored, for mongorestore.",
  "export.canonical": "Canonical",
  "export.canonical.about": "Writes the type of every number, so that none changes.",
  "export.do": "Export",
  "export.progress": (count: string) => `${plural(count, "document")} written`,
  "export.done.values": (count: string, file: string, size: string) =>
    `${plural(count, "value was", "values were")} written to ${file}, ${size}.`,
  "export.done": (count: string, file: string, size: string) =>
    `${plural(count, "document was", "documents were")} written to ${file}, ${size}.`,

  "sample.title": "Sample data",
  "sample.about": "Made here, from a seed: the same documents every time. Each set has a database of its own.",
  "sample.garden": "Garden shop",
  "sample.garden.about":
    "Products with details that differ, customers, and orders with lines: nested arrays, a unique slug, references.",
  "sample.cms": "Posts and comments",
  "sample.cms.about": "Authors, and posts that hold their comments: multikey indexes, drafts whose date is null.",
  "sample.sensors": "Weather sensors",
  "sample.sensors.about":
    "Stations, and a reading every ten minutes: time ranges, groups and averages; some with a fault.",
  "sample.garden.try":
    "Products for the winter, the cheapest first. The index on tags finds them.\n" +
    "The orders of one customer, the newest first: the index gives the order, too.\n" +
    "Turnover by month.\n" +
    "The five products that sold best, with their names.\n" +
    "No index helps here. Open the line above the result, and try one.",
  "sample.cms.try":
    "What one author published, the newest first.\n" +
    "Posts that Ada commented on, with her first comment: an index reaches into arrays.\n" +
    "Which tags are used most, and how often their posts are read.\n" +
    "Drafts. No index helps here; try one.",
  "sample.sensors.try":
    "The first day of one station, in the order of time.\n" +
    "How warm is it at each hour of the day?\n" +
    "The three stations with the warmest reading.\n" +
    "Damp air. No index helps here; try one.",
  "sample.replaces": (database: string) => `Loading it drops the database ${database} that is there now.`,
  "sample.load": (count: string) => plural(count, "document"),
  "sample.progress": (made: string, all: string) => `${made} of ${plural(all, "document")}`,
  "sample.done": (database: string) => `The sample data is in ${database}.`,

  "schema.title": (name: string) => `Schema of ${name}`,
  "schema.close": "Close the schema",
  "schema.reading": "Drawing a sample…",
  "schema.empty": "There are no documents to describe.",
  "schema.drawn": (count: string, one: boolean) =>
    one ? `By the only document.` : `By ${count} documents, drawn at random or all there are.`,
  "schema.again": "Draw again",
  "schema.label": "Fields",
  "schema.field": "Field",
  "schema.present": "There in",
  "schema.types": "Types",
  "schema.values": "Values",
  "schema.elements": "elements",
  "schema.range": (from: string, to: string) => `${from} to ${to}`,
  "schema.only": (value: string) => `always ${value}`,
  "schema.lengths": (from: string, to: string) =>
    from === to ? `${plural(from, "element")} each` : `${from} to ${to} elements`,
  "schema.bars": (from: string, to: string, most: string) =>
    `How the values lie from ${from} to ${to}; most of them around ${most}`,
  "schema.word": (word: string, count: string) => `${word}: ${count}`,
  "schema.more": (count: string) => `and ${plural(count, "other")}`,
  "schema.omitted": (count: string) =>
    `${plural(count, "more field was", "more fields were")} seen and not described: names seem to be data here.`,

  "create.title": "New collection",
  "create.database": "Database",
  "create.name": "Name",
  "create.kind": "Kind",
  "create.plain": "Plain",
  "create.plain.about": "Grows as documents come.",
  "create.capped": "Capped",
  "create.capped.about": "Keeps its newest documents within a fixed size; the oldest make room.",
  "create.size": "Size",
  "create.unit": "Unit of the size",
  "create.max": "At most so many documents",
  "create.max.hint": "may stay empty",
  "create.do": "Create collection",
  "create.done": (name: string) => `The collection ${name} was created.`,
  "create.needsName": "Give it a name.",
  "create.needsDatabase": "Name its database.",
  "create.needsSize": "Give a size of at least one byte.",
  "create.needsMax": "The number of documents has to be a whole number above zero.",

  "rename.title": (name: string) => `Rename ${name}`,
  "rename.to": "New name",
  "rename.about": "Documents and indexes stay as they are. Scripts and views that say the old name do not follow.",
  "rename.do": "Rename",
  "rename.done": (from: string, to: string) => `${from} is now called ${to}.`,

  "drop.collection.title": (name: string) => `Drop ${name}?`,
  "drop.database.title": (name: string) => `Drop the database ${name}?`,
  "drop.index.title": (name: string) => `Drop the index ${name}?`,
  "drop.lost": "This goes. Undo and the timeline bring it back as long as the state is kept:",
  "drop.nothing": "It holds nothing.",
  "drop.view": "Only the view goes; the documents it reads stay.",
  "drop.documents": (count: string, one: boolean, size: string) =>
    `${count} ${one ? "document" : "documents"}, ${size}`,
  "drop.indexes": (names: string, one: boolean) => `${one ? "the index" : "the indexes"} ${names}`,
  "drop.views": (names: string, one: boolean) => `${one ? "the view" : "the views"} ${names} will read nothing`,
  "drop.line": (name: string, count: string, one: boolean) => `${name}: ${count} ${one ? "document" : "documents"}`,
  "drop.lineView": (name: string) => `${name}: a view`,
  "drop.index.about":
    "No document is lost, and Undo brings the index back. Queries that used it will read more, and what it kept " +
    "unique may repeat.",
  "drop.index.key": "Key",
  "drop.do": (name: string) => `Drop ${name}`,
  "drop.done": (name: string) => `${name} was dropped.`,

  "index.title": (name: string) => `New index on ${name}`,
  "index.fields": "Fields, in order",
  "index.field": (number: string) => `Field ${number}`,
  "index.direction": (number: string) => `Kind of field ${number}`,
  "index.kind.ascending": "ascending",
  "index.kind.descending": "descending",
  "index.kind.hashed": "hashed",
  "index.kind.wildcard": "wildcard",
  "index.about.hashed": "Hashed: finds equal values by a hash of them; no ranges, no order, no arrays.",
  "index.about.wildcard":
    "Wildcard: every path below the field, whatever documents bring; without a field, every path of the document.",
  "index.whole": "every path",
  "index.projection": "Only these paths, or all but these",
  "index.projection.hint": "a wildcard projection as Extended JSON; may stay empty",
  "index.add": "Add a field",
  "index.remove": (number: string) => `Remove field ${number}`,
  "index.unique": "Unique: no two documents with the same key",
  "index.sparse": "Sparse: leaves out documents without the field",
  "index.hidden": "Hidden: kept up to date, but not used by the planner",
  "index.ttl": "Expires documents after so many seconds",
  "index.ttl.hint": "for one field that holds dates; may stay empty",
  "index.partial": "Only documents that match",
  "index.partial.hint": "a filter as Extended JSON; may stay empty",
  "index.name": "Name",
  "index.do": "Create index",
  "index.done": (name: string) => `The index ${name} was created.`,
  "index.needsField": "Name at least one field.",
  "index.needsSeconds": "Seconds have to be a whole number, zero or more.",
  "index.badFilter": (message: string) => `This is not Extended JSON: ${message}`,

  "banner.label": "Storage",
  "banner.memory": "Nothing is saved: what you do here lives in this tab only and goes with it.",
  "banner.damaged":
    "Your stored data is damaged and could not be opened. It was left as it is; what you do now lives in this " +
    "tab only.",
  "banner.full":
    "The last writes are not saved: the browser gives this site no more room. What frees room still works, and " +
    "saving goes on by itself once there is some.",
  "banner.readOnly": "Nothing more is saved, and writes are refused. What is here can be read and exported.",
  "banner.displaced":
    "Another tab took over while this one was held up. Its last writes were not saved yet, and are lost.",
  "banner.broken":
    "The engine stopped and was opened again over what is stored. Its last writes were not saved yet, and are lost.",
  "banner.export": "Export everything",
  "banner.again": "Try again",
  "banner.salvage": "Save what can be read",
  "banner.salvaging": (documents: string) => `${plural(documents, "document")} read…`,
  "banner.salvaged": (documents: string, name: string) =>
    `${plural(documents, "document was", "documents were")} written to ${name}.`,
  "banner.nothing": "Nothing of it can be read.",
  "banner.losses": "Not readable",
  "banner.repair": "Repair…",
  "banner.repair.sure":
    "What can be read is written to a file and put in the place of the damaged data, which is deleted. This " +
    "cannot be undone.",
  "banner.repair.yes": "Yes, repair it",

  "storage.explain.indexeddb":
    "The database's pages are kept in this browser's IndexedDB, on this device, for this site. Nothing is sent " +
    "anywhere.",
  "storage.explain.memory":
    "This browser keeps nothing for this page now, so the data lives in this tab only and goes with it. Export " +
    "it if you want it.",
  "storage.explain.readOnly":
    "Writing to the browser's storage failed for good. You can still read and export everything; writes are " +
    "refused so that nothing half-saved is shown as saved.",
  "storage.explain.full":
    "The browser gives this site no more room, so the last writes are not saved. What frees room is still " +
    "allowed, here and in other sites' data; saving is tried again by itself.",
  "storage.explain.opening": "The engine is being opened.",
  "storage.failed.title": "The engine is not running",
  "storage.failed.hint":
    "It needs a browser with WebAssembly. If yours has it, reload the page; a blocker may have stopped the " +
    "engine's file.",
  "storage.reason": "Reason",
  "storage.reload": "Reload the page",
  "storage.pages": "Pages in use",
  "storage.memoryBytes": "Held in memory",
  "storage.sequence": "Last saved commit",
  "storage.clock": "Virtual clock",
  "storage.quota": "Browser storage used by this site",
  "storage.quota.of": (used: string, all: string) => `${used} of ${all}`,
  "storage.quota.unknown": "the browser does not say",
  "storage.persisted": "The browser has promised not to clear it by itself.",
  "storage.notPersisted": "The browser may clear it when the disk runs low.",
  "storage.persist": "Ask to keep it",
  "storage.persist.refused": "The browser did not promise it. It often does once a site is bookmarked or used more.",
  "storage.persist.granted": "The browser will keep your data.",
  "storage.export": "Export everything",
  "storage.import": "Import files",
  "storage.erase": "Erase everything",
  "storage.erase.sure":
    "Drop every database in this browser? Undo brings them back as long as the state is kept; what moments keep " +
    "stays in storage.",
  "storage.erase.yes": "Yes, erase",
  "storage.erased": "Everything was erased.",
  "settings.title": "Settings",
  "settings.language": "Language",
  "deployments.title": "Deployments",
  "deployments.all": "Deployments…",
  "deployments.about":
    "Each is a server of its own, with its databases and its clock, kept by this browser. Two tabs may have " +
    "different ones open.",
  "deployments.here": "open here",
  "deployments.new": "A new deployment",
  "deployments.make": "Make and open",
  "deployments.rename": "Rename",
  "deployments.name": (name: string) => `New name of ${name}`,
  "deployments.delete": "Delete",
  "deployments.delete.sure": (name: string) =>
    `All databases of ${name} and all its kept moments are deleted from this browser. This cannot be undone.`,
  "deployments.delete.here": (name: string) => `${name} is open here. Go to another deployment first, then delete it.`,
  "deployments.delete.yes": "Delete for good",
  "deployments.deleted": (name: string) => `${name} was deleted.`,
  "deployments.stillOpen": (name: string) => `${name} is open in another tab. Close that tab, then delete it.`,
  "deployments.needsName": "Give it a name.",
  "deployments.taken": (name: string) => `There is one called ${name} already.`,
  "deployments.notKept": "This browser keeps nothing for this page.",

  "settings.theme": "Colours",
  "settings.batch": "Documents in a batch",
  "settings.fontSize": "Size of the script's letters",
  "settings.doubles": "Store every plain number as a double, as the legacy shell did",
  "settings.explain": "Show how each find was answered",

  "leaf.fold": "Fold",
  "leaf.unfold": "Unfold",
  "leaf.remove": "Remove",
  "leaf.running": "running",
  "leaf.stopped": "stopped",
  "leaf.failed": "failed",
  "leaf.undo": "Undo",
  "leaf.undo.hint": "Undo what this run changed",
  "leaf.undone": "undone",
  "leaf.unkept": "cannot be undone",
  "leaf.saved": "saved",
  "leaf.unsaved": "not saved yet",
  "leaf.inMemory": "in memory only",
  "leaf.engine": (time: string) => `${time} in the engine`,
  "leaf.printed": "Printed",
  "leaf.printed.more": (count: string) => `Show ${plural(count, "earlier line")}`,
  "leaf.printed.dropped": (count: string) =>
    `The ${first(count, "line was", "lines were")} let go: a run keeps its last ones.`,
  "leaf.none": "The script ended without a value.",
  "leaf.none.hint": "Its last line gave nothing to show: a declaration, a loop, or print().",
  "leaf.views": "Show as",
  "leaf.documents": (shown: string, one: boolean) => (one ? `${shown} document` : `${shown} documents`),
  "leaf.documents.soFar": (shown: string) => first(shown, "document"),
  "leaf.noDocuments": "No documents matched.",
  "leaf.noDocuments.hint": "The query ran and found nothing. Loosen the filter, or look at what the collection holds.",
  "leaf.next": (count: string) => `Next ${count} (it)`,
  "leaf.all": "All the rest",
  "leaf.all.stop": "Enough",
  "leaf.export": "Export…",
  "leaf.fetching": "Fetching…",
  "leaf.goToError": (line: string, column: string) => `line ${line}, column ${column}`,
  "leaf.errorAt": "at",
  "leaf.error.stopped": "You stopped the script. What it wrote before that is kept.",
  "leaf.error.code": (code: string) => `code ${code}`,

  "xray.pipeline": (number: string) => `The pipeline of run ${number}, stage by stage`,
  "menu.ring": "Show as a ring",
  "menu.dial": "When documents expire",
  "menu.tree": "Show its tree",
  "menu.pages": "Show all pages",
};
