import { migrateUp } from '../../src/db/migrate/migrate.ts';
import { createAccount } from '../servers/account.ts';
import { withConnection } from './postgres.ts';

/** Values that a filled database has once. */
export const rare = {
  category: 'Carrier pigeons',
  conversationStatus: 'pending',
  actor: 'rare@example.com',
  event: 'webhook.tested',
} as const;

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

/** One issue that its category and its words find, and no other. */
const rareIssue = `
  update issues set category = '${rare.category}', description = 'The crossing for zebras is closed.' where id = $1::integer / 2
`;

const insertAdmins = `
  insert into admins (email, username, created_at)
  select 'admin-' || n || '@example.com', 'admin-' || n, now() - interval '1 day' * (1 + $1::integer - n)
  from generate_series(1, $1::integer) as n
`;

/** One conversation for ten issues, with three messages each. One of them alone is pending. */
const insertConversations = `
  with conversation as (
    insert into conversations (id, visitor_email, visitor_name, subject, status, created_at, updated_at)
    select 'conv_' || n, 'visitor-' || n || '@example.com', 'Visitor ' || n, 'A question about order ' || n,
      case when n = $1::integer / 20 then '${rare.conversationStatus}' else (array['open', 'resolved', 'closed', 'closed'])[1 + n % 4] end,
      now() - interval '1 minute' * ($1::integer - n), now() - interval '1 minute' * ($1::integer - n)
    from generate_series(1, $1::integer / 10) as n
    returning id, created_at
  )
  insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
  select id, (array['visitor', 'admin'])[1 + n % 2], repeat('Where is my order? ', 1 + n * 3), (array['sent', 'read'])[1 + n % 2],
    created_at + interval '1 second' * n
  from conversation, generate_series(1, 3) as n
`;

/** As many audit records as issues. One of them alone has its actor and its event. */
const insertAuditRecords = `
  insert into audit_records (id, created_at, actor_kind, actor_id, actor_name, door, operation, event, subject_id, after)
  select nextval(pg_get_serial_sequence('events', 'id')), now() - interval '1 minute' * ($1::integer - n), 'admin', 'admin_' || n % 20,
    case when n = $1::integer / 2 then '${rare.actor}' else 'admin-' || n % 20 || '@example.com' end, 'http',
    'issues.changeStatus', case when n = $1::integer / 2 then '${rare.event}' else 'issue.updated' end,
    n, jsonb_build_object('status', 'Closed')
  from generate_series(1, $1::integer) as n
`;

/** Token usage of the present month. */
const insertTokenUsage = `
  insert into token_usage_records (occurred_at, provider, model, input_tokens, output_tokens)
  select date_trunc('month', now()) + (now() - date_trunc('month', now())) * random(), 'example', 'model-' || n % 30, n, n / 2
  from generate_series(1, 100000) as n
`;

/** Creates a database on a server, migrates and fills it, and returns its URL. */
export async function createFilledDatabase(serverUrl: string, issues: number): Promise<string> {
  const url = await createDatabase(serverUrl, `bench_${issues}`);
  await migrateUp({ databaseUrl: url });
  await createAccount(url);
  await withConnection(url, async (client) => {
    await client.query(insertIssues, [issues]);
    await client.query(rareIssue, [issues]);
    await client.query(insertAdmins, [admins]);
    await client.query(insertConversations, [issues]);
    await client.query(insertAuditRecords, [issues]);
    await client.query(insertTokenUsage);
    await client.query('vacuum analyze');
  });
  return url;
}

/** Copies a database that nobody uses, and returns the URL of the copy. */
export async function copyDatabase(url: string, suffix: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const other = new URL(url);
  other.pathname = '/postgres';
  return await createDatabase(other.href, `${name}_${suffix}`, name);
}

async function createDatabase(serverUrl: string, name: string, template = 'template1'): Promise<string> {
  await withConnection(serverUrl, (client) => client.query(`create database ${name} template ${template}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
