import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { backofficeOfThisFile } from '../support/http/backoffice.ts';
import { password } from '../support/http/service.ts';
import { signIn } from '../support/http/sign-in.ts';

const backoffice = backofficeOfThisFile();

/** The requests of the weakest role that cost the database or the process most. */
const heavy: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/issues'],
  ['GET', '/conversations'],
  ['GET', '/settings'],
  ['GET', '/issues?count=1&limit=1000'],
  ['GET', '/issues?q=an+er+is&limit=1000&count=1'],
  ['GET', '/conversations?q=an+er+is&limit=1000&count=1'],
  ['GET', '/issues?status=Open,Closed,Resolved&severity=High,Low&limit=1000&count=1'],
  ['GET', '/issues?sort=created_at&since=2000-01-01T00:00:00Z&limit=1000&count=1'],
  ['GET', '/conversations?status=open,closed&limit=1000&count=1'],
  ['GET', '/issues?q=x&limit=1000'],
  ['PATCH', '/issues', { filter: { status: 'Open' }, set: { severity: 'High' } }],
  ['PATCH', '/issues', { filter: { severity: 'High' }, set: { status: 'Open' } }],
  [
    'PUT',
    '/settings',
    { updates: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 'x'.repeat(900)])) },
  ],
  ['POST', '/issues', { title: 'x'.repeat(1_000), description: 'word '.repeat(100_000) }],
];

test('14 heavy requests of the weakest role, 10 times each, do not stop the others', async () => {
  const { service, superadmin } = backoffice;
  await backoffice.sql(`
    insert into issues (title, description, status, severity)
    select 'Issue ' || n, repeat('banner error island ', 20), (array['Open', 'Closed'])[n % 2 + 1], 'Low'
    from generate_series(1, 50000) as n
  `);
  await backoffice.sql(`
    insert into conversations (id, visitor_name, visitor_email)
    select 'conversation_' || n, 'Visitor ' || n, n || '@example.com' from generate_series(1, 20000) as n
  `);
  const { cookie } = await service.signIn('user');
  const credentials = { email: superadmin.email, password };
  expect((await signIn(service, credentials)).status).toBe(200);

  const answers = new Map<string, number>();
  let running = 0;
  const sent = Array.from({ length: 10 })
    .flatMap(() => heavy)
    .map(async ([method, path, body]) => {
      running++;
      const response = await service.fetch(`/api/admin${path}`, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await response.text().catch(() => '');
      const answer = response.ok ? 'success' : `${response.status} ${path}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      running--;
    });

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
  expect(Math.max(...signInMs)).toBeLessThanOrEqual(1_000);
});

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`;
}
