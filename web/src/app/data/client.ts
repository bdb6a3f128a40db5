import { operations } from 'virtual:operations';
import { createTypedClient } from '../../../../src/contract/client/typed-client.ts';
import { isPersonThere } from '../session/presence.ts';

/** The path before those of the dashboard, such as `/backoffice`, if a proxy serves it under one. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';

/** Returns the name of what the tabs of this dashboard share. Another dashboard may be on the same host. */
export const sharedName = (name: string) => `backoffice-${name}${basePath}`;

/**
 * Sends a request. What the page loads by itself, because of an event or a timer, does not restart the idle time of the
 * session: otherwise a dashboard that nobody looks at would stay signed in.
 */
const send: typeof fetch = (input, init) => {
  if (isPersonThere()) return fetch(input, init);
  const headers = new Headers(init?.headers);
  headers.append('prefer', 'background');
  return fetch(input, { ...init, headers });
};

/** The client of the API. The browser adds the session's cookie. */
export const client = createTypedClient((id) => operations[id], { baseUrl: basePath, fetch: send });
