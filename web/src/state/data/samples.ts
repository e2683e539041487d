/**
 * Data sets to try things on, made here from a seed: the same documents every time, from a hundred to a hundred
 * thousand.
 *
 * Invariants: nothing is fetched; each set has a database of its own, and indexes that its queries want; `_id`s count
 * from 1.
 */
import { Double, Int32, type Document } from "bson";
import { encode } from "../../codec/encode.ts";
import { ask, judged, type Commander } from "./ask.ts";
import { withDocuments } from "./bytes.ts";

export const sampleIds = ["garden", "cms", "sensors"] as const;
export type SampleId = (typeof sampleIds)[number];
export const sampleSizes = [100, 1_000, 10_000, 100_000] as const;

/** Draws numbers from a seed. */
class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below 1. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number of a range, both ends in it. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.unit() * of.length)] as T;
  }

  some<T>(of: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: this.whole(1, most) }, () => this.one(of)))];
  }
}

interface SampleCollection {
  readonly name: string;
  /** The collection's share of the set's documents. */
  readonly share: number;
  readonly indexes: readonly Document[];
  make(number: number, draw: Draw, counts: (share: number) => number): Document;
}

export interface Sample {
  readonly id: SampleId;
  readonly database: string;
  readonly collections: readonly SampleCollection[];
}

const firstDay = Date.UTC(2024, 0, 1);
const day = 86_400_000;
const plants = ["rosemary", "thyme", "sage", "lavender", "mint", "tomato", "squash", "foxglove", "peony", "fern"];
const tools = ["trowel", "spade", "rake", "watering can", "secateurs", "wheelbarrow", "hoe", "gloves"];
const people = ["Ada", "Bram", "Chiyo", "Dalia", "Emeka", "Farid", "Greta", "Hana", "Ivo", "June", "Kofi", "Lin"];
const towns = ["Utrecht", "Leeds", "Osaka", "Lagos", "Quito", "Turku", "Adelaide", "Pune"];
const words = (
  "soil water light root leaf seed frost prune graft harvest compost shade border bloom winter spring bed row " +
  "tray cutting"
).split(" ");

const garden: Sample = {
  id: "garden",
  database: "garden_shop",
  collections: [
    {
      name: "products",
      share: 0.2,
      indexes: [
        { key: { slug: 1 }, name: "slug_1", unique: true },
        { key: { tags: 1 }, name: "tags_1" },
      ],
      make(number, draw) {
        const isTool = draw.unit() < 0.4;
        const name = draw.one(isTool ? tools : plants);
        const price = new Double(draw.whole(150, 9000) / 100);
        return {
          _id: number,
          slug: `${name.replace(" ", "-")}-${number}`,
          name,
          kind: isTool ? "tool" : "plant",
          price,
          stock: draw.whole(0, 400),
          tags: draw.some(words, 4),
          ...(isTool
            ? { details: { weight: draw.whole(1, 90), material: draw.one(["steel", "ash", "plastic"]) } }
            : { details: { height: draw.whole(10, 250), hardy: draw.unit() < 0.7 } }),
        };
      },
    },
    {
      name: "customers",
      share: 0.1,
      indexes: [],
      make: (number, draw) => ({
        _id: number,
        name: draw.one(people),
        town: draw.one(towns),
        since: new Date(firstDay - draw.whole(0, 1500) * day),
        newsletter: draw.unit() < 0.4,
        ...(draw.unit() < 0.3 ? { phone: `+00 ${draw.whole(100000, 999999)}` } : {}),
      }),
    },
    {
      name: "orders",
      share: 0.7,
      indexes: [{ key: { customer: 1, at: -1 }, name: "customer_1_at_-1" }],
      make(number, draw, counts) {
        const lines = Array.from({ length: draw.whole(1, 4) }, () => ({
          product: draw.whole(1, counts(0.2)),
          count: draw.whole(1, 5),
          price: new Double(draw.whole(150, 9000) / 100),
        }));
        const total = lines.reduce((sum, { count, price }) => sum + count * Number(price), 0);
        return {
          _id: number,
          customer: draw.whole(1, counts(0.1)),
          at: new Date(firstDay + Math.floor(draw.unit() * 366 * day)),
          state: draw.one(["cart", "paid", "paid", "shipped", "shipped", "shipped", "returned"]),
          lines,
          total: new Double(Math.round(total * 100) / 100),
        };
      },
    },
  ],
};

