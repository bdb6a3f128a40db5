import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backofficeHere, password } from '../../support/here.ts';
import { sharedBrowser } from '../../support/page/browser.ts';

const backoffice = backofficeHere();
let page: Page;

beforeAll(async () => {
  page = await (await sharedBrowser()).newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  // Passkeys need a name. Any page of the service will do.
  const url = new URL('/healthz', backoffice.service.url);
  url.hostname = 'localhost';
  await page.goto(url.href);
});

afterAll(() => page?.close());

/** What the page runs, as a text, because the types of these tests have no browser. */
const script = (email: string) => `(async () => {
  const [email, password] = ${JSON.stringify([email, password])};
  const post = async (path, body) => {
    const response = await fetch('/api/admin/' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  await post('session', { email, password });
  const { body: started } = await post('factors', { type: 'passkey', password, name: 'This browser' });
  const made = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(started.options),
  });
  const added = await post('factors/verify', { id: started.id, credential: made });
  const { status, body: due } = await post('session', { email, password });
  const used = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(due.passkey),
  });
  const proof = { challenge: due.challenge, method: 'passkey', credential: used };
  const [signedIn, again] = [await post('session/verify', proof), await post('session/verify', proof)];
  return { added: added.status, due: status, signedIn, again: again.status };
})()`;

test('a browser makes a passkey from the options of the API, and signs in with it', async () => {
  const { email } = backoffice.superadmin;
  expect(await page.evaluate(script(email))).toMatchObject({
    added: 200,
    due: 202,
    signedIn: { status: 200, body: { success: true, admin: { email } } },
    again: 401,
  });
});
