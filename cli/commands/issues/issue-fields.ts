import type { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { oneWord, severityOption } from '../../input/words.ts';
import { toAssigneeId } from '../admins/assignee.ts';
import { type LabelChanges, labelsToSet, withLabelChanges } from '../labels/options.ts';

type Set = InputOf<'issues.update'>['set'];

/** The fields of an issue that a command can set, as a person writes them. */
export interface IssueFields {
  readonly status?: string | undefined;
  readonly severity?: string | undefined;
  readonly category?: string | undefined;
  /** An e-mail or ID, `me` or `none`. */
  readonly assignee?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly steps?: string | undefined;
}

/** The fields that options set. */
export type IssueOptions = IssueFields & LabelChanges;

/** What makes sense for one issue only. */
export const singleFields = [
  'title',
  'description',
  'steps',
] as const satisfies readonly (keyof IssueFields)[];

/**
 * Adds an option for each field to a command.
 *
 * @param prefix - what the names of the options begin with, where the fields themselves select issues
 */
export function withSetOptions(command: Command, prefix: '' | 'set-'): Command {
  const one = prefix === '' ? '' : ', of one issue';
  return withLabelChanges(command)
    .addOption(oneWord(`--${prefix}status <status>`, 'the new status', issueStatuses))
    .addOption(severityOption(`--${prefix}severity <severity>`, 'the new severity'))
    .option(`--${prefix}category <category>`, 'the new category')
    .option(`--${prefix}assignee <assignee>`, 'the e-mail or ID of the new assignee, me, or none')
    .option(`--${prefix}title <text>`, `the new title${one}`)
    .option(`--${prefix}description <text>`, `the new description${one}; - for standard input`)
    .option(`--${prefix}steps <text>`, `the new steps to reproduce${one}; - for standard input`);
}

export function isEmptySet(fields: IssueOptions): boolean {
  return Object.values(fields).every((value) => value === undefined);
}

/** Returns what a change sets. */
export async function toSet(
  access: Access,
  { assignee, steps, status, addLabel, removeLabel, ...others }: IssueOptions,
): Promise<Set> {
  return {
    ...others,
    status: status as Set['status'],
    steps_to_reproduce: steps,
    ...(assignee === undefined ? {} : { assignee_id: await toAssigneeId(access, assignee) }),
    ...labelsToSet({ addLabel, removeLabel }),
  };
}
