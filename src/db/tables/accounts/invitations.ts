import { sql } from 'slonik';
import { z } from 'zod';
import { roleSchema } from '../../../contract/operation.ts';
import { invitationSchema } from '../../../contract/operations/invitations.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow } from '../statements.ts';

export type Invitation = z.infer<typeof invitationSchema>;

const invitationColumns = sql.fragment`
  id, email, role, invited_by,
  ${isoTimestamp(sql.fragment`created_at`)} as created_at,
  ${isoTimestamp(sql.fragment`expires_at`)} as expires_at
`;

/** Holds for invitations whose links work: those of admins end with their right to invite. */
const isOpen = (strictRoles: boolean) => sql.fragment`
  expires_at > now() and (
    inviter_id is null or exists (
      select from admins
      where admins.id = inviter_id and is_active = 1 and (
        admins.role = 'superadmin'
        or admins.role = 'admin' and not (${strictRoles} and invitations.role = 'superadmin')
      )
    )
  )
`;

/** Returns the open invitations, newest first. With strict roles, only superadmins may invite superadmins. */
export async function selectInvitations(db: Database, strictRoles: boolean): Promise<readonly Invitation[]> {
  return await db.any(sql.type(invitationSchema)`
    select ${invitationColumns} from invitations where ${isOpen(strictRoles)}
    order by invitations.created_at desc, invitations.id desc
  `);
}

/** Reports whether there are at least that many invitations. */
export async function hasInvitations(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from invitations offset ${count - 1} limit 1`);
}

/**
 * Keeps the sender of an invitation from being deleted until the transaction ends. Returns false if it is gone. Call it
 * first: the end of an admin deletes its invitations, so a transaction that had locked one before could deadlock with it.
 */
export async function keepInviter(tx: Database, adminId: string): Promise<boolean> {
  return await affectsRow(tx)`select from admins where id = ${adminId} for key share`;
}

const roleOf = z.object({ role: roleSchema });

/** Returns the role of the invitation to an e-mail, or null if there is none, and locks it until the transaction ends. */
export async function lockInvitationRole(tx: Database, email: string): Promise<Role | null> {
  return await tx.maybeOneFirst(sql.type(roleOf)`
    select role from invitations where email = ${email} for update
  `);
}

export interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: Buffer;
  readonly invitedBy: string;
  readonly inviterId: string | null;
  readonly days: number;
}

/** Inserts an invitation. It replaces the one to the same e-mail, whose link no longer works. */
export async function replaceInvitation(tx: Database, invitation: NewInvitation): Promise<Invitation> {
  const { email, role, tokenHash, invitedBy, inviterId, days } = invitation;
  return await tx.one(sql.type(invitationSchema)`
    insert into invitations (email, role, token_hash, invited_by, inviter_id, expires_at)
    values (
      ${email}, ${role}, ${sql.binary(tokenHash)}, ${invitedBy}, ${inviterId}, now() + make_interval(days => ${days})
    )
    on conflict (email) do update set
      role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
      inviter_id = excluded.inviter_id, created_at = now(), expires_at = excluded.expires_at
    returning ${invitationColumns}
  `);
}

const invited = invitationSchema.pick({ id: true, email: true, role: true });

/** Deletes an invitation. Returns it, or null if there is none with the id. */
export async function deleteInvitation(tx: Database, id: number | null) {
  return await tx.maybeOne(sql.type(invited)`
    delete from invitations where id = ${id}::bigint returning id, email, role
  `);
}

/** Returns the open invitation whose link has that token, or null. */
export async function selectInvitation(db: Database, tokenHash: Buffer, strictRoles: boolean) {
  return await db.maybeOne(sql.type(invited)`
    select id, email, role from invitations where token_hash = ${sql.binary(tokenHash)} and ${isOpen(strictRoles)}
  `);
}

/** Deletes the open invitation whose link has that token. Returns it, or null if another transaction was first. */
export async function takeInvitation(tx: Database, tokenHash: Buffer, strictRoles: boolean) {
  return await tx.maybeOne(sql.type(invited)`
    delete from invitations where token_hash = ${sql.binary(tokenHash)} and ${isOpen(strictRoles)}
    returning id, email, role
  `);
}
