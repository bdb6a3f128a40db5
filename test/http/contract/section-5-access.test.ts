import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/registry.ts';
import { type Answer, type Ask, askAs, refusal } from '../../support/http/ask.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

/** Whom section 5 lets in. The outcome of everybody else is the refusal beside it. */
const everySession = { allowed: ['user', 'admin', 'superadmin'], otherwise: '' };
const managers = { allowed: ['admin', 'superadmin'], otherwise: 'Insufficient permissions.' };
const superadminsOnly = { allowed: ['superadmin'], otherwise: 'Insufficient permissions.' };
const superadmins = { allowed: ['superadmin'], otherwise: 'Only superadmin can change roles.' };

let created = 0;

/** For each operation a request that succeeds where it is allowed, and who is allowed; more where that depends on it. */
type Table = Readonly<
  Record<string, { allow: typeof everySession; request: (ask: Ask) => Promise<Answer> }[]>
>;

/** The table of section 5. */
const ofTheContract: Table = {
  'issues.list': [{ allow: everySession, request: (ask) => ask.get('/issues') }],
  'issues.create': [{ allow: everySession, request: (ask) => ask.post('/issues', { title: 'T' }) }],
  'issues.changeStatus': [
    { allow: everySession, request: (ask) => ask.put('/issues', { id: 1, status: 'Open' }) },
  ],
  'conversations.list': [{ allow: everySession, request: (ask) => ask.get('/conversations') }],
  'conversations.create': [
    {
      allow: everySession,
      request: (ask) => ask.post('/conversations', { visitor_email: 'v@example.com', visitor_name: 'V' }),
    },
  ],
  'settings.show': [{ allow: everySession, request: (ask) => ask.get('/settings') }],
  'settings.update': [
    { allow: everySession, request: (ask) => ask.put('/settings', { key: 'k', value: 'v' }) },
  ],
  'admins.list': [{ allow: everySession, request: (ask) => ask.get('/admins') }],
  'admins.create': [
    {
      allow: managers,
      request: (ask) => ask.post('/admins', { email: `${++created}@example.com`, password: 'long enough' }),
    },
  ],
  'admins.update': [
    { allow: everySession, request: (ask) => ask.put('/admins', { id: 'admin_0_nobody', username: 'U' }) },
    { allow: superadmins, request: (ask) => ask.put('/admins', { id: 'admin_0_nobody', role: 'user' }) },
    { allow: superadmins, request: (ask) => ask.put('/admins', { id: 'admin_0_nobody', role: null }) },
  ],
  'admins.delete': [{ allow: managers, request: (ask) => ask.delete('/admins?id=admin_0_nobody') }],
};

