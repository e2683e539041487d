/**
 * `quiredb/testing/jest-environment`: Jest's environment of Node with a server of its own for each file of tests.
 *
 * The server lies outside the realm of the tests, where the engine's code is compiled once a worker. Tests have its
 * address as `__MONGO_URI__` and in `MONGO_URL` and `MONGO_URI`, and the server itself, for snapshots, as
 * `__MONGO_SERVER__`.
 */
import { TestEnvironment, type EnvironmentContext, type JestEnvironmentConfig } from "jest-environment-node";
import { MongoMemoryReplSet, type MongoMemoryReplSetOpts } from "../testing.ts";

export default class QuireEnvironment extends TestEnvironment {
  readonly #server: MongoMemoryReplSet;

  /** `testEnvironmentOptions.quiredb` has the options of `MongoMemoryReplSet`. */
  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.#server = new MongoMemoryReplSet(
      config.projectConfig.testEnvironmentOptions["quiredb"] as MongoMemoryReplSetOpts | undefined,
    );
  }

  override async setup(): Promise<void> {
    await super.setup();
    await this.#server.start();
    const uri = this.#server.getUri();
    Object.assign(this.global, { __MONGO_URI__: uri, __MONGO_SERVER__: this.#server });
    Object.assign(this.global.process.env, { MONGO_URL: uri, MONGO_URI: uri });
  }

  override async teardown(): Promise<void> {
    await this.#server.stop();
    await super.teardown();
  }
}
