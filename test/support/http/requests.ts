import { expect } from 'vitest';

/** The parts of a response that the contract defines. */
export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Sends requests under `/api/admin` without the typed client, so that a test controls every byte. */
export interface Api {
  get(path: string): Promise<ApiResponse>;
  /** Sends a string as it is, and any other body as JSON. */
  post(path: string, body: unknown): Promise<ApiResponse>;
  put(path: string, body: unknown): Promise<ApiResponse>;
  patch(path: string, body: unknown): Promise<ApiResponse>;
  delete(path: string, body?: unknown): Promise<ApiResponse>;
}

/** The headers that identify a caller. */
export interface Caller {
  readonly cookie?: string;
  readonly authorization?: string;
}

/**
 * Returns functions that send requests to the service at the URL.
 *
 * @param caller - whose cookie or API token is sent; none by default
 */
export function apiAs(url: string, { cookie, authorization }: Caller = {}): Api {
  async function send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await fetch(`${url}/api/admin${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // An event stream does not end, so its start is the response.
    if (response.headers.get('content-type') === 'text/event-stream; charset=utf-8') {
      await response.body?.cancel();
      return { status: response.status, body: null };
    }
    return { status: response.status, body: await response.json() };
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path, body) => send('DELETE', path, body),
  };
}

/** The response to a successful change that returns no other fields. */
export const success: ApiResponse = { status: 200, body: { success: true } };

/** Returns the response to a request that fails with this text (contract section 7). */
export function errorResponse(status: number, error: string): ApiResponse {
  return { status, body: { error } };
}

/** Returns a matcher for the response to a request that fails with a text that matches. */
export function errorResponseLike(status: number, error: RegExp): ApiResponse {
  return { status, body: { error: expect.stringMatching(error) } };
}

/** Matches the format of every timestamp: UTC with milliseconds. */
export const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Sends that many requests at once. */
export function atOnce(
  times: number,
  request: (index: number) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => request(index)));
}