/** What is beyond the contract, in its style. */
const beyondTheContract: Table = {
  'issues.trend': [{ allow: everySession, request: (ask) => ask.get('/issues/trend') }],
  'conversations.changeStatus': [
    { allow: everySession, request: (ask) => ask.put('/conversations', { id: 'none', status: 'open' }) },
  ],
  'conversations.read': [
    { allow: everySession, request: (ask) => ask.post('/conversations/read', { id: 'none' }) },
  ],
  'conversations.delete': [{ allow: everySession, request: (ask) => ask.delete('/conversations?id=none') }],
  'messages.list': [{ allow: everySession, request: (ask) => ask.get('/messages?conversation_id=none') }],
  'messages.create': [
    {
      allow: everySession,
      request: (ask) => ask.post('/messages', { conversation_id: 'conv_of_tests', content: 'Hello' }),
    },
  ],
  'messages.updateDraft': [
    { allow: everySession, request: (ask) => ask.put('/messages', { id: 0, ai_draft: null }) },
  ],
  'links.list': [{ allow: everySession, request: (ask) => ask.get('/links') }],
  'links.create': [
    {
      allow: everySession,
      async request(ask) {
        const { body } = await ask.post('/issues', { title: 'T' });
        const issue_id = (body as { id?: number }).id ?? 1;
        return await ask.post('/links', { issue_id, conversation_id: 'conv_of_tests' });
      },
    },
  ],
  'links.delete': [
    { allow: everySession, request: (ask) => ask.delete('/links?issue_id=0&conversation_id=none') },
  ],
  'settings.delete': [{ allow: everySession, request: (ask) => ask.delete('/settings?key=k') }],
  'tokenUsage.record': [
    {
      allow: everySession,
      request: (ask) =>
        ask.post('/token-usage', { record_id: 'r', model: 'm', input_tokens: 1, output_tokens: 1 }),
    },
  ],
  'scrapingRuns.list': [{ allow: everySession, request: (ask) => ask.get('/scraping-runs') }],
  'scrapingRuns.record': [
    { allow: everySession, request: (ask) => ask.post('/scraping-runs', { run_id: 'r', source: 's' }) },
  ],
  'admins.changeActivity': [
    {
      allow: managers,
      request: (ask) => ask.put('/admins/activity', { id: 'admin_0_nobody', is_active: 0 }),
    },
  ],
  'sessions.list': [{ allow: managers, request: (ask) => ask.get('/sessions') }],
  'sessions.revoke': [
    { allow: managers, request: (ask) => ask.delete('/sessions?id=nothing') },
    { allow: managers, request: (ask) => ask.delete('/sessions?admin_id=admin_0_nobody') },
  ],
  'audit.list': [{ allow: superadminsOnly, request: (ask) => ask.get('/audit') }],
  'webhooks.list': [{ allow: superadminsOnly, request: (ask) => ask.get('/webhooks') }],
  'webhooks.create': [
    { allow: superadminsOnly, request: (ask) => ask.post('/webhooks', { url: 'https://example.com/hooks' }) },
  ],
  'webhooks.update': [
    { allow: superadminsOnly, request: (ask) => ask.put('/webhooks', { id: 0, is_active: 1 }) },
  ],
  'webhooks.delete': [{ allow: superadminsOnly, request: (ask) => ask.delete('/webhooks?id=0') }],
  'webhooks.test': [{ allow: superadminsOnly, request: (ask) => ask.post('/webhooks/test', { id: 0 }) }],
  'webhooks.deliveries': [{ allow: superadminsOnly, request: (ask) => ask.get('/webhooks/deliveries') }],
  'webhooks.replay': [
    { allow: superadminsOnly, request: (ask) => ask.post('/webhooks/replay', { delivery_id: 0 }) },
  ],
  'events.follow': [
    { allow: everySession, request: (ask) => ask.get('/events') },
    { allow: managers, request: (ask) => ask.get('/events?types=session.started') },
    { allow: superadminsOnly, request: (ask) => ask.get('/events?types=token.created') },
  ],
  'session.show': [{ allow: everySession, request: (ask) => ask.get('/session') }],
  // Last of all, as it ends the session that it is asked with.
  'session.delete': [{ allow: everySession, request: (ask) => ask.delete('/session') }],
};

/** A new operation fails the first test below until it has its line. */
const table: Table = { ...ofTheContract, ...beyondTheContract };

/** Without a session one can do nothing but get one. */
const open = ['session.create'];

const askers: Record<string, Ask> = {};

beforeAll(async () => {
  const { service } = backoffice;
  await backoffice.sql(
    "insert into conversations (id, visitor_email, visitor_name) values ('conv_of_tests', 'v@example.com', 'V')",
  );
  for (const role of ['user', 'admin', 'superadmin'] as const) {
    askers[role] = askAs(service.url, await service.signIn(role));
  }
});

test('section 5: every operation of the registry has its line in the table', () => {
  expect([...Object.keys(table), ...open].sort()).toEqual(operations.map(({ id }) => id).sort());
});

const lines = Object.entries(table).flatMap(([id, requests]) =>
  requests.map((line, index) => ({ ...line, id: index === 0 ? id : `${id}, another request (${index})` })),
);

describe.each(lines)('section 5: $id', ({ allow, request }) => {
  test('without a session is 401 Unauthorized', async () => {
    expect(await request(askAs(backoffice.service.url))).toEqual(refusal(401, 'Unauthorized'));
  });

  test.for(['user', 'admin', 'superadmin'])('as %s', async (role) => {
    const answer = await request(askers[role] as Ask);
    if (allow.allowed.includes(role)) expect(answer.status).toBe(200);
    else expect(answer).toEqual(refusal(403, allow.otherwise));
  });
});
