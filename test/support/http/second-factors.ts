import { Secret, TOTP } from 'otpauth';
import type { OutputOf, PendingOf } from '../../../src/contract/registry.ts';
import { password, type SignedIn, type TestService } from './service.ts';
import { signIn } from './sign-in.ts';
import { SoftwareAuthenticator } from './software-authenticator.ts';

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

/** The answer to the second step of a sign-in. */
export interface VerifyAnswer {
  readonly status: number;
  readonly body: OutputOf<'session.verify'> | { readonly error: string };
  readonly cookie: string | undefined;
  readonly retryAfter: string | null;
}

/** Completes a sign-in. */
export async function verifySignIn(
  { fetch }: Pick<TestService, 'fetch'>,
  body: object,
): Promise<VerifyAnswer> {
  const response = await fetch('/api/admin/session/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as VerifyAnswer['body'],
    cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0],
    retryAfter: response.headers.get('retry-after'),
  };
}
