import { BackofficeError } from '../../contract/errors.ts';
import { sessionErrors } from '../../contract/operations/session.ts';
import { minPasswordLength } from '../../contract/schemas/admins.ts';
import type { SignInMethod } from '../../contract/schemas/factors.ts';
import type { Database } from '../../db/connection/database.ts';
import { type AdminIdentity, lockAdmin, selectEmail } from '../../db/tables/accounts/admins.ts';
import {
  type Credentials,
  hasGeneratedPassword,
  lockCredentials,
} from '../../db/tables/accounts/passwords.ts';
import {
  challengeMinutes,
  countSentCodes,
  countTry,
  selectChallengedAdmin,
  useChallenge,
} from '../../db/tables/accounts/sign-in-challenges.ts';
import { rememberPlace } from '../../db/tables/accounts/sign-in-places.ts';
import { hasExampleData } from '../../db/tables/example-data.ts';
import { asAdmin } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { networkOf, placeOf } from '../call/networks.ts';
import { refuse } from '../call/refuse.ts';
import { Pending } from '../call/validate.ts';
import type { Context, StartingAdmin } from '../context.ts';
import {
  challengeDigest,
  checkProof,
  isSamePassword,
  newChallenge,
  storeChallenge,
} from '../factors/check-proof.ts';
import { createSentCode } from '../factors/codes.ts';
import { type DueFactor, dueFactor } from '../factors/due.ts';
import { requestOptions, siteOf } from '../factors/passkeys.ts';
import { readVisitorMailMode } from '../mail/replies.ts';
import { newSignInNotice, sendAccountNotice, signInCodeMail } from '../mail/templates.ts';
import { attemptSignIn } from '../sign-in/attempt-limits.ts';
import { verifyCredentials } from '../sign-in/check-password.ts';
import { endSessions } from '../sign-in/sessions.ts';
import type { HandlersOf } from './handler-types.ts';

export const sessionHandlers = {
  /** An unknown account, an inactive one and a wrong password get the same answer after the same work. */
  'session.create': async (context, { email, password }) => {
    const { db } = context;
    const verified = await attemptSignIn(
      context,
      email,
      async () => {
        const found = await verifyCredentials(context, email, password);
        return found && { found, due: await dueFactor(db, found, siteOf(context), context.mail) };
      },
      { operation: 'session.create', completes: ({ due }) => due.step !== 'factor' },
    );
    if (verified === null) refuse(sessionErrors.invalidCredentials);
    const { found, due } = verified;
    if (due.step === 'factor') return await startChallenge(context, found, due);
    const isEnrolling = due.step === 'enrolment';
    const { password_hash: passwordHash, ...admin } = found;
    await context.change(
      (tx, record) => startSession(context, tx, record, { id: admin.id, passwordHash, isEnrolling }),
      asAdmin(context.actor, admin.id, admin.email),
    );
    return { success: true, admin, ...limitOf(isEnrolling) };
  },

  /** Completes a sign-in. Of many calls with the same right code, one starts a session. */
  'session.verify': async (context, proof) => {
    const { db, secretBox, address, observer, log } = context;
    const digest = challengeDigest(secretBox, proof.challenge);
    const challenged = await selectChallengedAdmin(db, digest);
    if (challenged === null) refuse(sessionErrors.challengeEnded);
    const { admin_id: id, email } = challenged;
    const admin = await attemptSignIn(
      context,
      email,
      async () => {
        const tried = await countTry(db, digest);
        if (tried === null) refuse(sessionErrors.challengeEnded);
        const use = await checkProof({ db, secretBox, site: siteOf(context), log }, id, tried, proof);
        if (use === null) {
          log.warn({ address, adminId: id, method: proof.method }, 'second factor failed');
          observer.onSignIn?.('wrong_factor');
          return null;
        }
        return await signInChallenged(context, challenged, proof.method, async (tx, record, credentials) => {
          if (!isSamePassword(secretBox, credentials.password_hash, tried.password_digest)) return false;
          if (!(await useChallenge(tx, digest)) || !(await use(tx, record))) return false;
          if (proof.method === 'recovery') {
            const changes = ['a recovery code was used to sign in'];
            await sendAccountNotice(
              { ...context, actor: asAdmin(context.actor, id, email) },
              tx,
              email,
              changes,
            );
          }
          return true;
        });
      },
      { operation: 'session.verify', isCode: proof.method === 'totp' || proof.method === 'email' },
    );
    return admin === null ? refuse(sessionErrors.wrongCode) : { success: true, admin };
  },

  'session.show': async (
    { db, actor, rules: { strictRoles, passwordMinLength }, mail, events },
    { include },
  ) => {
    const limit = limitOf(actor.isEnrolling === true);
    const rules = {
      strict_roles: strictRoles,
      password_min_length: strictRoles ? passwordMinLength : minPasswordLength,
      sends_mail: mail.isConfigured,
    };
    const token = actor.token
      ? { id: actor.token.id, role: actor.role, read_only: actor.token.isReadOnly }
      : null;
    const more = {
      ...(include?.includes('rules') ? { rules } : {}),
      ...(include?.includes('token') ? { token } : {}),
      ...(include?.includes('visitor_mail') ? { visitor_mail: await readVisitorMailMode(mail, db) } : {}),
      ...(include?.includes('events') ? { latest_event: (await events.readBounds()).newest } : {}),
    };
    const examples = include?.includes('examples') && { has_examples: await hasExampleData(db) };
    const ends = {
      expires_at: isoOf(actor.sessionEnds?.at),
      idle_expires_at: isoOf(actor.sessionEnds?.idleAt),
    };
    if (actor.admin === null) return { success: true, admin: null, ...ends, ...more, ...examples };
    const { created_at: _createdAt, ...admin } = actor.admin;
    const isGenerated = include?.includes('password') && {
      generated_password: await hasGeneratedPassword(db, admin.id),
    };
    return { success: true, admin, ...ends, ...limit, ...more, ...examples, ...isGenerated };
  },

  'session.delete': async ({ change, actor, session }) => {
    const { sessionKey } = actor;
    // A token and a local operator have no session to end.
    if (sessionKey !== undefined) {
      await change((tx, record) => endSessions(tx, record, sessionKey, null));
      session.forget();
    }
  },
} satisfies HandlersOf<'session'>;

