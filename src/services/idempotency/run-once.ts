import { BackofficeError, type DocumentedError, type ErrorCode } from '../../contract/errors.ts';
import { idempotencyErrors } from '../../contract/route.ts';
import type { Database, Pool } from '../../db/connection/database.ts';
import { claimIdempotencyKey, storeIdempotentAnswer } from '../../db/tables/idempotency-keys.ts';
import { refuse } from '../call/refuse.ts';
import type { KeyOfCall } from './key-of-call.ts';

/** The `Retry-After` of a call whose first request is still running. */
const retryAfterSeconds = 1;

/**
 * The errors of a handler that are not kept, so that the key may run again: what the caller may do can change, a limit
 * passes, and a failure may be mended. None of them has changed anything.
 */
const passingErrors: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'busy',
  'not_configured',
  'failed',
]);

/** What is stored: the JSON text of the answer, or the error that the handler refused the call with. */
type Outcome = { readonly answer: string } | { readonly refusal: DocumentedError };

interface OnceOptions {
  readonly pool: Pool;
  readonly key: KeyOfCall;
  readonly signal: AbortSignal;
  /** Called if the outcome is that of an earlier call with the key. */
  readonly onReplay: () => void;
}

/**
 * Runs a call with an `Idempotency-Key` unless its outcome is stored, and returns the JSON text of its answer. Everything
 * happens in one transaction: it holds the key, so that no other call runs with it, and it commits the changes together
 * with the outcome. A process that dies at any moment leaves both or neither, and frees the key.
 *
 * @param run - does the work on the transaction and returns the JSON text of its answer
 * @throws BackofficeError the refusal of the work, or of an earlier call; `idempotency_key_in_use`;
 *   `idempotency_key_reused`
 */
export async function runOnce(
  { pool, key, signal, onReplay }: OnceOptions,
  run: (tx: Database) => Promise<string>,
): Promise<string> {
  const { outcome, isReplay } = await pool.transaction(async (tx) => {
    signal.throwIfAborted();
    const stored = await findOutcome(tx, key);
    if (stored !== null) return { outcome: stored, isReplay: true };
    const performed = await settle(() => run(tx));
    const answer = key.seal(JSON.stringify(performed));
    await storeIdempotentAnswer(tx, { id: key.id, fingerprint: key.fingerprint, answer });
    signal.throwIfAborted();
    return { outcome: performed, isReplay: false };
  });
  if (isReplay) onReplay();
  else pool.onRecorded();
  if ('refusal' in outcome) refuse(outcome.refusal);
  return outcome.answer;
}

async function findOutcome(tx: Database, key: KeyOfCall): Promise<Outcome | null> {
  const { is_running, fingerprint, answer } = await claimIdempotencyKey(tx, key.id);
  if (is_running) throw new BackofficeError(idempotencyErrors.inUse, { retryAfter: retryAfterSeconds });
  if (fingerprint === null || answer === null) return null;
  if (!fingerprint.equals(key.fingerprint)) refuse(idempotencyErrors.reused);
  return JSON.parse(key.open(answer)) as Outcome;
}

/** Returns a refusal instead of throwing it. Its changes are rolled back already, and the transaction goes on. */
async function settle(run: () => Promise<string>): Promise<Outcome> {
  try {
    return { answer: await run() };
  } catch (error) {
    if (!(error instanceof BackofficeError) || passingErrors.has(error.code)) throw error;
    const { code, message: text, param } = error;
    return { refusal: { code, text, param } };
  }
}
