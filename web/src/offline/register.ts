/**
 * Has the browser keep the page for visits without a network, and tells when a newer version is there.
 *
 * Invariant: nothing is replaced under the reader's hands: a new version takes over when the reader says so, or once
 * every window of the old one is closed.
 */
import { wordsOf } from "../messages/messages.ts";
import type { Controller } from "../state/controller.ts";
import { scriptAddress } from "../start/trusted.ts";
import type { Store } from "../state/store.ts";

export async function keepForOffline(store: Store, controller: Controller): Promise<void> {
  const container = (navigator as Partial<Navigator>).serviceWorker;
  if (container === undefined) return;
  // Refused, or nothing where something else took the place of registering: the page goes on as it is.
  const registration = (await container
    .register(scriptAddress("./sw.js"), { updateViaCache: "none" })
    .catch(() => null)) as ServiceWorkerRegistration | null | undefined;
  if (registration === null || registration === undefined) return;
  const offer = (): void => {
    const { m } = wordsOf(store.state.settings.language);
    if (registration.waiting !== null && container.controller !== null)
      controller.notice("plain", m["update.ready"], { label: m["update.take"], action: { kind: "update-taken" } });
  };
  store.subscribe((now, before) => {
    if (!now.updateTaken || before.updateTaken) return;
    container.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting?.postMessage("take-over");
  });
  registration.addEventListener("updatefound", () => {
    const found = registration.installing;
    found?.addEventListener("statechange", () => found.state === "installed" && offer());
  });
  offer();
}
