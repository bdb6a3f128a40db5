import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCost } from '../../src/services/sign-in/stored-hash.ts';
import { signIn } from '../support/here/accounts.ts';
import { at, json } from '../support/here/requests.ts';
import { backofficeHere, openSession, password } from '../support/here.ts';
import { type ServerProcess, serveProcess } from '../support/run/server.ts';

const backoffice = backofficeHere({}, { passwordCost: defaultCost });
/** In its own process: this one has the client's share of the work. */
let server: ServerProcess;

beforeAll(async () => {
  server = await serveProcess(backoffice.service.databaseUrl);
});

afterAll(() => server.command.stop('SIGTERM'));

type HeavyRequest = readonly [method: string, path: string, body?: unknown];

const words = 'an er is in on re es or te at';
const long = 'word '.repeat(20_000);
const records = Array.from({ length: 1_000 }, (_, n) => ({
  record_id: `record_${n}`,
  model: `model-${n % 50}`,
  input_tokens: n,
  output_tokens: n,
  occurred_at: new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString(),
}));
const runs = Array.from({ length: 100 }, (_, n) => ({
  run_id: `run_${n}`,
  source: `source-${n}.example.org`,
}));
const conversations = Array.from({ length: 10_000 }, (_, n) => `conversation_${n}`);
const updates = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 'x'.repeat(900)]));

/** What the weakest role can do to keep the database, the threads or the process busy. */
const candidates: readonly HeavyRequest[] = [
  ...[
    ...[
      '/issues',
      '/conversations',
      '/settings',
      '/settings?section=token-usage',
      '/settings?section=scraping',
    ],
    ...['/issues?period=everything', '/issues/trend?days=365'],
    '/issues?count=1&limit=1000&include=assignee&sort=updated_at',
    '/issues?status=Open,Closed,Resolved&severity=High,Low&limit=1000&count=1',
    '/issues?sort=created_at&since=2000-01-01T00:00:00Z&limit=1000&count=1',
    `/issues?q=${encodeURIComponent(words)}&limit=1000&count=1`,
    '/issues?q=island%20banner&sort=-severity&limit=1000&count=1',
    `/conversations?q=${encodeURIComponent(words)}&limit=1000&count=1`,
    '/conversations?q=e&limit=1000&count=1&include=assignee',
    '/messages?conversation_id=conversation_1&limit=1000&count=1',
    '/messages?conversation_id=conversation_1&q=word&limit=1000&count=1',
    '/admins?q=e&limit=100',
    '/scraping-runs?q=e&limit=1000&count=1',
    '/events?after=0',
  ].map((path): HeavyRequest => ['GET', path]),
  ['PATCH', '/issues', { filter: { status: 'Open' }, set: { severity: 'High' } }],
  ['PATCH', '/issues', { filter: { severity: 'High' }, set: { status: 'Open' } }],
  ['PATCH', '/issues', { filter: { q: words }, set: { severity: 'Low' }, dry_run: true }],
  ['PATCH', '/conversations', { ids: conversations, set: { status: 'pending', read: true } }],
  ['PUT', '/settings', { updates }],
  ['POST', '/issues', { title: 'x'.repeat(1_000), description: long, steps_to_reproduce: long }],
  ['POST', '/messages', { conversation_id: 'conversation_1', content: long }],
  ['POST', '/token-usage', { records }],
  ['POST', '/scraping-runs', { runs }],
  // The hash of a password keeps a thread busy.
  ['POST', '/factors', { type: 'totp', password }],
  ['PUT', '/admins', { id: 'its own', password }],
];

const heaviest = 14;
const times = 10;

test('14 heavy requests of the weakest role, 10 times each, do not stop the others', async () => {
  const { superadmin } = backoffice;
  // A report of usage names its models and sources as it likes.
  await backoffice.sql(`
    insert into issues (title, description, status, severity)
    select 'Issue ' || n, repeat('banner error island ', 20), (array['Open', 'Closed'])[n % 2 + 1], 'Low'
    from generate_series(1, 50000) as n;
    insert into conversations (id, visitor_name, visitor_email)
    select 'conversation_' || n, 'Visitor ' || n, n || '@example.com' from generate_series(1, 20000) as n;
    insert into conversation_messages (conversation_id, sender_type, content)
    select 'conversation_1', 'visitor', repeat('some words of a visitor ', 40) from generate_series(1, 20000);
    insert into token_usage_records (record_id, occurred_at, provider, model, input_tokens, output_tokens)
    select 'record ' || n, now(), repeat('provider ', 20) || n, repeat('model ', 30) || n, n, n
    from generate_series(1, 20000) as n;
    insert into scraping_runs (run_id, source, status, started_at)
    select 'run ' || n, repeat('source ', 25) || n, 'running', now() from generate_series(1, 20000) as n
  `);
  const email = 'weakest@example.com';
  // Signing in gives the account a hash of the cost of the product.
  const { id } = await backoffice.service.signIn('user', email);
  const service = at(server.url);
  const cookie = await openSession(server.url, email);
  const credentials = { email: superadmin.email, password };
  expect((await signIn(service, credentials)).status).toBe(200);

  const answers = new Map<string, number>();
  const send = async ([method, path, body]: HeavyRequest) => {
    const response = await service.fetch(`/api/admin${path}`, {
      method,
      headers: { cookie, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replace('its own', id) }),
    });
    // An event stream does not end by itself.
    if (path.startsWith('/events')) await pause(2_000).then(() => response.body?.cancel());
    else await response.body?.pipeTo(new WritableStream());
    const answer = response.ok ? 'success' : `${response.status} ${path}`;
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  };
  const costs: { readonly request: HeavyRequest; readonly ms: number }[] = [];
  for (const request of candidates) {
    const start = performance.now();
    await send(request);
    costs.push({ request, ms: performance.now() - start });
  }
  // None is refused before it costs something.
  expect([...answers.keys()]).toEqual(['success']);
  const chosen = costs.toSorted((a, b) => b.ms - a.ms).slice(0, heaviest);
  console.log(
    chosen.map(({ request: [method, path], ms }) => `${Math.round(ms)} ms ${method} ${path}`).join('\n'),
  );
  answers.clear();

  let running = times * heaviest;
  const sent = Array.from({ length: times })
    .flatMap(() => chosen)
    .map(({ request }) => send(request).finally(() => running--));

  const signInMs: number[] = [];
  const readyMs: number[] = [];
  while (running > 0) {
    const start = performance.now();
    expect((await service.fetch('/readyz')).status).toBe(200);
    readyMs.push(performance.now() - start);
    const begin = performance.now();
    expect((await signIn(service, credentials)).status).toBe(200);
    signInMs.push(performance.now() - begin);
    await pause(100);
  }
  await Promise.all(sent);
  console.log(
    `${signInMs.length} sign-ins: ${describe(signInMs)}; /readyz: ${describe(readyMs)}; answers: ${JSON.stringify([...answers])}`,
  );
  expect(signInMs.length).toBeGreaterThan(3);
  expect(Math.max(...signInMs)).toBeLessThanOrEqual(1_500);
});

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`;
}
