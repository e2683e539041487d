/** The words of the map of places, in English. */
import { first, plural } from "../plural.ts";

const were = (count: string): string => (count === "1" ? "was" : "were");
const have = (count: string): string => (count === "1" ? "has" : "have");

export const en = {
  "map.label": (count: string, field: string) => `Map of ${plural(count, "place")} in ${field}`,
  "map.keys": "Arrow keys move the map, + and − zoom, 0 shows everything.",
  "map.wheel": "Zoom by wheel: choose the map first, or hold Ctrl.",
  "map.field": "Field",
  "map.nearer": "Zoom in",
  "map.farther": "Zoom out",
  "map.all": "Show everything",
  "map.list": "Places",
  "map.list.empty": "There is no place to show.",
  "map.document": "Document of the chosen place",
  "map.close": "Close",
  "map.type.pair": "legacy pair",
  "map.type.several": "several",

  "layer.label": "On the map",
  "layer.places": "Returned",
  "layer.query": "Shape of the query",
  "layer.cells": "Index cells read",
  "layer.examined": "Examined, not returned",
  "layer.examined.ask": "Show what was examined and not returned",

  "told.label": "The map in words",
  "told.places": (count: string, field: string) => `${plural(count, "document")} ${have(count)} a place in ${field}.`,
  "told.none": (field: string) => `None of the documents shown has a place in ${field}.`,
  "told.projected": (field: string) =>
    `The projection leaves out ${field}, so the places of these documents are not known here.`,
  "told.box": (west: string, east: string, south: string, north: string) =>
    `They lie between ${west} and ${east}, and between ${south} and ${north}.`,
  "told.box.plane": (west: string, east: string, south: string, north: string) =>
    `They lie between x = ${west} and ${east}, and between y = ${south} and ${north}.`,
  "told.round": (south: string, north: string) => `They lie all around the earth, between ${south} and ${north}.`,
  "told.spot": (x: string, y: string) => `At ${x}, ${y}.`,
  "told.distances": (from: string, to: string) =>
    `From the query's point the nearest is ${from} away, the farthest ${to}.`,
  "told.distance": (from: string) => `From the query's point it is ${from} away.`,
  "told.more": "More documents can be fetched.",
  "left.missing": (count: string) => `${plural(count, "document")} ${have(count)} no value there.`,
  "left.other": (count: string) => `${plural(count, "value")} ${count === "1" ? "is" : "are"} no place at all.`,
  "left.type": (count: string) => `${plural(count, "value")} ${have(count)} a type that GeoJSON does not know.`,
  "left.coordinates": (count: string) =>
    `${plural(count, "value")} ${have(count)} coordinates that are no numbers, or outside of the world.`,
  "left.ring": (count: string) => `${plural(count, "value")} ${have(count)} a ring that is not closed or too short.`,

  "asked.plain": (operator: string) => `Asked for: ${operator}.`,
  "asked.most": (operator: string, most: string) => `Asked for: ${operator}, at most ${most} away.`,
  "asked.least": (operator: string, least: string) => `Asked for: ${operator}, at least ${least} away.`,
  "asked.between": (operator: string, least: string, most: string) =>
    `Asked for: ${operator}, between ${least} and ${most} away.`,

  "cells.read": (index: string, count: string) =>
    `Of the index ${index} ${plural(count, "cell")} ${were(count)} read whole.`,
  "cells.levels": (from: string, to: string) =>
    from === to ? `They are of level ${from} of 30.` : `They are of the levels ${from} to ${to} of 30.`,
  "cells.alone": (count: string) =>
    count === "1"
      ? "Of 1 larger cell around them only its own key was read, which a large shape may have."
      : `Of ${count} larger cells around them only their own keys were read, which large shapes may have.`,
  "cells.all": (index: string) => `All of the index ${index} was read.`,
  "cells.planned": (index: string) =>
    `The search in ${index} finds its cells while it runs, and this plan was not run.`,
  "cells.rings": (count: string) =>
    count === "1" ? "The search went through 1 ring." : `The search went outward through ${count} rings.`,
  "cells.looked": (keys: string, documents: string) =>
    `${plural(keys, "key")} and ${plural(documents, "document")} ` +
    `${keys === "1" && documents === "1" ? "was" : "were"} examined.`,
  "cells.batch": "These are the cells of the first batch.",
  "examined.none": "Nothing was examined that was not returned.",
  "examined.count": (count: string) => `${plural(count, "place")} ${were(count)} examined and not returned.`,
  "examined.cut": (count: string) =>
    `Only the ${first(count, "key")} of the index ${were(count)} looked through for them.`,
  "examined.changed": "The data have changed since: what else was examined then cannot be told any more.",
  "examined.unknown": "Without _id in the result it cannot be told what else was examined.",

  "scale.sphere": (latitude: string) => `Equirectangular, true to scale at ${latitude}; coast: Natural Earth.`,
  "scale.near": (latitude: string) =>
    `Equirectangular, true to scale at ${latitude}; no coast is drawn this near, where none is known so exactly.`,
  "scale.plane": "A plane: x to the right, y upwards.",
  "unit.metres": (count: string) => `${count} m`,
  "unit.kilometres": (count: string) => `${count} km`,
};
