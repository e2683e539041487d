/**
 * The workload, run around one adapter in a dedicated worker, or in the page where the adapter needs one. Every answer
 * is checked against the products; a wrong one is reported and the row does not count.
 *
 * An adapter is an object:
 * - `persistent`: whether it keeps its documents (then `flush` resolves when they are durable);
 * - `flight`: whether more than one operation may be under way, each answered by itself; `messages`: whether they go to
 *   a worker of its own;
 * - `open({ name, fresh })`, `create()` (collection and indexes: unique on slug, on tags, on pricing.sale);
 * - `insertMany(products)`, `byId(id)`, `bySlug(slug)`, `range(low, high)` (low <= pricing.sale < high, ascending),
 *   `byTag(tag, limit)`, `countHeavier(weight)`, `group()` (per manufacturer `{ _id, average, sum }`),
 *   `increment(id)` (total_reviews), `deleteLighter(weight)` (how many), `flush()`, `close()`;
 * - and, of a store with pipelines, `insertOrders(orders)`, `groupByTag()` (per tag `{ _id, count, sum }` of its
 *   products and their reviews), `lookUp()` (per order `{ _id, quantity, sale }`, the price of its product),
 *   `dearest(limit)` (the products of the highest price), `runningTotals(count)` (per manufacturer `{ _id, sum }` of
 *   the running totals of total_reviews by slug, of the first so many products); `slowWindows`: whether only few can be
 *   asked for;
 * - or, where scripts are measured, `open`, `evaluate(source)` (what the script printed) and `close`.
 *
 * Rows are milliseconds or operations per second; `report.mjs` says which.
 */
import { echoes } from "./echo.mjs";
import { generator, makeOrders, makeProducts, TAGS } from "./products.mjs";
import { measureScripts } from "./scripts.mjs";

const SEED = 7;
/** How many operations a client has under way where it has many. */
const FLIGHT = 64;
const now = () => performance.now();
const near = (one, other) => Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other));

/**
 * Repeats an operation `count` times or until the budget of milliseconds is spent, `width` at a time; gives operations
 * per second.
 */
export async function repeat(count, budget, operation, width = 1) {
  const begun = now();
  let done = 0;
  let over = false;
  const line = async () => {
    while (!over && done < count) {
      done += 1;
      await operation();
      if ((done % 8 === 0 || count < 64) && now() - begun > budget) over = true;
    }
  };
  await Promise.all(Array.from({ length: width }, line));
  return (done / (now() - begun)) * 1000;
}

/** Milliseconds that an operation over everything takes. */
export const each = async (budget, operation) => 1000 / (await repeat(5, budget, operation));

const ORDERS = 10000;
/** Products whose running totals every store is asked for. */
const FEW = 10000;

/** Rows of a store with pipelines. */
async function measurePipelines(adapter, products, budget, row, check) {
  const orders = makeOrders(ORDERS, products);
  await adapter.insertOrders(orders);
  const same = (found, wanted) =>
    found.length === wanted.size &&
    found.every((document) => {
      const expected = wanted.get(document._id);
      return expected && Object.entries(expected).every(([name, value]) => near(Number(document[name]), value));
    });
  const over = (wanted, what, work) =>
    row(what, () => each(budget, async () => check(same(await work(), wanted), what)));

  const tags = new Map();
  for (const { tags: list, total_reviews } of products) {
    for (const tag of list) {
      const group = tags.get(tag) ?? { count: 0, sum: 0 };
      group.count += 1;
      group.sum += total_reviews;
      tags.set(tag, group);
    }
  }
  await over(tags, "groupByTag", () => adapter.groupByTag());

  const prices = new Map(products.map(({ _id, pricing }) => [_id, pricing.sale]));
  const joined = new Map(orders.map(({ _id, product, quantity }) => [_id, { quantity, sale: prices.get(product) }]));
  await over(joined, "lookUp", () => adapter.lookUp());

  const dearest = products
    .map(({ pricing }) => pricing.retail)
    .sort((one, other) => other - one)
    .slice(0, 20);
  await row("dearest", () =>
    each(budget, async () => {
      const found = await adapter.dearest(20);
      check(
        found.length === dearest.length && found.every(({ pricing }, i) => pricing.retail === dearest[i]),
        "dearest",
      );
    }),
  );

  const totalsOf = (first) => {
    const running = new Map();
    const totals = new Map();
    for (const { details, total_reviews } of [...first].sort((one, other) => (one.slug < other.slug ? -1 : 1))) {
      const total = (running.get(details.manufacturer) ?? 0) + total_reviews;
      running.set(details.manufacturer, total);
      totals.set(details.manufacturer, { sum: (totals.get(details.manufacturer)?.sum ?? 0) + total });
    }
    return totals;
  };
  const few = Math.min(FEW, products.length);
  await over(totalsOf(products.slice(0, few)), "runningTotals", () => adapter.runningTotals(few));
  if (!adapter.slowWindows) {
    await over(totalsOf(products), "allRunningTotals", () => adapter.runningTotals(products.length));
  }
}