const cms: Sample = {
  id: "cms",
  database: "cms",
  collections: [
    {
      name: "authors",
      share: 0.05,
      indexes: [],
      make: (number, draw) => ({
        _id: number,
        name: draw.one(people),
        role: draw.one(["editor", "writer", "guest"]),
        joined: new Date(firstDay - draw.whole(0, 900) * day),
      }),
    },
    {
      name: "posts",
      share: 0.95,
      indexes: [
        { key: { author: 1, published: -1 }, name: "author_1_published_-1" },
        { key: { "comments.who": 1 }, name: "comments.who_1" },
      ],
      make(number, draw, counts) {
        const title = Array.from({ length: draw.whole(2, 5) }, () => draw.one(words)).join(" ");
        const isDraft = draw.unit() < 0.15;
        const published = new Date(firstDay + Math.floor(draw.unit() * 366 * day));
        const comments = Array.from({ length: draw.whole(0, 4) }, () => ({
          who: draw.one(people),
          text: draw.some(words, 6).join(" "),
          likes: draw.whole(0, 40),
          at: new Date(published.getTime() + draw.whole(1, 90) * day),
        }));
        return {
          _id: number,
          title,
          author: draw.whole(1, counts(0.05)),
          ...(isDraft ? { published: null } : { published }),
          words: draw.whole(80, 3000),
          tags: draw.some(words, 3),
          views: draw.whole(0, 5000),
          comments,
        };
      },
    },
  ],
};

const sensors: Sample = {
  id: "sensors",
  database: "sensors",
  collections: [
    {
      name: "stations",
      share: 0.02,
      indexes: [],
      make: (number, draw) => ({
        _id: number,
        town: draw.one(towns),
        at: {
          type: "Point",
          coordinates: [new Double(draw.whole(-1800, 1800) / 10), new Double(draw.whole(-800, 800) / 10)],
        },
        height: draw.whole(0, 1800),
      }),
    },
    {
      name: "readings",
      share: 0.98,
      indexes: [{ key: { station: 1, at: 1 }, name: "station_1_at_1" }],
      make(number, draw, counts) {
        const stations = counts(0.02);
        const station = (number % stations) + 1;
        const minutes = Math.floor(number / stations) * 10;
        const warmth = 12 + 9 * Math.sin((2 * Math.PI * minutes) / 1440) + 4 * (draw.unit() - 0.5);
        return {
          _id: number,
          station,
          at: new Date(firstDay + minutes * 60_000),
          celsius: new Double(Math.round(warmth * 10) / 10),
          humidity: draw.whole(25, 98),
          ...(draw.unit() < 0.02 ? { fault: draw.one(["battery", "range", "silent"]) } : {}),
        };
      },
    },
  ],
};

export const samples: readonly Sample[] = [garden, cms, sensors];

/** How many documents a collection of a set has. */
function countOf(share: number, size: number): number {
  return Math.max(1, Math.round(share * size));
}

/** The documents of one collection, in order. */
export function* sampleDocuments(collection: SampleCollection, size: number): Generator<Document> {
  const draw = new Draw(0x9e3779b9 ^ size ^ collection.name.length);
  for (let number = 1; number <= countOf(collection.share, size); number++)
    yield collection.make(number, draw, (share) => countOf(share, size));
}

/** Drops the set's database and makes it anew. False when it was stopped; documents made until then stay. */
export async function loadSample(
  commander: Commander,
  sample: Sample,
  size: number,
  signal: AbortSignal,
  progress: (documents: number) => void,
): Promise<boolean> {
  const { database } = sample;
  await ask(commander, database, { dropDatabase: 1 });
  let made = 0;
  for (const collection of sample.collections) {
    if (collection.indexes.length > 0)
      await ask(commander, database, {
        createIndexes: collection.name,
        indexes: collection.indexes.map(({ key, ...rest }) => ({ key: typedKey(key as Document), ...rest })),
      });
    let batch: Uint8Array[] = [];
    const send = async (): Promise<void> => {
      if (batch.length > 0)
        judged(
          await commander.commandBytes(withDocuments({ insert: collection.name, $db: database }, "documents", batch)),
        );
      made += batch.length;
      batch = [];
      progress(made);
    };
    for (const document of sampleDocuments(collection, size)) {
      batch.push(encode(document));
      if (batch.length < 1000) continue;
      await send();
      if (signal.aborted) return false;
    }
    await send();
    if (signal.aborted) return false;
  }
  return true;
}

function typedKey(key: Document): Document {
  return Object.fromEntries(Object.entries(key).map(([path, direction]) => [path, new Int32(Number(direction))]));
}
