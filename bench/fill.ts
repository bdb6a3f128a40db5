import { migrateUp } from '../src/db/migrate/index.ts';
import { createAccount } from './account.ts';
import { withConnection } from './postgres.ts';

/** Enough for more than one page. */
const admins = 200;

/** Two years of issues in the order of their creation, more of them recent; most old ones are closed. */
const insertIssues = `
  insert into issues
    (title, category, severity, description, steps_to_reproduce, status, created_at, updated_at)
  select
    'Page ' || n || ' does not ' || (array['load', 'save', 'scroll', 'print', 'sort'])[1 + n % 5],
    (array['Payments', 'Search', 'Account', 'Layout', 'Performance', 'E-mail', 'Export', 'Other'])[1 + n % 8],
    (array['Low', 'Low', 'Low', 'Medium', 'Medium', 'High', 'Low', 'Medium', 'High', 'Critical'])[1 + n * 7 % 10],
    repeat('It worked yesterday, and today nothing happens. ', 2 + n % 5),
    E'1. Sign in\\n2. Open the page\\n3. ' || repeat('Press the button and wait. ', 1 + n % 4),
    case
      when n > $1 * 0.98 then (array['Open', 'In Progress'])[1 + n % 2]
      else (array['Closed', 'Resolved', 'Closed', 'Closed'])[1 + n % 4]
    end,
    created_at,
    created_at
  from generate_series(1, $1::integer) as n
  cross join lateral (select now() - interval '730 days' * (1 - n / $1::float8) ^ 1.2 as created_at) as age
`;

/** The words of one issue that no other has. */
const rareWords = `update issues set description = 'The crossing for zebras is closed.' where id = $1::integer / 2`;

const insertAdmins = `
  insert into admins (email, username, created_at)
  select 'admin-' || n || '@example.com', 'admin-' || n, now() - interval '1 day' * (1 + $1::integer - n)
  from generate_series(1, $1::integer) as n
`;

/** Creates a database on a server, migrates and fills it, and returns its URL. */
export async function createFilledDatabase(serverUrl: string, issues: number): Promise<string> {
  const name = `bench_${issues}`;
  await withConnection(serverUrl, (client) => client.query(`create database ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateUp({ databaseUrl: url.href });
  await createAccount(url.href);
  await withConnection(url.href, async (client) => {
    await client.query(insertIssues, [issues]);
    await client.query(rareWords, [issues]);
    await client.query(insertAdmins, [admins]);
    await client.query('vacuum analyze');
  });
  return url.href;
}
