import type { Caller } from './requests.ts';

/** The whole of a response that a repeated request must get again. */
export interface KeyedResponse {
  readonly status: number;
  /** The bytes of the body, as text. */
  readonly text: string;
  /** Whether the response says that it is that of an earlier request. */
  readonly replayed: boolean;
  readonly retryAfter: string | null;
}

/** Sends a POST under `/api/admin` with an `Idempotency-Key`. */
export async function postWithKey(
  url: string,
  { cookie, authorization }: Caller,
  path: string,
  body: unknown,
  key: string,
): Promise<KeyedResponse> {
  const response = await fetch(`${url}/api/admin${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(cookie === undefined ? {} : { cookie }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get('idempotency-replayed') === 'true',
    retryAfter: response.headers.get('retry-after'),
  };
}

/** Returns the response that a repeated request gets. */
export function replayOf(first: KeyedResponse): KeyedResponse {
  return { ...first, replayed: true };
}
