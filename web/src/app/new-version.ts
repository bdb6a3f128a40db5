import { basePath } from './data/client.ts';
import { createStore } from './store.ts';

const reloadedKey = 'backoffice-reloaded-at';
/** Not again within this time: a file that is missing in the new version too would reload without end. */
const reloadPauseMs = 60_000;

const isNew = createStore(false);
const isLacking = createStore(false);

/** Returns whether the service has another version of the dashboard than this page. */
export const useNewVersion = isNew.use;

/** Returns whether a part of the page is missing. Browsers do not ask for a module again before the page is loaded again. */
export const useMissingParts = isLacking.use;

/** Parts of the page that could not be loaded. */
const missing = new WeakSet<object>();

/** Reports whether an error is that a part of the page could not be loaded. */
export const isMissingPart = (error: unknown): boolean => error instanceof Error && missing.has(error);

/** Compares the page's script with the one that the service has now. Reports whether there is a new version. */
export async function checkVersion(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src') ?? '';
  const answer = await fetch(`${basePath}/sign-in`, { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) isNew.set(!(await answer.text()).includes(`src="${own}"`));
  return isNew.get();
}

/** Watches for parts that cannot be loaded. A new version may have replaced their files. */
export function watchParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload);
    // By its own message, the router would load the page again, without a network too.
    payload.message = 'A part of the page could not be loaded.';
    isLacking.set(true);
    void checkVersion();
  });
}

/** Loads a part of the page. Waits for ever if its files cannot be loaded, so that the rest of the page stays as it is. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissingPart(error)) throw error;
    return await new Promise<T>(() => undefined);
  }
}

/** Loads the page again because a new version has replaced its files. Remembers it, so that the new page says so. */
export function reloadForNewVersion(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < reloadPauseMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // Without storage, the page would reload without end. The person can do it.
    return;
  }
  location.reload();
}

/** Reports whether the page was loaded again a moment ago because of a new version. */
export function wasJustReplaced(): boolean {
  try {
    return performance.timeOrigin - Number(sessionStorage.getItem(reloadedKey)) < 10_000;
  } catch {
    return false;
  }
}
