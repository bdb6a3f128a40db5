import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { idRanges, numberRow } from './statements.ts';

/** A place in the chain of audit records: a record and its chain value, which proves all records up to it. */
export interface ChainLink {
  readonly id: number;
  /** SHA-256 in hex. */
  readonly chain: string;
}

/** What can be wrong with an audit record. */
const problems = ['unchained', 'changed', 'broken', 'unrecorded redaction'] as const;

const anchorRow = z.object({ id: z.int(), chain: z.string(), unchained: z.int() });

/**
 * Returns the link that the oldest provable record follows, and how many records are older than that: those from before
 * the chain was started.
 */
export async function selectChainAnchor(db: Database): Promise<ChainLink & { readonly unchained: number }> {
  return await db.one(sql.type(anchorRow)`
    select id, encode(chain, 'hex') as chain,
      (select count(*) from audit_records where audit_records.id <= audit_anchors.id) as unchained
    from audit_anchors
    where name = 'purged'
  `);
}

const checkedRow = z.object({
  /** How many are intact, up to the first problem. */
  records: z.int(),
  /** The last of them. */
  last_id: z.int().nullable(),
  last_chain: z.string().nullable(),
  problem: z.enum(problems).nullable(),
  problem_id: z.int().nullable(),
  previous_id: z.int(),
});

/**
 * Checks the records after a link, in the order of their ids, up to a limit. Continues after what the retention has deleted
 * meanwhile. A redacted record no longer has the content of its digest: a later record must tell that it was redacted, which
 * may still wait to be published.
 */
export async function checkChain(db: Database, after: ChainLink, limit: number) {
  return await db.one(sql.type(checkedRow)`
    with start as materialized (
      select
        greatest(anchor.id, ${after.id}) as id,
        case when anchor.id > ${after.id} then anchor.chain else decode(${after.chain}, 'hex') end as chain
      from audit_anchors as anchor
      where name = 'purged'
    ), linked as (
      select id, chain, digest, redacted_at,
        coalesce(lag(id) over in_order, (select id from start)) as previous_id,
        case when lag(id) over in_order is null then (select chain from start) else lag(chain) over in_order end
          as previous_chain,
        audit_digest(
          id, created_at, actor_kind, actor_id, actor_name, door, address, operation, event, subject_id, before, after
        ) as content
      from (
        select * from audit_records where id > (select id from start) order by id limit ${limit}
      ) as batch
      window in_order as (order by id)
    ), checked as (
      select id, chain, previous_id,
        case
          when chain is null or digest is null then 'unchained'
          when redacted_at is null and digest <> content then 'changed'
          when chain is distinct from sha256(previous_chain || digest) then 'broken'
          when redacted_at is not null and id not in (
            select jsonb_array_elements(after -> 'ids')::bigint from audit_records
            where left(event, 100) = 'audit.redacted'
            union all
            select jsonb_array_elements(after -> 'ids')::bigint from recorded_changes where event = 'audit.redacted'
          ) then 'unrecorded redaction'
        end as problem
      from linked
    ), first_problem as (
      select id, problem, previous_id from checked where problem is not null order by id limit 1
    ), intact as (
      select id, chain from checked
      where id < coalesce((select id from first_problem), 9223372036854775807)
    ), newest as (
      select id, chain from intact order by id desc limit 1
    )
    select
      (select count(*) from intact) as records,
      (select id from newest) as last_id,
      (select encode(chain, 'hex') from newest) as last_chain,
      (select problem from first_problem) as problem,
      (select id from first_problem) as problem_id,
      coalesce((select previous_id from first_problem), (select id from start)) as previous_id
  `);
}

/**
 * Returns the oldest event whose audit record is missing, or null. Both have one id, and events are kept for some days: so
 * they show that the newest records were deleted, after which the rest of the chain is still intact.
 */
export async function findEventWithoutRecord(db: Database): Promise<number | null> {
  for await (const range of idRanges(db, 'events')) {
    // The retention may delete records between two statements.
    const id = await db.maybeOneFirst(sql.type(numberRow)`
      select id
      from events
      where ${range} and id > (select id from audit_anchors where name = 'purged')
        and not exists (select from audit_records where audit_records.id = events.id)
      order by id
      limit 1
    `);
    if (id !== null) return id;
  }
  return null;
}

const linkRow = z.object({ chain: z.string().nullable(), anchor_id: z.int(), anchor_chain: z.string() });

/** Returns the chain value of a record, null if there is none, and the last link that the retention has deleted. */
export async function selectLink(db: Database, id: number) {
  const { chain, anchor_id, anchor_chain } = await db.one(sql.type(linkRow)`
    select (select encode(chain, 'hex') from audit_records where id = ${id}) as chain,
      id as anchor_id, encode(chain, 'hex') as anchor_chain
    from audit_anchors
    where name = 'purged'
  `);
  return { chain, anchor: { id: anchor_id, chain: anchor_chain } };
}
