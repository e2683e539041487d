/** The part of Jest's environment of Node that is extended here; Jest brings it along. */
declare module "jest-environment-node" {
  export interface JestEnvironmentConfig {
    readonly projectConfig: { readonly testEnvironmentOptions: Readonly<Record<string, unknown>> };
  }
  export type EnvironmentContext = object;
  export class TestEnvironment {
    constructor(config: JestEnvironmentConfig, context: EnvironmentContext);
    readonly global: { readonly process: { readonly env: Record<string, string | undefined> } };
    setup(): Promise<void>;
    teardown(): Promise<void>;
  }
}
