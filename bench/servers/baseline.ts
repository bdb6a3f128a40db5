/**
 * The floor that the service is compared with: the least code that gives the same answers. It uses node:http and pg,
 * without a framework, sessions, checks or a log, and maps rows to JSON. With TRAIL=1 a change also writes the event and
 * the audit record that the service writes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';

// Counts and ids are JSON numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 32 });
const hasTrail = process.env.TRAIL === '1';

async function listIssues(limit: string | null): Promise<string> {
  const { rows } = await pool.query(
    `select id, title, category, severity, description, steps_to_reproduce, status, created_at, updated_at
     from issues order by created_at desc, id desc limit $1`,
    [limit],
  );
  return JSON.stringify({ issues: rows });
}

async function aggregateIssues(period: string): Promise<string> {
  const { rows } = await pool.query('select issue_statistics($1) as statistics', [period]);
  return rows[0].statistics;
}

const insertIssue = `
  insert into issues (title, category, severity, description, steps_to_reproduce)
  values ($1, $2, $3, $4, $5) returning id
`;

/** Creates an issue in one statement. */
async function createIssue(issue: Record<string, string>): Promise<string> {
  const { rows } = await pool.query(insertIssue, valuesOf(issue));
  return JSON.stringify({ success: true, id: rows[0].id });
}

const actor = JSON.stringify({ kind: 'nobody', id: null, name: 'baseline', door: 'http', address: '' });

/** Creates an issue and records it, in one transaction. */
async function createIssueWithTrail(issue: Record<string, string>): Promise<string> {
  const { title, category, severity } = issue;
  const client = await pool.connect();
  await client.query('begin');
  const { rows } = await client.query(insertIssue, valuesOf(issue));
  const { id } = rows[0];
  const after = { title, category, severity, status: 'Open' };
  await client.query(
    `insert into recorded_changes (origin, operation, event, subject_id, after)
     values ($1, 'issues.create', 'issue.created', $2, $3)`,
    [actor, id, after],
  );
  await client.query('commit');
  client.release();
  return JSON.stringify({ success: true, id });
}

function valuesOf({ title, category, severity, description, steps_to_reproduce }: Record<string, string>) {
  return [title, category, severity, description, steps_to_reproduce];
}

/** Reads a page and the total in one round trip, as the service does. */
async function listAdmins(page: number, limit: number): Promise<string> {
  const { rows } = await pool.query(
    `select
       (select count(*) from admins) as total,
       (select json_agg(page) from (
         select id, email, username, role, is_active,
           to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
         from admins order by admins.created_at, id offset $1 limit $2
       ) as page) as admins`,
    [(page - 1) * limit, limit],
  );
  const { admins, total } = rows[0];
  return JSON.stringify({
    admins,
    pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
  });
}

/** Reads each conversation's newest message and its unread ones from the messages. */
async function listConversations(): Promise<string> {
  const { rows } = await pool.query(`
    select c.id, c.visitor_email, c.visitor_name, c.subject, c.status, c.created_at, c.updated_at,
      newest.content as last_message, newest.created_at as last_message_at,
      (
        select count(*) from conversation_messages m
        where m.conversation_id = c.id and m.sender_type = 'visitor' and m.status = 'sent'
      ) as unread_count
    from conversations c
    left join lateral (
      select m.content, m.created_at from conversation_messages m
      where m.conversation_id = c.id
      order by m.created_at desc, m.id desc
      limit 1
    ) newest on true
    order by c.updated_at desc, c.id desc
  `);
  return JSON.stringify({ conversations: rows });
}

async function answer(req: IncomingMessage): Promise<string> {
  if (req.method === 'POST') {
    const issue = (await json(req)) as Record<string, string>;
    return await (hasTrail ? createIssueWithTrail(issue) : createIssue(issue));
  }
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://baseline');
  if (pathname.endsWith('/admins')) {
    return await listAdmins(Number(searchParams.get('page')), Number(searchParams.get('limit')));
  }
  if (pathname.endsWith('/conversations')) return await listConversations();
  const period = searchParams.get('period');
  return period === null ? await listIssues(searchParams.get('limit')) : await aggregateIssues(period);
}

const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
  const text = await answer(req);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