/** Rows that read and write a loaded store. */
async function measure(adapter, products, budget) {
  const random = generator(99);
  const any = () => products[Math.floor(random() * products.length)];
  const rows = {};
  const wrong = new Set();
  const check = (good, what) => {
    if (!good) wrong.add(what);
  };
  const row = async (name, work) => {
    try {
      rows[name] = await work();
    } catch (error) {
      wrong.add(`${name}: ${String(error?.message ?? error).slice(0, 160)}`);
    }
  };
  // Between the rows, since the machine is not the same from one second to the next.
  const echo = adapter.messages ? echoes() : null;
  const heard = [];
  const listen = async () => {
    if (echo) heard.push(await echo.one(budget / 4));
  };
  /** A row of single operations: awaited one by one and, where the adapter can, many in flight. */
  const singles = async (name, count, longest, operation) => {
    await row(name, () => repeat(count, longest, operation));
    if (adapter.flight) await row(`${name}InFlight`, () => repeat(2 * count, longest, operation, FLIGHT));
  };

  await listen();
  await singles("byId", 10000, budget, async () => {
    const product = any();
    const found = await adapter.byId(product._id);
    check(found?.slug === product.slug, "byId");
  });
  await listen();
  await singles("bySlug", 10000, budget, async () => {
    const product = any();
    const found = await adapter.bySlug(product.slug);
    check(found?.name === product.name && found.sku === product.sku, "bySlug");
  });
  const width = (0.1 * 100000) / products.length; // about 20 products
  await row("range", async () => {
    const speed = await repeat(1000, budget, async () => {
      const low = Math.round((1 + random() * 499) * 100) / 100;
      const found = await adapter.range(low, low + width);
      for (let i = 0; i < found.length; i += 1) {
        const { sale } = found[i].pricing;
        check(sale >= low && sale < low + width && (i === 0 || sale >= found[i - 1].pricing.sale), "range");
      }
    });
    const wanted = products.filter(({ pricing }) => pricing.sale >= 100 && pricing.sale < 100 + width).length;
    check((await adapter.range(100, 100 + width)).length === wanted, "range: number of products");
    return speed;
  });
  const tagged = new Map(TAGS.map((tag) => [tag, 0]));
  for (const { tags } of products) for (const tag of tags) tagged.set(tag, tagged.get(tag) + 1);
  await row("byTag", () =>
    repeat(1000, budget, async () => {
      const tag = TAGS[Math.floor(random() * TAGS.length)];
      const found = await adapter.byTag(tag, 20);
      check(found.length === Math.min(20, tagged.get(tag)) && found.every(({ tags }) => tags.includes(tag)), "byTag");
    }),
  );
  const heavy = products.filter(({ details }) => details.weight > 75).length;
  await row("scan", () => each(budget, async () => check((await adapter.countHeavier(75)) === heavy, "scan")));
  const groups = new Map();
  for (const { details, pricing, total_reviews } of products) {
    const group = groups.get(details.manufacturer) ?? { sale: 0, count: 0, reviews: 0 };
    group.sale += pricing.sale;
    group.count += 1;
    group.reviews += total_reviews;
    groups.set(details.manufacturer, group);
  }
  await row("group", () =>
    each(budget, async () => {
      const found = await adapter.group();
      check(found.length === groups.size, "group: number of groups");
      for (const { _id, average, sum } of found) {
        const group = groups.get(_id);
        check(group && near(average, group.sale / group.count) && near(Number(sum), group.reviews), "group");
      }
    }),
  );
  if (adapter.runningTotals) await measurePipelines(adapter, products, budget, row, check);
  const reviews = new Map();
  await listen();
  await singles("increment", 10000, budget * 2, async () => {
    const product = any();
    reviews.set(product._id, (reviews.get(product._id) ?? product.total_reviews) + 1);
    await adapter.increment(product._id);
  });
  await listen();
  for (const [id, wanted] of [...reviews].slice(0, 20)) {
    check(Number((await adapter.byId(id))?.total_reviews) === wanted, "increment");
  }
  if (echo) {
    // In the middle of the measured values.
    rows.echo = heard.sort((one, other) => one - other)[heard.length >> 1];
    rows.echoInFlight = await echo.flight(budget / 4);
    rows.echoTogether = await echo.together(budget / 4);
    echo.end();
  }
  if (adapter.persistent) await adapter.flush();
  const light = products.filter(({ details }) => details.weight < 50);
  await row("delete", async () => {
    const begun = now();
    const deleted = await adapter.deleteLighter(50);
    if (adapter.persistent) await adapter.flush();
    const took = now() - begun;
    check(deleted === light.length, `delete: ${deleted} and not ${light.length}`);
    check(!(await adapter.byId(light[0]._id)), "delete: a deleted product is still there");
    return took;
  });
  return { rows, wrong: [...wrong] };
}

