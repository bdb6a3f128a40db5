/**
 * The baseline that the service is compared with: the least code that gives the same answers and writes the same rows.
 * It uses node:http and pg, without a framework, sessions, checks or a log.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';

// Counts and ids are JSON numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

async function listIssues(): Promise<string> {
  const { rows } = await pool.query(`
    select id, title, category, severity, description, steps_to_reproduce, status, created_at, updated_at
    from issues order by created_at desc, id desc
  `);
  return JSON.stringify({ issues: rows });
}

async function aggregateIssues(period: string): Promise<string> {
  const { rows } = await pool.query('select issue_statistics($1) as statistics', [period]);
  return rows[0].statistics;
}

const actor = JSON.stringify({ kind: 'nobody', id: null, name: 'baseline', door: 'http', address: '' });

/** Creates an issue, its event and its audit record in one transaction. */
async function createIssue(issue: Record<string, string>): Promise<string> {
  const { title, category, severity, description, steps_to_reproduce } = issue;
  const client = await pool.connect();
  await client.query('begin');
  const { rows } = await client.query(
    `insert into issues (title, category, severity, description, steps_to_reproduce)
     values ($1, $2, $3, $4, $5) returning id`,
    [title, category, severity, description, steps_to_reproduce],
  );
  const { id } = rows[0];
  const after = { title, category, severity, status: 'Open' };
  await client.query('select record_changes($1, $2, $3)', [
    actor,
    'issues.create',
    JSON.stringify([{ event: 'issue.created', id, after }]),
  ]);
  await client.query('commit');
  client.release();
  return JSON.stringify({ success: true, id });
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

async function answer(req: IncomingMessage): Promise<string> {
  if (req.method === 'POST') return await createIssue((await json(req)) as Record<string, string>);
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://baseline');
  if (pathname.endsWith('/admins')) {
    return await listAdmins(Number(searchParams.get('page')), Number(searchParams.get('limit')));
  }
  const period = searchParams.get('period');
  return period === null ? await listIssues() : await aggregateIssues(period);
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
