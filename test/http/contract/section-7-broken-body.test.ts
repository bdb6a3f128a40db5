import { describe, expect, test } from 'vitest';
import { errorResponse } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Bodies that are not JSON. */
const broken = [
  '',
  ' ',
  '{',
  '{"title":',
  '{title:"T"}',
  "{'title':'T'}",
  '{"title":"T"}}',
  'NaN',
  '\u{feff}\u{feff}{}',
  'undefined',
];

/** What a message must not contain: a place in the code, a stack trace, SQL, or the address of the database. */
const leak = /\.(ts|js)\b|node_modules|\bat \w+ \(|select |insert |postgres|127\.0\.0\.1|\n/i;

describe('section 7: 500 issues, settings: an unparseable body -> the underlying failure message', () => {
  test.for([
    ['POST', '/issues'],
    ['PUT', '/issues'],
    ['PUT', '/settings'],
  ] as const)('%s %s', async ([method, path]) => {
    for (const body of broken) {
      const answer = await (method === 'POST'
        ? backoffice.api.post(path, body)
        : backoffice.api.put(path, body));
      expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
      expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
    }
  });

  test('the message is that of the JSON parser', async () => {
    expect(await backoffice.api.post('/issues', '{"title":')).toEqual(
      errorResponse(500, 'Unexpected end of JSON input'),
    );
  });
});

describe('section 7: 500 elsewhere: an unparseable body -> the fixed text', () => {
  test.for(broken)('%j', async (body) => {
    const { api } = backoffice;
    expect(await api.post('/conversations', body)).toEqual(
      errorResponse(500, 'Failed to create conversation.'),
    );
    expect(await api.post('/admins', body)).toEqual(errorResponse(500, 'Failed to create admin.'));
    expect(await api.put('/admins', body)).toEqual(errorResponse(500, 'Failed to update admin.'));
  });
});

test('section 7: a missing body is unparseable', async () => {
  const response = await backoffice.service.fetch('/api/admin/issues', {
    method: 'POST',
    headers: { cookie: backoffice.superadmin.cookie },
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/\S/) });
});

test('section 7: an unparseable body changes nothing, and the next request succeeds', async () => {
  await backoffice.api.put('/settings', '{"updates":{"a":"1"}');
  expect(await backoffice.sql('select from settings')).toEqual([]);
  expect((await backoffice.api.put('/settings', '{"updates":{"a":"1"}}')).status).toBe(200);
});
