/**
 * The workload, run in a dedicated worker around one adapter. Every answer is checked against the products;
 * a wrong one is reported and the row does not count.
 *
 * An adapter is an object:
 * - `persistent`: whether it keeps its documents (then `flush` resolves when they are durable);
 * - `open({ name, fresh })`, `create()` (collection and indexes: unique on slug, on tags, on pricing.sale);
 * - `insertMany(products)`, `byId(id)`, `bySlug(slug)`, `range(low, high)` (low <= pricing.sale < high, ascending),
 *   `byTag(tag, limit)`, `countHeavier(weight)`, `group()` (per manufacturer `{ _id, average, sum }`),
 *   `increment(id)` (total_reviews), `deleteLighter(weight)` (how many), `flush()`, `close()`;
 * - and, of a store with pipelines, `insertOrders(orders)`, `groupByTag()` (per tag `{ _id, count, sum }` of its products
 *   and their reviews), `lookUp()` (per order `{ _id, quantity, sale }`, the price of its product), `dearest(limit)` (the
 *   products of the highest price), `runningTotals(count)` (per manufacturer `{ _id, sum }` of the running
 *   totals of total_reviews by slug, of the first so many products); `slowWindows`: whether only few can be asked for.
 */
import { generator, makeOrders, makeProducts, TAGS } from "./products.mjs";

const SEED = 7;
const now = () => performance.now();
const near = (one, other) => Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other));

/** Repeats an operation `count` times or until the budget of milliseconds is spent; gives operations per second. */
async function repeat(count, budget, operation) {
  const begun = now();
  let done = 0;
  while (done < count) {
    await operation();
    done += 1;
    if ((done % 8 === 0 || count < 64) && now() - begun > budget) break;
  }
  return (done / (now() - begun)) * 1000;
}

const ORDERS = 10000;
/** Products whose running totals every store is asked for. */
const FEW = 10000;

/** Rows of a store with pipelines. */
async function measurePipelines(adapter, products, budget, row, check) {
  const orders = makeOrders(ORDERS, products);
  await adapter.insertOrders(orders);
  const same = (found, wanted) => found.length === wanted.size && found.every((document) => {
    const expected = wanted.get(document._id);
    return expected && Object.entries(expected).every(([name, value]) => near(Number(document[name]), value));
  });
  const over = (count, wanted, what, work) => row(what, async () => count * await repeat(5, budget, async () => {
    check(same(await work(), wanted), what);
  }));

  const tags = new Map();
  for (const { tags: list, total_reviews } of products) {
    for (const tag of list) {
      const group = tags.get(tag) ?? { count: 0, sum: 0 };
      group.count += 1;
      group.sum += total_reviews;
      tags.set(tag, group);
    }
  }
  await over(products.length, tags, "groupByTag", () => adapter.groupByTag());

  const prices = new Map(products.map(({ _id, pricing }) => [_id, pricing.sale]));
  const joined = new Map(orders.map(({ _id, product, quantity }) => [_id, { quantity, sale: prices.get(product) }]));
  await over(orders.length, joined, "lookUp", () => adapter.lookUp());

  const dearest = products.map(({ pricing }) => pricing.retail).sort((one, other) => other - one).slice(0, 20);
  await row("dearest", async () => products.length * await repeat(5, budget, async () => {
    const found = await adapter.dearest(20);
    check(found.length === dearest.length && found.every(({ pricing }, i) => pricing.retail === dearest[i]), "dearest");
  }));

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
  await over(few, totalsOf(products.slice(0, few)), "runningTotals", () => adapter.runningTotals(few));
  if (!adapter.slowWindows) {
    await over(products.length, totalsOf(products), "allRunningTotals", () => adapter.runningTotals(products.length));
  }
}

