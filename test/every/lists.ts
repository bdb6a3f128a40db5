import type { Operation } from '../../src/contract/operation.ts';
import { type ListId, operations } from '../../src/contract/registry.ts';
import type { Backoffice } from '../support/here.ts';

/** A list of the registry, and how a test makes rows for it. */
export interface ListOfRows {
  /** Parameters that each request needs. */
  readonly needs?: Readonly<Record<string, string>>;
  /** A filter by one value, which several rows have. */
  readonly filter?: Readonly<Record<string, string>>;
  readonly table: string;
  /** The field that identifies a row, and its column. */
  readonly id: string;
  /** Inserts a row for each number. Two or three rows share each time, and the numbers are not in the order of time. */
  insert(sql: Backoffice['sql'], numbers: readonly number[]): Promise<unknown>;
  /** A statement that changes one of the rows. */
  readonly change: string;
  /** Whether the database refuses to delete rows. */
  readonly keepsRows?: true;
}

/** A time for each number `n`: two or three rows share a millisecond, which they reach with different microseconds. */
const at = `timestamptz '2026-03-01Z' + (n * 7 % 10) * interval '1 millisecond' + (n % 3) * interval '100 microseconds'`;
const numbers = 'unnest($1::int[]) as n';

/** Every list of the registry that is streamed or read page by page. */
export const everyList: Readonly<Record<ListId, ListOfRows>> = {
  'issues.list': {
    filter: { status: 'Open' },
    table: 'issues',
    id: 'id',
    insert: (sql, given) =>
      sql(
        `insert into issues (id, title, severity, status, created_at, updated_at)
         select 1000000 + n, 'Issue ' || n,
           (array['Low', 'Critical', 'Strange', 'High'])[1 + n % 4],
           (array['Open', 'Closed', 'In Progress', 'Resolved'])[1 + n % 4], ${at}, ${at} + interval '1 day'
         from ${numbers}`,
        [given],
      ),
    change: `update issues set title = title || '!' where id = (select max(id) from issues)`,
  },
  'issues.history': {
    needs: { id: '7' },
    table: 'issue_history',
    id: 'change_id',
    insert: (sql, given) =>
      sql(
        `with change as (
           insert into changes (id, noun, actor_kind, actor_name, door)
           select 1000 + n, 'issues', 'service', 'tests', 'job' from ${numbers}
         )
         insert into issue_history (id, change_id, issue_id, field, before, after, created_at)
         select 1000 + n, 1000 + n, 7, 'title', 'Before', 'After', ${at} from ${numbers}`,
        [given],
      ),
    change: `update changes set actor_name = actor_name || '!' where id = (select max(id) from changes)`,
  },
  'conversations.list': {
    filter: { status: 'open' },
    table: 'conversations',
    id: 'id',
    insert: (sql, given) =>
      sql(
        `insert into conversations (id, visitor_name, visitor_email, created_at, updated_at)
         select 'conv_' || n, 'Visitor', 'v@example.com', ${at}, ${at} + interval '1 day' from ${numbers}`,
        [given],
      ),
    change: `update conversations set subject = subject || '!' where id = (select max(id) from conversations)`,
  },
  'links.list': {
    table: 'issue_links',
    id: 'issue_id',
    insert: (sql, given) =>
      sql(
        `with linked as (
           insert into issues (title) select 'Linked' from ${numbers} returning id
         ), conversation as (
           insert into conversations (visitor_name, visitor_email) values ('Visitor', '') returning id
         ), numbered as (
           select linked.id, n from (select id, row_number() over () as place from linked) as linked
           join (select n, row_number() over () as place from ${numbers}) as given using (place)
         )
         insert into issue_links (issue_id, conversation_id, created_at)
         select numbered.id, conversation.id, ${at} from numbered, conversation`,
        [given],
      ),
    change: `update issue_links set created_by = 'somebody' where id = (select max(id) from issue_links)`,
  },
  'scrapingRuns.list': {
    filter: { source: 'shop' },
    table: 'scraping_runs',
    id: 'run_id',
    insert: (sql, given) =>
      sql(
        `insert into scraping_runs (run_id, source, started_at) select 'run_' || n, 'shop', ${at} from ${numbers}`,
        [given],
      ),
    change: `update scraping_runs set items_scraped = 1 where run_id = (select max(run_id) from scraping_runs)`,
  },
  'audit.list': {
    filter: { event: 'issue.created' },
    table: 'audit_records',
    keepsRows: true,
    id: 'id',
    insert: (sql, given) =>
      sql(
        `insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event)
         select 1000 + n, ${at}, 'service', 'tests', 'job', 'issues.create', 'issue.created' from ${numbers}`,
        [given],
      ),
    change: `insert into audit_records (id, actor_kind, actor_name, door, operation, event)
             values (999999, 'service', 'tests', 'job', 'issues.create', 'issue.created')`,
  },
  'webhooks.deliveries': {
    filter: { type: 'issue.created' },
    table: 'webhook_deliveries',
    id: 'id',
    insert: (sql, given) =>
      sql(
        `insert into webhook_deliveries (id, webhook_id, message_id, type, payload, status, created_at)
         select 1000 + n, 1, 'evt_' || n, 'issue.created', '{}', 'succeeded', ${at} from ${numbers}`,
        [given],
      ),
    change: `update webhook_deliveries set attempts = attempts + 1
             where id = (select max(id) from webhook_deliveries)`,
  },
};

/** The operations that list rows, each with its entry. */
export const lists = (operations as readonly Operation[])
  .filter(({ rows }) => rows !== undefined)
  .map((operation) => ({ operation, list: everyList[operation.id as ListId] }));
