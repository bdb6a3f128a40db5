import { Secret, TOTP } from 'otpauth';
import type { OutputOf, PendingOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { type Backoffice, password, type SignedIn, type TestService } from '../here.ts';
import { withClient } from '../postgres/server.ts';
import { SoftwareAuthenticator } from './authenticator.ts';
import { type Api, apiAs, ask, bearer, json } from './requests.ts';

/** Requests a session with that body, sent as JSON. */
export function signIn(
  { fetch }: Pick<TestService, 'fetch'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch('/api/admin/session', {
    method: 'POST',
    headers: { ...json, ...headers },
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
export async function statusWith(service: Pick<TestService, 'fetch'>, cookie: string): Promise<number> {
  return (await ask(service, '/api/admin/session', { as: { cookie } })).status;
}

/** Returns the API as a new admin of a role sees it. */
export async function apiOfRole({ service }: Pick<Backoffice, 'service'>, role: Role): Promise<Api> {
  return apiAs(service.url, await service.signIn(role));
}

/** Returns the API as a program with a new token of a role sees it. */
export async function apiOfToken({ service }: Pick<Backoffice, 'service'>, role: Role): Promise<Api> {
  return apiAs(service.url, bearer((await service.createToken(role)).secret));
}

/** Adds an account that cannot sign in. A service without any account does not answer, even to a token. */
export async function addAccount(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `insert into admins (id, email, username, role, password_hash)
       values ('admin_1_nobody', 'nobody@example.com', 'Nobody', 'superadmin', '')`,
    ),
  );
}

const stepMs = 30_000;

/** An authenticator app. */
export class AuthenticatorApp {
  readonly #totp: TOTP;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  /** Returns the code that the app shows now, or so many steps of 30 seconds later. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + steps * stepMs });
  }
}

/** Sets up an authenticator app for an admin, with the code of the step before this one. */
export async function enrolApp(admin: Pick<SignedIn, 'client'>) {
  const { id, secret = '' } = await admin.client.call('factors.create', { type: 'totp', password });
  const app = new AuthenticatorApp(secret);
  const verify = () => admin.client.call('factors.verify', { id, code: app.code(-1) });
  // A code is too old if the step changes on its way to the service. Then the next one is right.
  const { recovery_codes: recoveryCodes = [] } = await verify().catch(verify);
  return { id, app, recoveryCodes };
}

/** Sets up a passkey for an admin. */
export async function enrolPasskey(admin: Pick<SignedIn, 'client'>, origin: string) {
  const { id, options = {} } = await admin.client.call('factors.create', { type: 'passkey', password });
  const device = new SoftwareAuthenticator(origin);
  const credential = device.create(options);
  const { recovery_codes: recoveryCodes = [] } = await admin.client.call('factors.verify', {
    id,
    credential,
  });
  return { id, device, recoveryCodes };
}

export type Challenge = PendingOf<'session.create'>;

/** Signs in with the right password and returns the challenge of the second step. */
export async function challengeOf(service: Pick<TestService, 'fetch'>, email: string): Promise<Challenge> {
  const response = await signIn(service, { email, password });
  if (response.status !== 202) throw new Error(`Sign-in answered ${response.status}.`);
  return (await response.json()) as Challenge;
}

/** Completes a sign-in. */
export async function verifySignIn(service: Pick<TestService, 'fetch'>, body: object) {
  const answer = await ask(service, '/api/admin/session/verify', { method: 'POST', headers: json, body });
  return { ...answer, body: answer.body as OutputOf<'session.verify'> | { readonly error: string } };
}
