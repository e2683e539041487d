/** The words of the index tree and of the map of pages, in English. */
import { plural } from "../plural.ts";

export const en = {
  "inside.reading": "Reading pages…",
  "inside.again": "Read again",

  "tree.measures": (entries: string, leaves: string, height: string, fill: string) =>
    `${plural(entries, "entry", "entries")} on ${plural(leaves, "leaf page", "leaf pages")}, ` +
    `${plural(height, "level", "levels")} high; the leaves drawn are ${fill} full.`,
  "tree.nature.records": "A key is the number of a record; its value is the document.",
  "tree.nature.plain": "A key is the value of the field, and then the number of the record it leads to.",
  "tree.nature.compound":
    "A key is the values of the fields in their order, and then the number of the record: " +
    "entries are in order of the first, within it of the second.",
  "tree.nature.hashed": "A key is the hash of the value, so neighbours in the tree are not neighbours in value.",
  "tree.nature.wildcard": "A key is the path of a field and then its value: a document has an entry for each field.",
  "tree.multikey": "Some documents hold arrays here: they have an entry for each item.",
  "tree.partial": "Only the documents that match the index's filter have entries.",
  "tree.collated": "Strings stand for their place in the order of the language; shown are the strings themselves.",
  "tree.nodes": "Pages of the tree, from the root down; arrow keys go from page to page",
  "tree.level": (level: string) => `level ${level}`,
  "tree.leaves": "leaves",
  "tree.node": (page: string, count: string, fill: string) =>
    `page ${page}: ${plural(count, "key", "keys")}, ${fill} full`,
  "tree.range": (first: string, last: string) => `from ${first} to ${last}`,
  "tree.more": (count: string) => `${plural(count, "page", "pages")} below are not drawn.`,
  "tree.children": (count: string) => plural(count, "child page", "child pages"),
  "tree.open": "Open its bytes",
  "tree.sought": "Values to look up, as JSON",
  "tree.sought.record": "Number of a record to look up",
  "tree.lookUp": "Look up",
  "tree.notSought": "That is neither a JSON document nor, for documents, a record's number.",
  "tree.back": "Step back",
  "tree.next": "Next step",
  "tree.play": "Play",
  "tree.pause": "Pause",
  "tree.step": (at: string, all: string) => `Step ${at} of ${all}.`,
  "tree.step.search": (page: string, compared: string) => `Page ${page} is searched: compared with ${compared}.`,
  "tree.step.nothing": (page: string) => `Page ${page} has no key to compare with.`,
  "tree.step.child": (child: string) => `The way goes on to page ${child}.`,
  "tree.step.found": (slot: string) => `The first entry not below the key is at slot ${slot}.`,
  "tree.step.entry": (page: string, slot: string, key: string) =>
    `Along the leaves: page ${page}, slot ${slot}: ${key}`,
  "tree.split": "Insert until a page splits",
  "tree.split.hint": "On a fork of the data: documents of the values above are inserted, and nothing of it stays.",
  "tree.split.done": (inserted: string, before: string, after: string) =>
    `${plural(inserted, "document", "documents")} inserted on a fork: the last one splits a page. ` +
    `There were ${plural(before, "leaf", "leaves")} before it, and ${after} after.`,
  "tree.split.none": (inserted: string) => `${plural(inserted, "document")} inserted on a fork split no page.`,
  "tree.split.refused": (error: string) => `Not so many documents of these values can be inserted: ${error}`,
  "tree.split.title": "The split, step by step",
  "tree.split.after": "The tree after it, on the fork: new pages hatched, changed ones framed",
  "tree.split.entries": (count: string) => plural(count, "entry", "entries"),
  "tree.split.full": (page: string, count: string, free: string, entry: string, bytes: string) =>
    `Page ${page} holds ${plural(count, "entry", "entries")} and has ${plural(free, "byte", "bytes")} left; ` +
    `the new entry ${entry} needs ${bytes}.`,
  "tree.split.fullBranch": (page: string, count: string, free: string, separator: string) =>
    `The separator ${separator} is to go into page ${page}, which leads to ${plural(count, "page", "pages")} ` +
    `and has ${plural(free, "byte", "bytes")} left: too few.`,
  "tree.split.parted": (page: string, moved: string, range: string, left: string, kept: string) =>
    `A new page, ${page}, is made beside it: ${plural(moved, "entry moves", "entries move")} there, ${range}. ` +
    `Page ${left} now holds ${kept}.`,
  "tree.split.atEdge": (page: string) =>
    `A new page, ${page}, is made beside it for the new entry alone. At the right edge nothing moves: ` +
    "keys that come in order leave full pages behind.",
  "tree.split.partedBranch": (page: string, moved: string, left: string, kept: string) =>
    `A new page, ${page}, is made beside it and leads to ${plural(moved, "page", "pages")} of those; ` +
    `page ${left} keeps ${kept}. The separator between the two goes on up.`,
  "tree.split.risen": (separator: string, page: string, count: string) =>
    `The separator ${separator} goes up into page ${page}, which now leads to ${plural(count, "page")}.`,
  "tree.split.grown": (page: string, separator: string) =>
    `Above it there was no page: page ${page} is the new root, with the separator ${separator} between its two ` +
    "children. The tree is one level higher.",

  "pages.measures": (pages: string, size: string, sequence: string) =>
    `${plural(pages, "page", "pages")} of ${size}, at commit ${sequence}.`,
  "pages.memory": (count: string) => `${count} of them in memory`,
  "pages.map": (page: string) => `Map of the pages; arrow keys move, Enter opens. Now at page ${page}`,
  "pages.owners": "Owners",
  "pages.owner.free": "free",
  "pages.owner.waiting": "freed, still waited for",
  "pages.owner.freeList": "list of free pages",
  "pages.owner.moments": "moments",
  "pages.owner.lists": "lists of the moments",
  "pages.owner.kept": "kept by moments alone",
  "pages.owner.unreached": "reached by nothing",
  "pages.owner.catalog": "catalog",
  "pages.owner.collection": (name: string) => `documents of ${name}`,
  "pages.owner.index": (name: string, index: string) => `index ${index} of ${name}`,
  "pages.owner.labels": (name: string, index: string) => `strings of index ${index} of ${name}`,
  "pages.owner.header": "header",
  "pages.touched": (read: string, written: string) =>
    `Framed: ${read} read and ${written} written by the documents shown, read once more.`,
  "pages.ofRun": (run: string, read: string, written: string) =>
    `Run ${run} read ${plural(read, "page", "pages")} and wrote ${written}: they are framed.`,
  "pages.ofScript": (read: string, written: string) =>
    `The script read ${plural(read, "page", "pages")} and wrote ${written}: they are framed.`,
  "pages.touchedShared": (count: string) => `A moment has ${count} of them too.`,
  "pages.marks": "What the marks mean",
  "pages.is.read": "read by the run",
  "pages.is.written": "written by the run",
  "pages.is.shared": "shared with a moment",
  "pages.is.unsealed": "changed since the last commit",
  "pages.count.read": (count: string) => `${count} read`,
  "pages.count.written": (count: string) => `${count} written`,
  "pages.count.both": (read: string, written: string) => `${read} read, ${written} written`,
  "pages.next": "Next framed page",
  "pages.touchedMore": (count: string) => `${plural(count, "more is", "more are")} not framed.`,
  "pages.header": "The header",
  "pages.opened": (page: string) => `Page ${page}`,
  "pages.title": (page: string, owner: string) => `Page ${page}: ${owner}`,
  "pages.number": "Page",
  "pages.go": "Open",
  "pages.isUnsealed": "Changed since the last commit: number, birth and checksum are written with the next.",
  "pages.isOfMoment": "A moment has this page too.",
  "pages.isFree": "A free page: nothing of it is kept in memory.",
  "pages.fields": "Fields",
  "pages.cells": (count: string) => plural(count, "cell", "cells"),
  "pages.place": "bytes",
  "pages.name": "field",
  "pages.slot": "slot",
  "pages.value": "value",
  "pages.moreCells": (count: string) => `${plural(count, "more cell", "more cells")}: show all`,
  "pages.bytes": (from: string, to: string) => `Bytes ${from} to ${to}`,
  "pages.moreBytes": (count: string) => `${plural(count, "more byte", "more bytes")}`,
};