/** The phases of the workload, by name. */
export function phasesOf(adapter) {
  return {
    async load({ count, name }) {
      const products = makeProducts(count, SEED);
      await adapter.open({ name, fresh: true });
      const begun = now();
      await adapter.create();
      await adapter.insertMany(products);
      const rows = { load: now() - begun };
      if (adapter.persistent) {
        await adapter.flush();
        rows.durable = now() - begun;
      }
      return { rows, wrong: [] };
    },
    async reopen({ count, name }) {
      const wanted = makeProducts(count, SEED)[count >> 1];
      const begun = now();
      await adapter.open({ name, fresh: false });
      const found = await adapter.bySlug(wanted.slug);
      const rows = { reopen: now() - begun };
      return { rows, wrong: found?.name === wanted.name ? [] : ["reopen"] };
    },
    work: ({ count, budget }) => measure(adapter, makeProducts(count, SEED), budget),
    async first({ name }) {
      const products = makeProducts(100, SEED);
      await adapter.open({ name, fresh: true });
      await adapter.create();
      await adapter.insertMany(products);
      const found = await adapter.bySlug(products[50].slug);
      return { rows: {}, wrong: found?.name === products[50].name ? [] : ["first"] };
    },
    async scripts({ count, name }) {
      await adapter.open({ name, fresh: true });
      return measureScripts((source) => adapter.evaluate(source), count);
    },
    async close() {
      await adapter.close?.();
      return { rows: {}, wrong: [] };
    },
  };
}

/** Serves the phases to the page that made this worker. */
export function serve(phases) {
  addEventListener("message", async ({ data }) => {
    if (!data?.bench) return;
    try {
      postMessage({ bench: true, answer: await phases[data.bench](data) });
    } catch (error) {
      postMessage({ bench: true, error: String(error?.stack ?? error) });
    }
  });
  postMessage({ bench: true, answer: "ready" });
}
