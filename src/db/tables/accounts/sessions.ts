import type { Pool } from 'pg';
import { type PrimitiveValueExpression, sql } from 'slonik';
import { z } from 'zod';
import { ownSessionSchema, sessionSchema } from '../../../contract/operations/sessions.ts';
import { adminIdentitySchema } from '../../../contract/schemas/admins.ts';
import type { Database } from '../../connection/database.ts';
import { searchShort } from '../../lists/search.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow, textRow } from '../statements.ts';

const liveSession = z.object({
  /** What express-session keeps. */
  data: z.looseObject({ adminId: z.string() }),
  admin: adminIdentitySchema.extend({ created_at: z.string() }),
  isEnrolling: z.boolean(),
  /** In seconds since 1970. */
  expiresAt: z.number(),
  idleExpiresAt: z.number(),
  /** What `idleExpiresAt` is after `touchSession`. */
  renewedIdleExpiresAt: z.number(),
  stale: z.boolean(),
});

export type LiveSession = Omit<z.infer<typeof liveSession>, 'data'>;

const liveSessionRow = z.object({ session: liveSession });

/** Made once, because every request needs it. */
const liveAdmin = sql.fragment`json_build_object(
  'id', a.id, 'email', a.email, 'username', a.username, 'role', a.role,
  'created_at', ${isoTimestamp(sql.fragment`a.created_at`)}
)`;

/**
 * Returns the current session with the id and its admin in one query, or null if it has ended or was idle for too long,
 * or its admin is not active. It is `stale` if `touchSession` should update its last use.
 */
export async function selectLiveSession(db: Database, sid: string, idleSeconds: number) {
  return await db.maybeOneFirst(sql.type(liveSessionRow)`
    select json_build_object(
      'data', s.sess,
      'stale', s.last_seen_at < now() - interval '1 minute',
      'isEnrolling', s.is_enrolling,
      'expiresAt', extract(epoch from s.expire)::float8,
      'idleExpiresAt', extract(epoch from least(s.expire, s.last_seen_at + idle))::float8,
      'renewedIdleExpiresAt', extract(epoch from least(s.expire, now() + idle))::float8,
      'admin', ${liveAdmin}
    ) as session
    from sessions s
    join admins a on a.id = s.admin_id and a.is_active = 1,
    make_interval(secs => ${idleSeconds}) as idle
    where s.sid = ${sid} and s.expire > now() and s.last_seen_at > now() - idle
  `);
}

interface NewSession {
  readonly sid: string;
  /** What express-session keeps; `adminId` is the id of its admin. */
  readonly data: { readonly adminId: string };
  readonly maxAgeSeconds: number;
  /** The password hash that the sign-in verified. */
  readonly passwordHash: string;
  /** Whether the session is limited to setting up a second factor. */
  readonly isEnrolling: boolean;
  readonly origin: SessionOrigin;
}

/** Where a session was started. */
export interface SessionOrigin {
  /** The browser and the system. */
  readonly device: string;
  /** The network address, or empty. */
  readonly address: string;
}

/**
 * Inserts a session, unless the admin is not active or its password has changed. Returns whether it did. `for share`
 * waits for a running change of the admin, because that change ends the sessions that it sees and would not see this
 * one.
 */
export async function insertSession(db: Database, session: NewSession): Promise<boolean> {
  const { sid, data, maxAgeSeconds, passwordHash, isEnrolling, origin } = session;
  return await affectsRow(db)`
    insert into sessions (sid, sess, expire, is_enrolling, device, address)
    select ${sid}, ${JSON.stringify(data)}::jsonb, now() + make_interval(secs => ${maxAgeSeconds}), ${isEnrolling},
      ${origin.device}, ${origin.address}
    from admins
    where id = ${data.adminId} and is_active = 1 and password_hash = ${passwordHash}
    for share
  `;
}

/** Replaces what express-session keeps of a session. A plain UPDATE, so that it cannot bring back one that has ended. */
export async function updateSessionData(db: Database, sid: string, data: object): Promise<void> {
  const json = sql.fragment`${JSON.stringify(data)}::jsonb`;
  await db.query(sql.unsafe`update sessions set sess = ${json} where sid = ${sid} and sess <> ${json}`);
}

/**
 * Restarts the idle time of a session. If many requests arrive at once, only one writes. A plain UPDATE too.
 */
export async function touchSession(db: Database, sid: string): Promise<void> {
  await db.query(sql.unsafe`
    update sessions set last_seen_at = now()
    where sid = ${sid} and last_seen_at < now() - interval '1 minute'
  `);
}

