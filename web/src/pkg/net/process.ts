/** What MongoDB's drivers ask of Node's `process` and `timers/promises`, for a page: the two give no name twice. */

const nextTick = (work: (...given: unknown[]) => void, ...given: unknown[]): void =>
  queueMicrotask(() => work(...given));
const emitWarning = (warning: unknown): void => console.warn(warning);
function hrtime(since: readonly [number, number] = [0, 0]): [number, number] {
  const nanos = Math.round(performance.now() * 1e6) - (since[0] * 1e9 + since[1]);
  return [Math.floor(nanos / 1e9), nanos % 1e9];
}
/** A page ends without telling. */
const on = (): void => undefined;

export const process = {
  env: {} as Record<string, string | undefined>,
  argv: [],
  platform: "browser",
  arch: "wasm",
  version: "",
  versions: {},
  browser: true,
  stdout: undefined,
  stderr: undefined,
  nextTick,
  emitWarning,
  hrtime,
  on,
};
const { env, argv, platform, arch, version, versions, stdout, stderr } = process;
export { argv, arch, emitWarning, env, hrtime, nextTick, on, platform, stderr, stdout, version, versions };

const after = <Value>(millis?: number, value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => globalThis.setTimeout(() => resolve(value), millis));
export { after as setTimeout };
