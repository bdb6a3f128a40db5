import type { Databases } from '../../db/replica/databases.ts';
import { deleteExpiredDevices } from '../../db/tables/accounts/device-sign-ins.ts';
import { deleteExpiredInvitations } from '../../db/tables/accounts/invitations.ts';
import { deleteExpiredPasswordResets } from '../../db/tables/accounts/password-resets.ts';

/** Deletes the invitations, the links for new passwords and the devices that have expired. */
export async function purgeExpiredLinks({ databases }: { readonly databases: Databases }): Promise<void> {
  await deleteExpiredInvitations(databases.primary);
  await deleteExpiredPasswordResets(databases.primary);
  await deleteExpiredDevices(databases.primary);
}
