import { expect } from 'vitest';

/** An answer of the service, as far as the contract speaks of it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends requests under `/api/admin` by hand, so that a test decides every byte of them. */
export interface Ask {
  get(path: string): Promise<Answer>;
  /** A body that is a string is sent as it is, anything else as JSON. */
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/**
 * Asks the service of that URL.
 *
 * @param session - whose cookie is sent; none without it
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
    // A stream has no end to wait for: that it begins is the answer.
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

/** The answer of a change that succeeded and has nothing else to say. */
export const success: Answer = { status: 200, body: { success: true } };

/** The answer of a request that is refused with that text, and nothing beside it (contract section 7). */
export function refusal(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** The answer of a request that is refused with a text that only its matcher knows. */
export function refusalLike(status: number, error: RegExp): Answer {
  return { status, body: { error: expect.stringMatching(error) } };
}

/** The form of every timestamp: UTC, with milliseconds. */
export const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
