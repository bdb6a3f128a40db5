import { expect } from 'vitest';

/** The parts of a response that the contract defines. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends requests under `/api/admin` without the typed client, so that a test controls every byte. */
export interface Ask {
  get(path: string): Promise<Answer>;
  /** Sends a string as it is, and any other body as JSON. */
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/**
 * Returns functions that send requests to the service at the URL.
 *
 * @param session - the session whose cookie is sent
 */
export function askAs(url: string, session?: { readonly cookie: string }): Ask {
  async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${url}/api/admin${path}`, {
      method,
      headers: {
        ...(session === undefined ? {} : { cookie: session.cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // An event stream does not end, so its start is the answer.
    if (response.headers.get('content-type') === 'text/event-stream') {
      await response.body?.cancel();
      return { status: response.status, body: null };
    }
    return { status: response.status, body: await response.json() };
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
    delete: (path) => ask('DELETE', path),
  };
}

/** The answer of a successful change without other fields. */
export const success: Answer = { status: 200, body: { success: true } };

/** Returns the answer of a request that is refused with that text (contract section 7). */
export function refusal(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** Returns the answer of a request that is refused with a text that matches. */
export function refusalLike(status: number, error: RegExp): Answer {
  return { status, body: { error: expect.stringMatching(error) } };
}

/** The format of every timestamp: UTC with milliseconds. */
export const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
