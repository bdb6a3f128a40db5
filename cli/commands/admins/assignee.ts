import type { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { someWords } from '../../input/words.ts';
import type { Column } from '../../output/table.ts';
import { findAdmin } from './find.ts';

/** The options of a list whose rows have assignees and labels. */
export interface AssigneeOptions {
  readonly assignee?: string;
  readonly label?: string;
  readonly include?: string;
}

/** Adds those options to a command. */
export function withAssignee(command: Command): Command {
  return command
    .option('--assignee <assignee>', 'only assigned to this admin: its e-mail or ID, me, or none')
    .option('--label <label>', 'only with this label, or one of several: a,b; none for those without')
    .addOption(
      someWords('--include <field>', 'also show this field, or several: a,b', ['assignee', 'labels']),
    );
}

interface AssignedRow {
  readonly assignee?: { readonly email: string } | null | undefined;
}

/** Returns the column of the assignee if it is included. */
export function assigneeColumns({ include }: AssigneeOptions): readonly Column<AssignedRow>[] {
  if (include?.split(',').includes('assignee') !== true) return [];
  return [{ heading: 'assignee', value: ({ assignee }) => assignee?.email ?? '', cut: true }];
}

/** Replaces the e-mail of an assignee by its id, which the filter takes. */
export async function resolveAssignee<Options extends AssigneeOptions>(
  access: Access,
  options: Options,
): Promise<Options> {
  const { assignee } = options;
  return assignee === undefined
    ? options
    : { ...options, assignee: await toAssigneeFilter(access, assignee) };
}

/** Returns the ID of an assignee for the address of a page; other options as they are. */
export async function idOfAssignee(command: Command, option: string, value: string): Promise<string> {
  if (option !== 'assignee') return value;
  return await withAccess(command, (access) => toAssigneeFilter(access, value));
}

/** Returns the value of the filter `assignee` for what a person wrote: an e-mail, an ID, `me` or `none`. */
async function toAssigneeFilter(access: Access, who: string): Promise<string> {
  return who === 'me' || who === 'none' ? who : (await findAdmin(access, who)).id;
}

/** Returns what an assignment of rows does, for a question. */
export function assignmentOf(rows: string, who: string): string {
  if (who === 'none') return `Unassign ${rows}`;
  return `Assign ${rows} to ${who === 'me' ? 'you' : who}`;
}

/**
 * Returns the id of the admin to assign to, or null for `none`.
 *
 * @param who - an e-mail, an ID, `me` or `none`
 */
export async function toAssigneeId(access: Access, who: string): Promise<string | null> {
  if (who === 'none') return null;
  if (who !== 'me') return (await findAdmin(access, who)).id;
  const { admin } = await access.call('session.show');
  if (admin !== null) return admin.id;
  throw new UsageError(
    '“me” needs an account, which local operators and tokens without an owner do not have. Use the e-mail of an admin.',
  );
}
