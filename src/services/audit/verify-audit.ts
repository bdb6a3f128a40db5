import type { OutputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  type ChainLink,
  checkChain,
  findEventWithoutRecord,
  selectChainAnchor,
  selectLink,
} from '../../db/tables/audit-chain.ts';

/** Records that one statement checks, so that it ends in time also where they are long. */
const defaultBatchSize = 1_000;

type AuditVerification = OutputOf<'audit.verify'>;

export interface VerifyOptions {
  /** The end of an earlier part, which this one continues. */
  readonly from?: ChainLink | undefined;
  /** Stops after that many records. By default it goes on to the end. */
  readonly maxRecords?: number;
  /** A link that was kept elsewhere. */
  readonly expected?: ChainLink | undefined;
  readonly batchSize?: number;
}

const messages = {
  unchained: (id: number) => `Record ${id} was not written by the service: it is not part of the chain.`,
  changed: (id: number) => `Record ${id} was changed after it was written.`,
  broken: (id: number, previous: number) =>
    `Record ${id} does not follow record ${previous}: a record between them was deleted, or one of the two was replaced.`,
  'unrecorded redaction': (id: number) =>
    `Record ${id} is marked as redacted, but no record says that it was. Its content may have been changed.`,
};

/**
 * Verifies the chain of the audit records, oldest first, up to the first problem: that none was changed, deleted, added or
 * moved since it was written, except by the retention and by recorded redactions. Each statement has the timeouts of its
 * caller.
 */
export async function verifyAudit(db: Database, options: VerifyOptions = {}): Promise<AuditVerification> {
  const { unchained, ...anchor } = await selectChainAnchor(db);
  const found = await followChain(db, options.from ?? anchor, options);
  const problem =
    found.problem ??
    (found.complete
      ? ((await checkExpected(db, found.last, options.expected)) ?? (await checkEvents(db)))
      : null);
  return { valid: problem === null, after: anchor.id, unproven: unchained, ...found, problem };
}

async function followChain(
  db: Database,
  start: ChainLink,
  { batchSize = defaultBatchSize, maxRecords = Number.POSITIVE_INFINITY }: VerifyOptions,
): Promise<Pick<AuditVerification, 'verified' | 'last' | 'problem' | 'complete'>> {
  let last = { id: start.id, chain: start.chain };
  let verified = 0;
  for (;;) {
    const batch = await checkChain(db, last, batchSize);
    const { problem, problem_id: id, last_id, last_chain } = batch;
    verified += batch.records;
    if (last_id !== null && last_chain !== null) last = { id: last_id, chain: last_chain };
    if (problem !== null && id !== null) {
      const message = messages[problem](id, batch.previous_id);
      return { verified, last, problem: { id, message }, complete: true };
    }
    const isEnd = batch.records < batchSize;
    if (isEnd || verified >= maxRecords) return { verified, last, problem: null, complete: isEnd };
  }
}

async function checkExpected(
  db: Database,
  last: ChainLink,
  expected: ChainLink | undefined,
): Promise<AuditVerification['problem']> {
  if (expected === undefined) return null;
  const { id } = expected;
  const { chain, anchor } = await selectLink(db, id);
  const found = chain ?? (anchor.id === id ? anchor.chain : null);
  if (found === expected.chain) return null;
  const message =
    found !== null
      ? `The chain value of record ${id} is another than the expected one. The trail was replaced, or is that of another database.`
      : id > last.id
        ? `The trail ends with record ${last.id}, but record ${id} is expected: the newest records were deleted.`
        : id < anchor.id
          ? `Record ${id} is older than what the retention has deleted, so nothing can be compared. Expect a newer one.`
          : `Record ${id} is expected, but it was deleted.`;
  return { id, message };
}

async function checkEvents(db: Database): Promise<AuditVerification['problem']> {
  const id = await findEventWithoutRecord(db);
  return id === null ? null : { id, message: `Record ${id} was deleted: only its event is left.` };
}
