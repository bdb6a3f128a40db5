import { expect, test } from 'vitest';
import { BackofficeError, errorCodes } from '../../src/contract/errors.ts';
import { type Problem, problemSchema } from '../../src/contract/problem.ts';
import { operations } from '../../src/contract/registry.ts';
import { errorsOf } from '../../src/http/openapi/responses.ts';
import { problemOf } from '../../src/http/responses/problem.ts';
import { ask, type Caller } from '../support/here/requests.ts';
import { backofficeHere, password } from '../support/here.ts';

const backoffice = backofficeHere();
const problemType = 'application/problem+json';

/** Sends a request as the superadmin, or as somebody else. */
const send = (
  method: string,
  path: string,
  body?: unknown,
  { accept = problemType, as = backoffice.superadmin as Caller } = {},
) => ask(backoffice.service, path, { method, as, headers: { accept }, body });

/** Sends a request, expects a problem document, and returns it. */
async function problem(...request: Parameters<typeof send>): Promise<Problem> {
  const { status, headers, text } = await send(...request);
  expect(headers.get('content-type')).toBe(problemType);
  const found = problemSchema.parse(JSON.parse(text));
  expect([found.status, found.request_id]).toEqual([status, headers.get('x-request-id')]);
  return found;
}

test('each documented error is a valid problem document', () => {
  for (const operation of operations)
    for (const error of errorsOf(operation)) {
      const document = problemOf(new BackofficeError(error), 'a-request-id');
      expect(problemSchema.parse(document)).toMatchObject({ code: error.code, detail: error.text });
    }
});

test('nobody gets a problem document, and { error } without Accept', async () => {
  const path = '/api/admin/issues';
  expect(await problem('GET', path, undefined, { as: {} })).toStrictEqual({
    type: '/api/docs/errors#unauthenticated',
    title: errorCodes.unauthenticated,
    status: 401,
    detail: 'Unauthorized',
    code: 'unauthenticated',
    request_id: expect.any(String),
  });
  const { status, headers, text } = await send('GET', path, undefined, { accept: '*/*', as: {} });
  expect([status, text]).toEqual([401, '{"error":"Unauthorized"}']);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'www-authenticate': 'Bearer',
    vary: expect.stringContaining('Accept'),
  });
});

test.for([
  ['a field', 'POST', '/api/admin/issues', '{}', 'title'],
  ['a field with a wrong type', 'PUT', '/api/admin/admins', '{"id":"a","email":5}', 'email'],
  ['a parameter', 'GET', '/api/admin/issues?limit=0', undefined, 'limit'],
  ['a character that no text may have', 'POST', '/api/admin/issues', '{"title":"a\\u0000"}', 'title'],
] as const)('%s at fault is named', async ([, method, path, body, param]) => {
  expect(await problem(method, path, body)).toMatchObject({ code: 'invalid', status: 400, param });
});

test('a conflict has a code and a field of its own', async () => {
  const account = { email: backoffice.superadmin.email, password };
  const taken = await problem('POST', '/api/admin/admins', account);
  expect(taken).toMatchObject({ status: 409, code: 'conflict', param: 'email' });
  const { id } = await backoffice.superadmin.client.call('issues.create', { title: 'Seen' });
  const change = { id, status: 'Closed', expected: { status: 'Resolved' } };
  const changed = await problem('PUT', '/api/admin/issues', change);
  expect(changed).toMatchObject({ status: 409, code: 'changed', param: 'expected.status' });
});

test.for([
  ['another path', 'GET', '/nowhere', 404, 'not_found'],
  ['another method', 'PUT', '/api/admin/audit', 405, 'method_not_allowed'],
  ['a body that is not JSON', 'POST', '/api/admin/issues', 500, 'failed'],
] as const)('%s is a problem document too', async ([, method, path, status, code]) => {
  expect(await problem(method, path, method === 'POST' ? '{' : undefined)).toMatchObject({ status, code });
});

test.for([
  ['application/problem+json', true],
  ['application/problem+json, application/json;q=0.9, */*;q=0.8', true],
  ['application/json;q=0.2, application/problem+json;q=0.3', true],
  ['application/problem+json, application/json', false],
  ['application/problem+json;q=0', false],
  ['application/problem+json;q=0.5, application/*;q=0.6', false],
  ['', false],
] as const)('a client that prefers a problem document gets one: %s', async ([accept, isProblem]) => {
  const { headers, text } = await send('GET', '/nowhere', undefined, { accept });
  expect(headers.get('content-type')).toBe(isProblem ? problemType : 'application/json; charset=utf-8');
  expect(Object.keys(JSON.parse(text)).includes('error')).toBe(!isProblem);
});

test('the type of every code leads to its explanation', async () => {
  const { status, text } = await send('GET', '/api/docs/errors');
  expect(status).toBe(200);
  for (const code of Object.keys(errorCodes)) expect(text).toContain(`id="${code}"`);
});
