import type { Databases } from '../../db/connection/connect.ts';
import { deleteExpiredInvitations } from '../../db/tables/accounts/invitations.ts';
import { deleteExpiredPasswordResets } from '../../db/tables/accounts/password-resets.ts';

/** Deletes the invitations and the links for new passwords that have expired. */
export async function purgeExpiredLinks({ databases }: { readonly databases: Databases }): Promise<void> {
  await deleteExpiredInvitations(databases.primary);
  await deleteExpiredPasswordResets(databases.primary);
}
