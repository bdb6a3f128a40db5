import { operations } from 'virtual:operations';
import { useSyncExternalStore } from 'react';
import { createTypedClient } from '../../../../src/contract/client/typed-client.ts';
import { queryClient, sessionKey } from './query-client.ts';

/** The path before those of the dashboard, such as `/backoffice`, if a proxy serves it under one. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';

/** Returns the name of what the tabs of this dashboard share. Another dashboard may be on the same host. */
export const sharedName = (name: string) => `backoffice-${name}${basePath}`;

/** How long a person counts as being there after the last key, touch or movement. */
const presentMs = 60_000;
const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel'];

/** Opening the page is the first sign. */
let seenAt = Date.now();

function onSign(run: () => void): () => void {
  for (const type of signs) addEventListener(type, run, { capture: true, passive: true });
  return () => {
    for (const type of signs) removeEventListener(type, run, { capture: true });
  };
}

onSign(() => (seenAt = Date.now()));

/** Reports whether a person is at this page, and not only the page itself is active. */
export function isPersonThere(): boolean {
  return Date.now() - seenAt < presentMs;
}

/** Returns whether a person is at this page. It is drawn again when one comes back, not when one leaves. */
export const useIsPersonThere = (): boolean => useSyncExternalStore(onSign, isPersonThere);

/**
 * Sends a request. What the page loads by itself, because of an event or a timer, does not restart the idle time of the
 * session: otherwise a dashboard that nobody looks at would stay signed in. Whichever request finds out that the session has
 * ended, the page learns it here.
 */
const send: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (!isPersonThere()) headers.append('prefer', 'background');
  const response = await fetch(input, { ...init, headers });
  if (response.status === 401) queryClient.setQueryData(sessionKey, null);
  return response;
};

/** The client of the API. The browser adds the session's cookie. */
export const client = createTypedClient((id) => operations[id], { baseUrl: basePath, fetch: send });
