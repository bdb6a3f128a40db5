import { sessionErrors } from '../../contract/operations/session.ts';
import { minPasswordLength } from '../../contract/schemas/admins.ts';
import { hasGeneratedPassword } from '../../db/tables/accounts/passwords.ts';
import {
  countTry,
  selectChallengedAdmin,
  useChallenge,
} from '../../db/tables/accounts/sign-in-challenges.ts';
import { refuse } from '../call/refuse.ts';
import { challengeDigest, checkProof, isSamePassword } from '../factors/check-proof.ts';
import { dueFactor } from '../factors/due.ts';
import { siteOf } from '../factors/passkeys.ts';
import { sendAccountNotice } from '../mail/templates.ts';
import { attemptSignIn } from '../sign-in/attempt-limits.ts';
import { endSessions } from '../sign-in/sessions.ts';
import { verifyCredentials } from '../sign-in/verify-credentials.ts';
import type { HandlersOf } from './handler-types.ts';
import { signIn, signInChallenged, startChallenge, startSession } from './sign-in-steps.ts';

export const sessionHandlers = {
  /**
   * Signs in and ends the caller's previous session. An unknown account, an inactive one and a wrong password get the
   * same answer after the same work.
   */
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
    await signIn(context, admin, (tx, record) =>
      startSession(context, tx, record, { id: admin.id, passwordHash, isEnrolling }),
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
          observer.onSignIn('wrong_factor');
          return null;
        }
        return await signInChallenged(context, challenged, proof.method, async (tx, record, credentials) => {
          if (!isSamePassword(secretBox, credentials.password_hash, tried.password_digest)) return false;
          if (!(await useChallenge(tx, digest)) || !(await use(tx, record))) return false;
          if (proof.method === 'recovery') {
            const owner = { ...context.actor, kind: 'admin', id, name: email } as const;
            const changes = ['a recovery code was used to sign in'];
            await sendAccountNotice({ ...context, actor: owner }, tx, email, changes);
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
    const { expires_at = null, idle_expires_at = null } = actor.sessionEnds ?? {};
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
      ...(include?.includes('events') ? { latest_event: (await events.readBounds()).newest } : {}),
    };
    const ends = { expires_at, idle_expires_at };
    if (actor.admin === null) return { success: true, admin: null, ...ends, ...more };
    const { created_at: _createdAt, ...admin } = actor.admin;
    const isGenerated = include?.includes('password') && {
      generated_password: await hasGeneratedPassword(db, admin.id),
    };
    return { success: true, admin, ...ends, ...limit, ...more, ...isGenerated };
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

function limitOf(isEnrolling: boolean) {
  return isEnrolling ? ({ limited_to: 'enrolment' } as const) : {};
}