function isoOf(secondsSince1970: number | undefined): string | null {
  return secondsSince1970 === undefined ? null : new Date(secondsSince1970 * 1_000).toISOString();
}

/** Returns what an answer says of a session that may only set up a second factor. */
export function limitOf(isEnrolling: boolean) {
  return isEnrolling ? ({ limited_to: 'enrolment' } as const) : {};
}

/** How many codes an account is sent until the first of them expires. */
const maxSentCodes = 5;

/** Starts the second step of a sign-in. */
async function startChallenge(
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
    if ((await countSentCodes(tx, adminId)) >= maxSentCodes) {
      throw new BackofficeError(sessionErrors.tooManyCodes, { retryAfter: challengeMinutes * 60 });
    }
    await mail.send(tx, sendTo, signInCodeMail({ code: sentCode, minutes: challengeMinutes }));
    return await storeChallenge(tx, secretBox, { ...wanted, sentCode });
  });
  if (expires_at === null) refuse(sessionErrors.invalidCredentials);
  observer.onSignIn?.('factor_due');
  const hasPasskeys = site !== null && passkeys.length > 0;
  const passkey = hasPasskeys ? { passkey: { ...(await requestOptions(site, challenge, passkeys)) } } : {};
  return new Pending({ challenge, methods, expires_at, ...passkey });
}

/** Signs in an admin whose factor was right. `use` resolves with false if what it uses was used meanwhile. */
async function signInChallenged(
  context: Context,
  { admin_id: id, email }: { readonly admin_id: string; readonly email: string },
  second_factor: SignInMethod,
  use: (tx: Database, record: RecordChange, credentials: Credentials) => Promise<boolean>,
): Promise<AdminIdentity> {
  return await context.change(
    async (tx, record) => {
      // Before everything else, because a change of the admin locks its row first, then its challenges.
      const credentials = await lockCredentials(tx, id);
      if (credentials === null || !(await use(tx, record, credentials))) refuse(sessionErrors.challengeEnded);
      const { password_hash: passwordHash, ...admin } = credentials;
      await startSession(context, tx, record, { id, passwordHash, isEnrolling: false }, { second_factor });
      return admin;
    },
    asAdmin(context.actor, id, email),
  );
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
    observer.onSignIn?.('succeeded');
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
    if (email !== null) await mail.send(tx, email, newSignInNotice(email, device, { actor: owner, address }));
  }
  return {
    ...(place.new_device ? ({ new_device: true } as const) : {}),
    ...(place.new_network ? ({ new_network: true } as const) : {}),
  };
}
