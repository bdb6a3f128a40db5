import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SignInMethod } from '../../contract/schemas/factors.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  countRecoveryCodes,
  selectRecoveryCodes,
  selectVerifiedFactors,
  usePasskey,
  useRecoveryCode,
  useTotpStep,
} from '../../db/tables/accounts/factors.ts';
import {
  insertChallenge,
  type NewChallenge,
  type TriedChallenge,
} from '../../db/tables/accounts/sign-in-challenges.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import type { RecordChange } from '../call/changes.ts';
import type { Log } from '../call/observer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { isRecoveryCode, normalizeCode, stepOfCode } from './codes.ts';
import { type BrowserJson, checkUsed, isOfSite, type PasskeySite } from './passkeys.ts';

interface Proof {
  readonly challenge: string;
  readonly method: SignInMethod;
  readonly code?: string | undefined;
  readonly credential?: BrowserJson | undefined;
}

interface ProofContext {
  readonly db: Database;
  readonly secretBox: SecretBox;
  readonly site: PasskeySite | null;
  readonly log: Log;
}

/** Consumes the proof in the transaction of the session. Resolves with false if another call has consumed it. */
type UseProof = (tx: Database, record: RecordChange) => Promise<boolean>;

/** Checks a proof of an admin. Returns how to use it, or null if it is wrong or was used before. */
export async function checkProof(
  context: ProofContext,
  adminId: string,
  { methods, code_digest }: TriedChallenge,
  proof: Proof,
): Promise<UseProof | null> {
  const code = normalizeCode(proof.code ?? '');
  if (!methods.includes(proof.method)) return null;
  if (proof.method === 'totp') return await checkTotp(context, adminId, code);
  if (proof.method === 'passkey') return await checkPasskey(context, adminId, proof);
  if (proof.method === 'recovery') return await checkRecoveryCode(context, adminId, code);
  const digest = sentCodeDigest(context.secretBox, proof.challenge, code);
  // The challenge ends with its use, and the code with it.
  return code_digest !== null && timingSafeEqual(code_digest, digest) ? async () => true : null;
}

/** Returns what is stored of a code that was sent by e-mail. It belongs to its challenge. */
function sentCodeDigest(box: SecretBox, challenge: string, code: string): Buffer {
  return box.digest(`${challenge} ${code}`, 'sent-code');
}

async function checkTotp(
  { db, secretBox }: ProofContext,
  adminId: string,
  code: string,
): Promise<UseProof | null> {
  for (const { id, secret, last_step } of await selectVerifiedFactors(db, adminId)) {
    if (secret === null) continue;
    const found = await stepOfCode(secretBox.open(secret, purposeOf('totp', id)), code);
    if (found === null) continue;
    // As the statement that uses the step.
    const isUsed = last_step !== null && found.step <= last_step && last_step <= found.now + 1;
    if (!isUsed) return (tx) => useTotpStep(tx, id, found);
  }
  return null;
}

async function checkPasskey(
  { db, site, log }: ProofContext,
  adminId: string,
  { challenge, credential = {} }: Proof,
): Promise<UseProof | null> {
  const factors = await selectVerifiedFactors(db, adminId);
  const factor = factors.find((each) => isOfSite(each, site) && each.credential_id === credential.id);
  if (factor === undefined || site === null) return null;
  const signCount = await checkUsed(site, credential, challenge, factor, log);
  return signCount === null ? null : (tx) => usePasskey(tx, factor.id, signCount);
}

async function checkRecoveryCode(
  { db, secretBox }: ProofContext,
  adminId: string,
  code: string,
): Promise<UseProof | null> {
  const codes = await selectRecoveryCodes(db, adminId);
  const found = codes.find((each) => isRecoveryCode(secretBox, adminId, code, each));
  if (found === undefined) return null;
  return async (tx, record) => {
    if (!(await useRecoveryCode(tx, found.id))) return false;
    const left = await countRecoveryCodes(tx, adminId);
    record({ event: 'recovery_code.used', id: adminId, after: { admin_id: adminId, left } });
    return true;
  };
}

const challengeBytes = 32;

/** Returns a new challenge from a CSPRNG. */
export function newChallenge(): string {
  return randomBytes(challengeBytes).toString('base64url');
}

/** Returns what is stored of the challenge of a sign-in. */
export function challengeDigest(box: SecretBox, challenge: string): Buffer {
  return box.digest(challenge, 'sign-in-challenge');
}

/** Returns what a challenge stores of the password hash that was verified. */
function passwordDigest(box: SecretBox, passwordHash: string): Buffer {
  return box.digest(passwordHash, 'sign-in-password');
}

/** Reports whether the password is still the one that was verified. */
export function isSamePassword(box: SecretBox, passwordHash: string, digest: Buffer): boolean {
  return timingSafeEqual(passwordDigest(box, passwordHash), digest);
}

interface WantedChallenge extends Pick<NewChallenge, 'adminId' | 'passwordHash' | 'methods'> {
  readonly challenge: string;
  /** The code that is sent, if one is. */
  readonly sentCode?: string | undefined;
}

/** Stores a challenge. Returns when it expires, or null if the admin is not active or its password has changed. */
export async function storeChallenge(
  db: Database,
  box: SecretBox,
  { challenge, sentCode, ...wanted }: WantedChallenge,
): Promise<string | null> {
  return await insertChallenge(db, {
    ...wanted,
    digest: challengeDigest(box, challenge),
    passwordDigest: passwordDigest(box, wanted.passwordHash),
    codeDigest: sentCode === undefined ? null : sentCodeDigest(box, challenge, sentCode),
  });
}
