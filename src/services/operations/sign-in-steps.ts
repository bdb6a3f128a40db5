import { BackofficeError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import type { SignInMethod } from '../../contract/schemas/factors.ts';
import type { Database } from '../../db/connection/database.ts';
import { type AdminIdentity, lockAdmin, selectEmail } from '../../db/tables/accounts/admins.ts';
import { hasGeneratedPassword, lockCredentials } from '../../db/tables/accounts/passwords.ts';
import { challengeMinutes, countSentCodes } from '../../db/tables/accounts/sign-in-challenges.ts';
import { rememberPlace } from '../../db/tables/accounts/sign-in-places.ts';
import type { RecordChange } from '../call/changes.ts';
import { networkOf, placeOf } from '../call/networks.ts';
import { refuse } from '../call/refuse.ts';
import { Pending } from '../call/validate.ts';
import type { Context, StartingAdmin } from '../context.ts';
import { newChallenge, storeChallenge } from '../factors/check-proof.ts';
import { createSentCode } from '../factors/codes.ts';
import type { DueFactor } from '../factors/due.ts';
import { requestOptions, siteOf } from '../factors/passkeys.ts';
import { newSignInNotice, signInCodeMail } from '../mail/templates.ts';
import { endSessions } from '../sign-in/sessions.ts';
import type { Credentials } from '../sign-in/verify-credentials.ts';

/** How many codes an account is sent until the first of them expires. */
const maxSentCodes = 5;

function tooManyCodes(): BackofficeError {
  return new BackofficeError(sessionErrors.tooManyCodes, { retryAfter: challengeMinutes * 60 });
}

/** Starts the second step of a sign-in. */
export async function startChallenge(
  context: Context,
  { id: adminId, password_hash: passwordHash }: Credentials,
  { methods, passkeys, sendTo }: Extract<DueFactor, { step: 'factor' }>,
) {
  const { change, secretBox, mail, observer } = context;
  const site = siteOf(context);
  const challenge = newChallenge();
  const wanted = { challenge, adminId, passwordHash, methods };
  const expires_at = await change(async (tx) => {
    if (sendTo === undefined) return await storeChallenge(tx, secretBox, wanted);
    const sentCode = createSentCode();
    // Sign-ins of the account wait for each other, so that none sends one code too many.
    await lockAdmin(tx, adminId);
    if ((await countSentCodes(tx, adminId)) >= maxSentCodes) throw tooManyCodes();
    await mail.send(tx, sendTo, signInCodeMail({ code: sentCode, minutes: challengeMinutes }));
    return await storeChallenge(tx, secretBox, { ...wanted, sentCode });
  });
  if (expires_at === null) refuse(sessionErrors.invalidCredentials);
  observer.onSignIn('factor_due');
  const hasPasskeys = site !== null && passkeys.length > 0;
  const passkey = hasPasskeys ? { passkey: { ...(await requestOptions(site, challenge, passkeys)) } } : {};
  return new Pending({ challenge, methods, expires_at, ...passkey });
}

/** Signs in an admin whose factor was right. `use` resolves with false if what it uses was used meanwhile. */
export async function signInChallenged(
  context: Context,
  { admin_id: id, email }: { readonly admin_id: string; readonly email: string },
  second_factor: SignInMethod,
  use: (tx: Database, record: RecordChange, credentials: Credentials) => Promise<boolean>,
): Promise<AdminIdentity> {
  return await signIn(context, { id, email }, async (tx, record) => {
    // Before everything else, because a change of the admin locks its row first, then its challenges.
    const credentials = await lockCredentials(tx, id);
    if (credentials === null || !(await use(tx, record, credentials))) refuse(sessionErrors.challengeEnded);
    const { password_hash: passwordHash, ...admin } = credentials;
    await startSession(context, tx, record, { id, passwordHash, isEnrolling: false }, { second_factor });
    return admin;
  });
}

/** Makes the changes of a sign-in. Their records name the admin, not the anonymous caller. */
export async function signIn<T>(
  { change, actor }: Context,
  { id, email: name }: { readonly id: string; readonly email: string },
  work: (tx: Database, record: RecordChange) => Promise<T>,
): Promise<T> {
  return await change(work, { ...actor, kind: 'admin', id, name });
}

/** Starts a session and ends the caller's previous one. */
export async function startSession(
  context: Context,
  tx: Database,
  record: RecordChange,
  admin: StartingAdmin,
  how: { readonly second_factor?: SignInMethod } = {},
): Promise<void> {
  const { session, actor, observer, log, afterCommit } = context;
  const key = await session.start(tx, admin);
  // The password may have changed during verification.
  if (key === null) refuse(sessionErrors.invalidCredentials);
  const place = await notePlace(context, tx, admin.id);
  record({ event: 'session.started', id: key, after: { admin_id: admin.id, ...place, ...how } });
  if (actor.sessionKey !== undefined) await endSessions(tx, record, actor.sessionKey, null);
  const isGenerated = await hasGeneratedPassword(tx, admin.id);
  afterCommit(async () => {
    observer.onSignIn('succeeded');
    if (isGenerated) log.warn({ adminId: admin.id }, generatedPasswordReminder);
  });
}

const generatedPasswordReminder =
  'the account still has the password that the service generated: change it, for example with `backoffice admins reset-password`';

/** Remembers where an account signs in from, and tells it of a new device or network. Not of its first sign-in. */
async function notePlace(context: Context, tx: Database, adminId: string) {
  const { session, address, actor, mail } = context;
  const { device } = session;
  const networks = { network: networkOf(address), place: placeOf(address) };
  const place = await rememberPlace(tx, { adminId, device, ...networks });
  if (!place.is_first && (place.new_device || place.new_network)) {
    const email = await selectEmail(tx, adminId);
    const owner = { ...actor, kind: 'admin', name: email ?? '' } as const;
    if (email !== null)
      await mail.send(tx, email, newSignInNotice({ email, device }, { actor: owner, address }));
  }
  return {
    ...(place.new_device ? ({ new_device: true } as const) : {}),
    ...(place.new_network ? ({ new_network: true } as const) : {}),
  };
}
