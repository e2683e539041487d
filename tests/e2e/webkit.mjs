/**
 * WebKit, driven by WebKitGTK's own WebDriver (Debian: `webkit2gtk-driver`) in its MiniBrowser, on a screen that nobody
 * sees (`Xvfb`) where there is none.
 *
 * Invariants: one command is under way at a time, since WebDriver has one window at a time, and each ends, also where
 * driver or browser is stuck; a session's storage is empty at its start and gone with it. `WEBKIT_DRIVER` names another
 * driver, which then knows its browser.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hold } from "./held.mjs";

const first = (files) => files.find((file) => file !== undefined && existsSync(file));

/** The program, and a browser of its version. */
const driver = first([process.env.WEBKIT_DRIVER, "/usr/bin/WebKitWebDriver"]);
const libraries = [
  "/usr/lib",
  ...(existsSync("/usr/lib")
    ? readdirSync("/usr/lib")
        .filter((name) => name.includes("-linux-"))
        .map((name) => join("/usr/lib", name))
    : []),
  "/usr/libexec",
];
const miniBrowser = first(
  libraries.flatMap((folder) =>
    ["4.1", "4.0", "6.0"].map((version) =>
      version === "6.0" ? join(folder, "webkitgtk-6.0/MiniBrowser") : join(folder, `webkit2gtk-${version}/MiniBrowser`),
    ),
  ),
);
const screen = first(["/usr/bin/Xvfb"]);

/** Why WebKit cannot be driven here, or false. */
export const missing =
  driver === undefined || (miniBrowser === undefined && process.env.WEBKIT_DRIVER === undefined)
    ? "no WebKit is installed (Debian: webkit2gtk-driver)"
    : screen === undefined && process.env.DISPLAY === undefined && process.env.WAYLAND_DISPLAY === undefined
      ? "WebKit has no screen (Debian: xvfb)"
      : false;

/** A port that nothing listens on. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a screen that nobody sees; gives its name and how to end it. */
async function startScreen() {
  if (screen === undefined) return { name: process.env.DISPLAY, end: () => undefined };
  const child = spawn(screen, ["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const number = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", () => reject(new Error("Xvfb ended at its start")));
  });
  return { name: `:${number}`, end: () => child.kill() };
}

/** How much longer than a page may take, in milliseconds, its driver may take to say so. */
const DRIVER_GRACE_MILLIS = 10_000;

/** A session of WebDriver: its commands one after the other. */
class Session {
  #address;
  #patience;
  #queue = Promise.resolve();
  #current = null;

  constructor(address, patience) {
    this.#address = address;
    this.#patience = patience;
  }

  /** Sends one command, after those before it. */
  send(method, path, body, handle = null) {
    const run = async () => {
      if (handle !== null && handle !== this.#current) {
        await this.#fetch("POST", "/window", { handle });
        this.#current = handle;
      }
      return this.#fetch(method, path, body);
    };
    const sent = this.#queue.then(run);
    this.#queue = sent.catch(() => undefined);
    return sent;
  }

  /** The window that commands without a handle go to is not known any more. */
  forget() {
    this.#current = null;
  }

  async #fetch(method, path, body) {
    const response = await fetch(this.#address + path, {
      method,
      // The driver gives up after as long (`/timeouts`), unless it or its browser is stuck: then nothing else ends this.
      signal: AbortSignal.timeout(this.#patience + DRIVER_GRACE_MILLIS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${value?.error}: ${value?.message}`);
    return value;
  }
}

/** One tab. */
class Tab {
  #session;
  #handle;
  /** WebDriver tells nothing of the console. */
  errors = [];

  constructor(session, handle) {
    this.#session = session;
    this.#handle = handle;
  }

  #send(method, path, body) {
    return this.#session.send(method, path, body, this.#handle);
  }
  async goto(url) {
    await this.#send("POST", "/url", { url });
  }
  async reload() {
    await this.#send("POST", "/refresh", {});
  }
  /** The value of an expression, or of its promise: anything that JSON holds. */
  async evaluate(expression) {
    const script = `const done = arguments[arguments.length - 1];
      (async () => (${expression}))().then((value) => done({ value: JSON.stringify(value) ?? null }), (error) => done({ error: String(error?.stack ?? error) + " " + String(error?.message) }));`;
    const { value, error } = await this.#send("POST", "/execute/async", { script, args: [] });
    if (error !== undefined) throw new Error(error);
    return value === null ? undefined : JSON.parse(value);
  }
  /** Clicks the element that an expression gives; false when it gives none. */
  async click(expression) {
    // The driver scrolls the page alone, and no scrolling part inside of it.
    const script = `const element = (${expression}); element?.scrollIntoView({ block: "nearest" }); return element;`;
    const element = await this.#send("POST", "/execute/sync", { script, args: [] });
    if (element === null) return false;
    await this.#send("POST", `/element/${Object.values(element)[0]}/click`, {});
    return true;
  }
  async close() {
    await this.#send("DELETE", "/window");
    this.#session.forget();
  }
}

/** Starts WebKit with empty storage; `variables` are put into its environment. */
export async function startWebKit(patience, variables = {}) {
  const { name, end } = await startScreen();
  const port = await freePort();
  const environment = {
    ...process.env,
    DISPLAY: name,
    GDK_BACKEND: "x11",
    LIBGL_ALWAYS_SOFTWARE: "1",
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    ...variables,
  };
  const child = spawn(driver, [`--port=${port}`], { stdio: "ignore", env: environment });
  const address = `http://127.0.0.1:${port}`;
  const close = hold(() => {
    child.kill();
    end();
  });
  try {
    for (const deadline = Date.now() + patience; ; await pause(50)) {
      const ready = await fetch(`${address}/status`, { signal: AbortSignal.timeout(patience) }).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) break;
      if (Date.now() > deadline) throw new Error("WebKit's driver does not answer");
    }
    const browser =
      miniBrowser === undefined
        ? {}
        : { browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary: miniBrowser, args: ["--automation"] } };
    const answer = await fetch(`${address}/session`, {
      method: "POST",
      signal: AbortSignal.timeout(patience),
      body: JSON.stringify({ capabilities: { alwaysMatch: browser } }),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`WebKit does not start: ${value?.message}`);
    const session = new Session(`${address}/session/${value.sessionId}`, patience);
    await session.send("POST", "/timeouts", { script: patience, pageLoad: patience, implicit: 0 });
    // The window that is there at the start stays: a session ends with its last one, and new ones are asked for from
    // it.
    const home = await session.send("GET", "/window");
    return {
      async tab() {
        const { handle } = await session.send("POST", "/window/new", { type: "tab" }, home);
        return new Tab(session, handle);
      },
      async close() {
        await session.send("DELETE", "").catch(() => undefined);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
