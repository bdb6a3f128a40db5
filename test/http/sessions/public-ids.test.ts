import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusWith } from '../../support/here/accounts.ts';
import { type SignedIn, startTestService, type TestService } from '../../support/here.ts';

const secret = 'a secret of thirty-two characters that this file knows';
let service: TestService;
let admin: SignedIn;

beforeAll(async () => {
  service = await startTestService({ SESSION_SECRET: secret });
  admin = await service.signIn('admin');
});

afterAll(() => service?.stop());

/** Returns the cookie value that the service makes from a session id. Anyone who knows its secret can make it. */
function signed(id: string): string {
  const signature = createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '');
  return `s:${id}.${signature}`;
}

test('the listed id of a session is not the id in its cookie and opens no session, even if it is signed', async () => {
  const [session] = (await admin.client.call('sessions.list')).sessions;
  if (session === undefined) throw new Error('No session.');
  const value = decodeURIComponent(admin.cookie.slice('backoffice='.length));
  expect(value).toBe(signed(value.slice('s:'.length, value.lastIndexOf('.'))));
  expect(value).not.toContain(session.id);
  expect(await statusWith(service, `backoffice=${encodeURIComponent(value)}`)).toBe(200);
  for (const forged of [session.id, `s:${session.id}`, signed(session.id)]) {
    expect(await statusWith(service, `backoffice=${encodeURIComponent(forged)}`)).toBe(401);
  }
});
