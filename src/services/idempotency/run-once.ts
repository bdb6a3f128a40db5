import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { BackofficeError, type DocumentedError, type ErrorCode } from '../../contract/errors.ts';
import { idempotencyErrors } from '../../contract/route.ts';
import type { Database, Pool } from '../../db/connection/database.ts';
import { claimIdempotencyKey, storeIdempotentAnswer } from '../../db/tables/idempotency-keys.ts';
import { canonicalJson } from '../../shared/text.ts';
import { type Actor, actorKey } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';

/** The `Retry-After` of a call whose first request is still running. */
const retryAfterSeconds = 1;

/** The errors of a handler that are not kept: their reason may pass, and none of them has changed anything. */
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
 * Runs a call with an `Idempotency-Key` unless its outcome is stored, and returns the JSON text of its answer.
 * Everything happens in one transaction: it holds the key, so that no other call runs with it, and it commits the
 * changes together with the outcome. A process that dies at any moment leaves both or neither, and frees the key.
 *
 * @throws BackofficeError the refusal of the work, or of an earlier call; `idempotency_key_in_use`;
 * `idempotency_key_reused`
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

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The `Idempotency-Key` of a call, as far as the database may know it. */
export type KeyOfCall = ReturnType<typeof keyOfCall>;

/** Returns the key of a call. The same key of another actor or token, or for another operation, is another one. */
export function keyOfCall(key: string, actor: Actor, operation: string, input: unknown) {
  const id = hash('sha256', [...callerOfKey(actor), operation, key].join('\0'), 'buffer');
  // Not a Buffer: Node would throw and catch an error to find out what it is, which takes longer than to encrypt.
  const secret = () => createSecretKey(Buffer.from(hkdfSync('sha256', key, id, 'answer', 32)));
  return {
    id,
    /** Not a plain hash of the input: that would reveal a password in it. */
    fingerprint: createHmac('sha256', key).update(canonicalJson(input)).digest(),
    /** Encrypts an answer, which may contain a secret, so that only who knows the key can read it. */
    seal(answer: string): Buffer {
      const nonce = randomBytes(nonceBytes);
      const encrypt = createCipheriv(cipher, secret(), nonce);
      const text = Buffer.concat([encrypt.update(answer, 'utf8'), encrypt.final()]);
      return Buffer.concat([nonce, encrypt.getAuthTag(), text]);
    },
    open(sealed: Buffer): string {
      const text = nonceBytes + tagBytes;
      const decrypt = createDecipheriv(cipher, secret(), sealed.subarray(0, nonceBytes));
      decrypt.setAuthTag(sealed.subarray(nonceBytes, text));
      return decrypt.update(sealed.subarray(text), undefined, 'utf8') + decrypt.final('utf8');
    },
  };
}

/** A token of a person is told apart from the person: it may do less, so it must not get an answer with a secret. */
function callerOfKey(actor: Actor): readonly string[] {
  const { kind, token } = actor;
  return kind === 'admin' && token !== undefined ? [actorKey(actor), `token ${token.id}`] : [actorKey(actor)];
}
