import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, startTestService, type TestService } from '../../support/http/service.ts';
import { statusWith } from '../../support/http/sign-in.ts';

const secret = 'a secret of thirty-two characters that this file knows';
let service: TestService;
let admin: SignedIn;

beforeAll(async () => {
  service = await startTestService({ SESSION_SECRET: secret });
  admin = await service.signIn('admin');
});

afterAll(() => service?.stop());

/** A cookie as the service makes it of a session's id: anyone who knows its secret can. */
function signed(id: string): string {
  const signature = createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '');
  return `s:${id}.${signature}`;
}

test('the id by which sessions are listed is not the one in the cookie, and opens nothing, even rightly signed', async () => {
  const [session] = (await admin.client.call('sessions.list')).sessions;
  if (session === undefined) throw new Error('There is no session.');
  const value = decodeURIComponent(admin.cookie.slice('backoffice='.length));
  expect(value).toBe(signed(value.slice('s:'.length, value.lastIndexOf('.'))));
  expect(value).not.toContain(session.id);
  expect(await statusWith(service, `backoffice=${encodeURIComponent(value)}`)).toBe(200);
  for (const forged of [session.id, `s:${session.id}`, signed(session.id)]) {
    expect(await statusWith(service, `backoffice=${encodeURIComponent(forged)}`)).toBe(401);
  }
});
