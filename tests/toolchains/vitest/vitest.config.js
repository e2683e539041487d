import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

const chromium = playwright({
  launchOptions: {
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  },
});
const test = (name, include, options) => ({ test: { name, include: [include], testTimeout: 60_000, ...options } });

export default defineConfig({
  test: {
    projects: [
      test("node", "server.test.js", { environment: "node" }),
      test("jsdom", "server.test.js", { environment: "jsdom" }),
      test("testing", "testing.test.js", { environment: "node", globalSetup: ["quiredb/testing/global-setup"] }),
      test("browser", "page.test.js", {
        browser: {
          enabled: true,
          headless: true,
          screenshotFailures: false,
          provider: chromium,
          instances: [{ browser: "chromium" }],
        },
      }),
    ],
  },
});
