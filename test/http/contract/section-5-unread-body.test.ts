import { expect, test } from 'vitest';
import { sendHead } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/**
 * "Checks run in this order: session (401), role (403), body parsing" (section 7). These requests announce a body and
 * never send it. An answer proves that the service did not wait for it, and a closed connection that it never will.
 */
const announced = ['Content-Type: application/json', 'Content-Length: 1000000'];

test('section 5: a body of unknown length is not read either', async () => {
  const answer = await sendHead(backoffice.service.url, [
    'POST /api/admin/issues HTTP/1.1',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test('section 5: a client that waits for 100 Continue gets 401 instead', async () => {
  const answer = await sendHead(backoffice.service.url, [
    'POST /api/admin/issues HTTP/1.1',
    ...announced,
    'Expect: 100-continue',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).not.toContain('100 Continue');
});

test.for(['/api/admin/nothing', '/api/admin/issues'])(
  'section 5: a request for %s that matches no operation is 401 with the body unread',
  async (path) => {
    const answer = await sendHead(backoffice.service.url, [`PATCH ${path} HTTP/1.1`, ...announced]);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  },
);
