import { describe, expect, test } from 'vitest';
import { refusal } from '../../support/http/ask.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

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
        ? backoffice.ask.post(path, body)
        : backoffice.ask.put(path, body));
      expect(answer).toEqual({ status: 500, body: { error: expect.stringMatching(/\S/) } });
      expect(answer.body).not.toEqual({ error: expect.stringMatching(leak) });
    }
  });

  test('the message is that of the JSON parser', async () => {
    expect(await backoffice.ask.post('/issues', '{"title":')).toEqual(
      refusal(500, 'Unexpected end of JSON input'),
    );
  });
});

describe('section 7: 500 elsewhere: an unparseable body -> the fixed text', () => {
  test.for(broken)('%j', async (body) => {
    const { ask } = backoffice;
    expect(await ask.post('/conversations', body)).toEqual(refusal(500, 'Failed to create conversation.'));
    expect(await ask.post('/admins', body)).toEqual(refusal(500, 'Failed to create admin.'));
    expect(await ask.put('/admins', body)).toEqual(refusal(500, 'Failed to update admin.'));
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
  await backoffice.ask.put('/settings', '{"updates":{"a":"1"}');
  expect(await backoffice.sql('select from settings')).toEqual([]);
  expect((await backoffice.ask.put('/settings', '{"updates":{"a":"1"}}')).status).toBe(200);
});
