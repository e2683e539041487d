/**
 * Virtual time, and whose turn it is. Everything that happens in the simulated browser is a task: a timer, a message,
 * an answer of storage, a lock that is granted. Tasks run one at a time in the order of their virtual times, which the
 * seed decides.
 *
 * Invariants: a task's microtasks have run before the next task does; tasks of one lane keep their order; tasks of an
 * agent that is dead are dropped, and those of one that is frozen wait until it thaws. Nothing here asks the real
 * clock.
 */
import { Random } from "./random.mjs";

/** Time the engine's clock starts at, in milliseconds since the epoch. */
const EPOCH = 1_700_000_000_000;

/** Something that runs code: a page or a worker of a tab. */
export class Agent {
  constructor(tab, name) {
    this.tab = tab;
    this.name = name;
    this.ended = false;
    /** Called once when it is gone. */
    this.atEnd = [];
  }
  get isAlive() {
    return !this.ended && !this.tab.killed;
  }
  get isFrozen() {
    return this.tab.frozen;
  }
  end() {
    if (this.ended) return;
    this.ended = true;
    for (const one of this.atEnd.splice(0)) one();
  }
}

/** A tab: its page and workers live in one process, and die and freeze together. */
export class Tab {
  constructor(name) {
    this.name = name;
    this.killed = false;
    this.frozen = false;
    this.agents = [];
    /** Tasks that came while it was frozen. */
    this.held = [];
  }
  agent(name) {
    const agent = new Agent(this, `${this.name}/${name}`);
    this.agents.push(agent);
    return agent;
  }
}

export class World {
  now = 0;
  #tasks = [];
  #order = 0;
  #lanes = new Map();
  #after = [];
  /** Errors that nobody caught, by whose they are. */
  uncaught = [];
  /** What happened, for a failure's report. */
  trace = [];

  constructor(seed) {
    this.seed = seed;
    this.random = new Random(seed);
    /** Where the run is as slow as a busy machine. */
    this.slowness = this.random.chance(0.3) ? 1 + this.random.below(20) : 1;
  }

  get epochNow() {
    return EPOCH + Math.floor(this.now);
  }

  note(text) {
    this.trace.push(`${this.now.toFixed(1).padStart(9)} ${text}`);
    if (this.trace.length > 4000) this.trace.splice(0, 1000);
  }

  /**
   * Has a task run after so many milliseconds, in the order of its lane if it has one. An agent is whose code it runs;
   * null for the browser itself. Gives what takes the task back.
   */
  post(agent, delay, run, lane) {
    let at = this.now + Math.max(0, delay);
    if (lane !== undefined) {
      at = Math.max(at, this.#lanes.get(lane) ?? 0);
      this.#lanes.set(lane, at);
    }
    const task = { at, order: this.#order++, agent, run, taken: false };
    this.#push(task);
    return () => {
      task.taken = true;
    };
  }

  /** As `post`, with a delay that the seed decides: usually about so long. */
  soon(agent, usual, run, lane) {
    return this.post(agent, this.random.delay(usual * this.slowness), run, lane);
  }

  /** Has something be done when the task under way and its microtasks are over. */
  afterwards(run) {
    this.#after.push(run);
  }

  #push(task) {
    const heap = this.#tasks;
    let index = heap.length;
    heap.push(task);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(task, heap[parent])) break;
      heap[index] = heap[parent];
      index = parent;
    }
    heap[index] = task;
  }

  #pop() {
    const heap = this.#tasks;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last !== first) {
      let index = 0;
      for (;;) {
        let child = 2 * index + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child += 1;
        if (!before(heap[child], last)) break;
        heap[index] = heap[child];
        index = child;
      }
      heap[index] = last;
    }
    return first;
  }

  /** Runs the next task; false when there is none. */
  async step() {
    for (;;) {
      if (this.#tasks.length === 0) return false;
      const task = this.#pop();
      if (task.taken) continue;
      this.now = Math.max(this.now, task.at);
      if (task.agent !== null) {
        if (!task.agent.isAlive) continue;
        if (task.agent.isFrozen) {
          task.agent.tab.held.push(task);
          continue;
        }
      }
      try {
        task.run();
      } catch (error) {
        this.uncaught.push({ agent: task.agent?.name ?? "browser", error });
      }
      await this.settle();
      return true;
    }
  }

  /** Lets all microtasks run, and what waits for the end of a task. */
  async settle() {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      for (const run of this.#after.splice(0)) run();
    } while (this.#after.length > 0);
  }

  /**
   * Runs tasks until something holds; throws when it still does not at a virtual time, or nothing is left to happen.
   */
  async until(holds, millis, what) {
    const end = this.now + millis;
    // What was just begun may have its first tasks to post yet.
    await this.settle();
    while (!holds()) {
      if (this.now > end) throw new Error(`${what}: not within ${millis} ms of virtual time`);
      if (!(await this.step())) throw new Error(`${what}: nothing is left to happen`);
    }
  }

  /** Lets so much virtual time go by. */
  async pass(millis) {
    let over = false;
    this.post(null, millis, () => {
      over = true;
    });
    await this.until(() => over, millis + 1, "time goes by");
  }

  freeze(tab) {
    this.note(`${tab.name} freezes`);
    tab.frozen = true;
  }

  thaw(tab) {
    if (!tab.frozen) return;
    this.note(`${tab.name} thaws`);
    tab.frozen = false;
    for (const task of tab.held.splice(0)) this.#push({ ...task, at: this.now, order: this.#order++ });
  }

  /** Ends a tab's process where it is: nothing of it runs any more. */
  kill(tab) {
    if (tab.killed) return;
    this.note(`${tab.name} is killed`);
    tab.killed = true;
    for (const agent of tab.agents) agent.end();
  }
}

function before(one, other) {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
