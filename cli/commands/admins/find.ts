import { Argument } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { storedEmail } from '../../../src/contract/schemas/stored-email.ts';
import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';

/** An admin, as `admins.list` returns it. */
export type ListedAdmin = OutputOf<'admins.list'>['admins'][number];

/** The argument of commands that act on one admin. */
export const adminArgument = () => new Argument('<admin>', 'the e-mail or ID of the admin');

/** Finds an admin by ID or e-mail. Two may have it in different forms, and then the one with the given form is meant. */
export async function findAdmin(access: Access, emailOrId: string): Promise<ListedAdmin> {
  const wanted = emailOrId.trim().toLowerCase();
  let other: ListedAdmin | undefined;
  for (let page = 1; ; page++) {
    const { admins, pagination } = await access.call('admins.list', { page, limit: 100 });
    const found = admins.find(({ id, email }) => id === emailOrId || email === wanted);
    if (found !== undefined) return found;
    other ??= admins.find(({ email }) => storedEmail(email) === storedEmail(wanted));
    if (page >= pagination.totalPages) {
      if (other !== undefined) return other;
      throw new NotFoundError(`No admin ${emailOrId}. Run \`backoffice admins list\` to see all.`);
    }
  }
}
