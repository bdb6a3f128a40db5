import { sql } from 'slonik';
import { z } from 'zod';
import type { issueStatuses } from '../contract/issues.ts';
import { isoTimestamp, streamJsonList, type Write } from './json.ts';
import type { Database } from './pool.ts';

const statisticsRow = z.object({ statistics: z.string() });
const idRow = z.object({ id: z.int() });

/** Every issue, the newest first, as `{"issues":[…]}` (contract 4.1). */
export async function streamIssues(db: Database, write: Write): Promise<void> {
  const query = sql.fragment`
    select id, title, category, severity, description, steps_to_reproduce, status,
      ${isoTimestamp(sql.fragment`created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`updated_at`)} as updated_at
    from issues
    order by issues.created_at desc, id desc
  `;
  await streamJsonList(db, 'issues', query, write);
}

/** The aggregate of contract 4.1, as the JSON text that the database makes of its counters. */
export async function selectIssueStatistics(db: Database, period: string): Promise<string> {
  return await db.oneFirst(sql.type(statisticsRow)`select issue_statistics(${period}) as statistics`);
}

export interface NewIssue {
  readonly title: string;
  readonly category: string;
  readonly severity: string;
  readonly description: string;
  readonly steps_to_reproduce: string;
}

/** Inserts an issue with the default status and returns its id. */
export async function insertIssue(db: Database, issue: NewIssue): Promise<number> {
  return await db.oneFirst(sql.type(idRow)`
    insert into issues (title, category, severity, description, steps_to_reproduce)
    values (${issue.title}, ${issue.category}, ${issue.severity}, ${issue.description}, ${issue.steps_to_reproduce})
    returning id
  `);
}

/** Sets the status of an issue, where there is one of that id. */
export async function updateIssueStatus(
  db: Database,
  id: number | null,
  status: (typeof issueStatuses)[number],
): Promise<void> {
  await db.query(sql.unsafe`
    update issues set status = ${status}, updated_at = now() where id = ${id}::bigint
  `);
}
