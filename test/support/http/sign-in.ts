import type { TestService } from './service.ts';

/** Requests a session with that body, sent as JSON. */
export function signIn(
  { fetch }: Pick<TestService, 'fetch'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch('/api/admin/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Requests a session again while the service is too busy to hash the password, which a slow machine is sooner. */
export async function signInPatiently(...given: Parameters<typeof signIn>): Promise<Response> {
  for (;;) {
    const response = await signIn(...given);
    if (response.status !== 503) return response;
    await response.body?.cancel();
  }
}

/** Returns the status of `session.show` with that cookie: 200, or 401 without a valid session. */
export async function statusWith({ fetch }: Pick<TestService, 'fetch'>, cookie: string): Promise<number> {
  const response = await fetch('/api/admin/session', { headers: { cookie } });
  await response.body?.cancel();
  return response.status;
}
