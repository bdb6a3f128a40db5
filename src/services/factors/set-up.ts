import { timingSafeEqual } from 'node:crypto';
import { factorErrors } from '../../contract/operations/factors.ts';
import type { FactorType } from '../../contract/schemas/factors.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  countFactors,
  credentialConstraint,
  insertPasskey,
  insertTotp,
  selectPendingFactor,
  selectVerifiedFactors,
  verifyPasskey,
  verifyTotp,
} from '../../db/tables/accounts/factors.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import type { Actor } from '../call/actor.ts';
import { unlessTaken } from '../call/changes.ts';
import type { Log } from '../call/observer.ts';
import { refuse } from '../call/refuse.ts';
import { newId } from '../ids.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { isOwnPassword, type OwnAccount, type PasswordContext } from '../sign-in/check-password.ts';
import { newChallenge } from './check-proof.ts';
import { createTotpSecret, normalizeCode, stepOfCode } from './codes.ts';
import { type BrowserJson, checkCreated, creationOptions, type PasskeySite } from './passkeys.ts';

/** How many factors of each type an account may have. More authenticator apps would make their codes easier to guess. */
const maxFactors: Readonly<Record<FactorType, number>> = { totp: 3, passkey: 10 };

interface SetUpContext {
  readonly db: Database;
  readonly secretBox: SecretBox;
  readonly log: Log;
}

/** Starts to set up an authenticator app. Returns its id and what the app needs. */
export async function startTotp({ db, secretBox }: SetUpContext, admin: OwnAccount, name: string) {
  await checkRoom(db, admin.id, 'totp');
  const id = newId('factor', 7);
  const { secret, uri } = await createTotpSecret(admin.email);
  await insertTotp(db, {
    id,
    adminId: admin.id,
    name,
    secret: secretBox.seal(secret, purposeOf('totp', id)),
  });
  return { id, secret, uri };
}

/** Starts to set up a passkey. Returns its id and what the browser needs. */
export async function startPasskey(
  { db, secretBox }: SetUpContext,
  admin: OwnAccount,
  name: string,
  site: PasskeySite | null,
) {
  if (site === null) refuse(factorErrors.noDomain);
  await checkRoom(db, admin.id, 'passkey');
  const id = newId('factor', 7);
  const challenge = newChallenge();
  const known = await selectVerifiedFactors(db, admin.id);
  const options = await creationOptions(site, admin, Buffer.from(challenge, 'base64url'), known);
  const challengeDigest = digestOf(secretBox, challenge);
  await insertPasskey(db, { id, adminId: admin.id, name, rpId: site.rpId, challengeDigest });
  return { id, options: { ...options } };
}

const digestOf = (box: SecretBox, challenge: string) => box.digest(challenge, 'passkey-challenge');

interface FactorProof {
  readonly id: string;
  readonly code?: string | undefined;
  readonly credential?: BrowserJson | undefined;
}

/** Checks the proof of a factor that is being set up. `verify` resolves with false if it no longer is. */
export async function checkSetUp(
  context: SetUpContext,
  admin: OwnAccount,
  site: PasskeySite | null,
  { id, code = '', credential = {} }: FactorProof,
) {
  const { db, secretBox, log } = context;
  const pending = await selectPendingFactor(db, admin.id, id);
  if (pending === null) refuse(factorErrors.unknown);
  const { type, name, secret, rp_id, challenge_digest: digest } = pending;
  if (secret !== null) {
    const found = await stepOfCode(secretBox.open(secret, purposeOf('totp', id)), normalizeCode(code));
    if (found === null) refuse(factorErrors.wrongCode);
    return { id, type, name, verify: (tx: Database) => verifyTotp(tx, id, found.step) };
  }
  if (site === null || digest === null || rp_id !== site.rpId) refuse(factorErrors.wrongCredential);
  const isChallenge = (given: string) => timingSafeEqual(digestOf(secretBox, given), digest);
  const created = await checkCreated(site, credential, isChallenge, log);
  if (created === null) refuse(factorErrors.wrongCredential);
  const verify = (tx: Database) =>
    unlessTaken(verifyPasskey(tx, id, created), credentialConstraint, factorErrors.known);
  return { id, type, name, verify };
}

/** @throws BackofficeError if the account has as many factors of that type as it may have */
export async function checkRoom(db: Database, adminId: string, type: FactorType): Promise<void> {
  if ((await countFactors(db, adminId, type)) >= maxFactors[type]) refuse(factorErrors.tooMany);
}

/** @throws BackofficeError if the caller has no account, such as a token */
export function ownAccount({ token, admin }: Actor): OwnAccount {
  return token === undefined && admin !== null ? admin : refuse(factorErrors.noAccount);
}

/** Refuses the call unless the caller knows its own password, so that a session that was left open is not enough. */
export async function checkOwnPassword(
  context: PasswordContext & { readonly actor: Actor },
  password: string,
): Promise<OwnAccount> {
  const account = ownAccount(context.actor);
  if (!(await isOwnPassword(context, account, password))) refuse(factorErrors.wrongPassword);
  return account;
}
