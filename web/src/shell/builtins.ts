/**
 * Puts the language's own functions back after a script replaced them.
 *
 * The shell itself runs on them: a script with `JSON.stringify = …` would otherwise spoil the next one. Only the
 * builtins that were there when the shell was loaded are put back; a script's additions stay. Invariant: works on
 * functions taken at load, never on a script's replacements of them.
 */
const { getOwnPropertyDescriptor, defineProperty } = Object;
const { ownKeys, getPrototypeOf } = Reflect;

// Three lists side by side: all built-ins are compared after each script, which is most of an empty script's time.
const holders: object[] = [];
const names: PropertyKey[] = [];
const values: unknown[] = [];

function keep(holder: object): void {
  for (const key of ownKeys(holder)) {
    const descriptor = getOwnPropertyDescriptor(holder, key);
    if (descriptor === undefined || !("value" in descriptor) || descriptor.configurable !== true) continue;
    const index = holders.length;
    holders[index] = holder;
    names[index] = key;
    values[index] = descriptor.value;
  }
}

/** Remembers the built-ins as they are; called once, before any script. */
export function keepBuiltins(): void {
  const functions = [
    Object,
    Function,
    Array,
    String,
    Number,
    Boolean,
    Symbol,
    Date,
    RegExp,
    Map,
    Set,
    WeakMap,
    Promise,
    Error,
    TypeError,
    RangeError,
    SyntaxError,
    BigInt,
    Uint8Array,
    Proxy,
  ];
  for (let index = 0; index < functions.length; index++) {
    const constructor = functions[index] as { readonly prototype?: object };
    keep(constructor);
    if (constructor.prototype !== undefined) keep(constructor.prototype);
  }
  const iterator = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()) as object) as object;
  const others: object[] = [
    JSON,
    Math,
    Reflect,
    iterator,
    getPrototypeOf([][Symbol.iterator]()) as object,
    getPrototypeOf(Uint8Array) as object,
    getPrototypeOf(Uint8Array.prototype) as object,
  ];
  for (let index = 0; index < others.length; index++) keep(others[index] as object);
}

/** Puts back every built-in that is not the one remembered. */
export function restoreBuiltins(): void {
  const count = holders.length;
  for (let index = 0; index < count; index++) {
    const holder = holders[index] as object;
    const key = names[index] as PropertyKey;
    const value = values[index];
    const now = getOwnPropertyDescriptor(holder, key);
    // An accessor's descriptor has no value, and no built-in is undefined.
    if (now !== undefined && now.value === value) continue;
    try {
      defineProperty(holder, key, { value, writable: true, configurable: true, enumerable: false });
    } catch {
      // A script froze it: then it cannot have changed it either.
    }
  }
}