/** Rows that read and write a loaded store. Values are documents per second. */
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

  await row("byId", () => repeat(10000, budget, async () => {
    const product = any();
    const found = await adapter.byId(product._id);
    check(found?.slug === product.slug, "byId");
  }));
  await row("bySlug", () => repeat(10000, budget, async () => {
    const product = any();
    const found = await adapter.bySlug(product.slug);
    check(found?.name === product.name && found.sku === product.sku, "bySlug");
  }));
  const width = (0.1 * 100000) / products.length; // about 20 products
  let read = 0;
  await row("range", async () => {
    const begun = now();
    await repeat(1000, budget, async () => {
      const low = Math.round((1 + random() * 499) * 100) / 100;
      const found = await adapter.range(low, low + width);
      read += found.length;
      for (let i = 0; i < found.length; i += 1) {
        const { sale } = found[i].pricing;
        check(sale >= low && sale < low + width && (i === 0 || sale >= found[i - 1].pricing.sale), "range");
      }
    });
    const speed = (read / (now() - begun)) * 1000;
    const wanted = products.filter(({ pricing }) => pricing.sale >= 100 && pricing.sale < 100 + width).length;
    check((await adapter.range(100, 100 + width)).length === wanted, "range: number of products");
    return speed;
  });
  const tagged = new Map(TAGS.map((tag) => [tag, 0]));
  for (const { tags } of products) for (const tag of tags) tagged.set(tag, tagged.get(tag) + 1);
  await row("byTag", async () => {
    const begun = now();
    read = 0;
    await repeat(1000, budget, async () => {
      const tag = TAGS[Math.floor(random() * TAGS.length)];
      const found = await adapter.byTag(tag, 20);
      read += found.length;
      check(found.length === Math.min(20, tagged.get(tag)) && found.every(({ tags }) => tags.includes(tag)), "byTag");
    });
    return (read / (now() - begun)) * 1000;
  });
  const heavy = products.filter(({ details }) => details.weight > 75).length;
  await row("scan", async () => products.length * await repeat(5, budget, async () => {
    check(await adapter.countHeavier(75) === heavy, "scan");
  }));
  const groups = new Map();
  for (const { details, pricing, total_reviews } of products) {
    const group = groups.get(details.manufacturer) ?? { sale: 0, count: 0, reviews: 0 };
    group.sale += pricing.sale;
    group.count += 1;
    group.reviews += total_reviews;
    groups.set(details.manufacturer, group);
  }
  await row("group", async () => products.length * await repeat(5, budget, async () => {
    const found = await adapter.group();
    check(found.length === groups.size, "group: number of groups");
    for (const { _id, average, sum } of found) {
      const group = groups.get(_id);
      check(group && near(average, group.sale / group.count) && near(Number(sum), group.reviews), "group");
    }
  }));
  if (adapter.runningTotals) await measurePipelines(adapter, products, budget, row, check);
  const reviews = new Map();
  await row("increment", async () => {
    const speed = await repeat(10000, budget * 2, async () => {
      const product = any();
      reviews.set(product._id, (reviews.get(product._id) ?? product.total_reviews) + 1);
      await adapter.increment(product._id);
    });
    const [id, wanted] = reviews.entries().next().value;
    check(Number((await adapter.byId(id))?.total_reviews) === wanted, "increment");
    return speed;
  });
  if (adapter.persistent) await adapter.flush();
  const light = products.filter(({ details }) => details.weight < 50);
  await row("delete", async () => {
    const begun = now();
    const deleted = await adapter.deleteLighter(50);
    if (adapter.persistent) await adapter.flush();
    const speed = (light.length / (now() - begun)) * 1000;
    check(deleted === light.length, `delete: ${deleted} and not ${light.length}`);
    check(!(await adapter.byId(light[0]._id)), "delete: a deleted product is still there");
    return speed;
  });
  return { rows, wrong: [...wrong] };
}

/** Serves the phases of the workload to the page. */
export function serve(adapter) {
  const phases = {
    async load({ count, name }) {
      const products = makeProducts(count, SEED);
      await adapter.open({ name, fresh: true });
      const begun = now();
      await adapter.create();
      await adapter.insertMany(products);
      const rows = { load: (count / (now() - begun)) * 1000 };
      if (adapter.persistent) {
        await adapter.flush();
        rows.durable = (count / (now() - begun)) * 1000;
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
    async close() {
      await adapter.close?.();
      return { rows: {}, wrong: [] };
    },
  };
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