/** Reports whether a session has not ended, and locks it until the transaction ends. */
export async function lockSession(tx: Database, sid: string): Promise<boolean> {
  return await affectsRow(tx)`
    select sid from sessions where sid = ${sid} and expire > now() for update
  `;
}

/** Keeps a session when this transaction changes its admin (see `end_sessions_of_changed_admin`). */
export async function keepSession(tx: Database, sid: string): Promise<void> {
  await tx.query(sql.unsafe`select set_config('backoffice.keep_session', ${sid}, true)`);
}

interface WantedSessions {
  readonly q: string | undefined;
  /** Adds where each session was started, and whether it is the one with this key. */
  readonly originFor?: { readonly currentKey: string | null } | undefined;
}

/** Returns the sessions that have not ended, last used first. */
export async function selectSessions(db: Database, idleSeconds: number, { q, originFor }: WantedSessions) {
  const origin =
    originFor === undefined
      ? sql.fragment``
      : sql.fragment`, device, address, s.sid is not distinct from ${originFor.currentKey} as is_current`;
  const search = searchShort(q, [
    sql.fragment`s.sid`,
    sql.fragment`s.admin_id`,
    sql.fragment`a.email`,
    sql.fragment`a.role`,
  ]);
  return await db.any(sql.type(sessionSchema)`
    select s.sid as id, s.admin_id, a.email, a.role,
      ${isoTimestamp(sql.fragment`s.created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`s.last_seen_at`)} as last_seen_at,
      ${isoTimestamp(sql.fragment`s.expire`)} as expires_at
      ${origin}
    from sessions s
    join admins a on a.id = s.admin_id and a.is_active = 1
    where s.expire > now() and s.last_seen_at > now() - make_interval(secs => ${idleSeconds})
      and ${search?.condition ?? sql.fragment`true`}
    order by s.last_seen_at desc, s.sid desc
  `);
}

/** Returns the sessions of an admin that have not ended, last used first. */
export async function selectOwnSessions(
  db: Database,
  idleSeconds: number,
  adminId: string,
  currentKey: string | null,
) {
  return await db.any(sql.type(ownSessionSchema)`
    select sid as id, device, address, sid is not distinct from ${currentKey} as is_current,
      ${isoTimestamp(sql.fragment`created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`last_seen_at`)} as last_seen_at,
      ${isoTimestamp(sql.fragment`expire`)} as expires_at
    from sessions
    where admin_id = ${adminId} and expire > now() and last_seen_at > now() - make_interval(secs => ${idleSeconds})
    order by last_seen_at desc, sid desc
  `);
}

/** Ends one session of an admin, or all but one. Returns the sessions that it ended. */
export async function deleteOwnSessions(
  tx: Database,
  adminId: string,
  { id, except }: { readonly id?: string | undefined; readonly except: string | null },
) {
  const which = id === undefined ? sql.fragment`sid is distinct from ${except}` : sql.fragment`sid = ${id}`;
  return await tx.any(sql.type(endedSession)`
    delete from sessions where admin_id = ${adminId} and ${which} returning sid as id, admin_id
  `);
}

/** Returns the ids of the admins whose sessions `deleteSessions` would end, each once. */
export async function selectSessionAdmins(db: Database, sid: string | null, adminId: string | null) {
  return await db.anyFirst(sql.type(textRow)`
    select distinct admin_id from sessions where sid = ${sid} or admin_id = ${adminId} order by admin_id
  `);
}

/** Lifts the limit of a session that could only set up a second factor. */
export async function endEnrolment(tx: Database, sid: string): Promise<void> {
  await tx.query(sql.unsafe`update sessions set is_enrolling = false where sid = ${sid} and is_enrolling`);
}

const endedSession = sessionSchema.pick({ id: true, admin_id: true });

export type EndedSession = z.infer<typeof endedSession>;

/** Ends the sessions of an admin that can only set up a second factor. Returns those that it ended. */
export async function deleteEnrollingSessions(tx: Database, adminId: string) {
  return await tx.any(sql.type(endedSession)`
    delete from sessions where admin_id = ${adminId} and is_enrolling returning sid as id, admin_id
  `);
}

/** Ends one session and all sessions of an admin. Null matches none. Returns the sessions that it ended. */
export async function deleteSessions(db: Database, sid: string | null, adminId: string | null) {
  return await db.any(sql.type(endedSession)`
    delete from sessions where sid = ${sid} or admin_id = ${adminId} returning sid as id, admin_id
  `);
}

/** Returns the part of a pool of `pg` that connect-pg-simple uses: it has SQL of its own. */
export function likePgPool(db: Database): Pool {
  const query = (text: string, values: PrimitiveValueExpression[] = []) =>
    db.query({ ...sql.unsafe``, sql: text, values });
  return { query } as unknown as Pool;
}
