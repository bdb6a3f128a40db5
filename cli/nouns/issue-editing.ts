import { issues as noun } from '../../src/contract/fields/issues.ts';
import type { InputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { FailedError, UsageError } from '../errors.ts';
import { canEdit, withEditedDocument } from '../input/long-text.ts';
import type { Format } from '../output/formats.ts';
import { emitBulk } from '../verb/batches.ts';
import { changeMany } from '../verb/bulk.ts';
import { type Given, longText, option } from '../verb/parameters.ts';
import { toAssigneeId } from '../verb/people.ts';
import { findRow } from '../verb/rows.ts';
import { documentHelp, issueDocument } from './issue-document.ts';
import { type Issue, issue, manyIssues } from './kinds.ts';

const { title, status, severity, category, assignee_id, labels } = noun.fields;

/** What can be set of an issue, or of many. */
export const editing = {
  addLabel: option(labels, 'add this label'),
  removeLabel: option(labels, 'remove this label'),
  status: option(status),
  severity: option(severity),
  category: option(category),
  assignee: option(assignee_id),
  title: option(title, 'the new title, of one issue'),
  description: longText('the new description, of one issue'),
  steps: longText('the new steps to reproduce, of one issue'),
};

export type Edited = Partial<Given<typeof editing>>;

/** Returns what a change sets. */
export async function toSet(edited: Edited, access: Access): Promise<InputOf<'issues.update'>['set']> {
  const { assignee, steps, addLabel: add_labels, removeLabel: remove_labels, ...others } = edited;
  const assignment = assignee === undefined ? {} : { assignee_id: await toAssigneeId(access, assignee) };
  return { ...others, ...assignment, steps_to_reproduce: steps, add_labels, remove_labels };
}

export const isNothing = (edited: Edited) => Object.values(edited).every((value) => value === undefined);

/** Lets the user write a new issue in the editor. */
export async function writeIssue(given: Edited, create: (issue: Edited) => Promise<void>): Promise<void> {
  if (!canEdit()) throw new UsageError('Give the issue a title.');
  const { severity = 'Low', category = '', description = '', steps = '' } = given;
  const document = issueDocument({ title: '', severity, category, description, steps });
  const text = { what: 'issue', initial: document.text, about: documentHelp.slice(0, 1) };
  await withEditedDocument(text, (written) => create(document.parse(written)));
}

/** Lets the user change an issue in the editor. */
export async function editIssue(access: Access, id: number, format: Format): Promise<void> {
  const seen = await findRow(issue, access, id, 'assignee');
  const document = issueDocument(fieldsOf(seen));
  const about = [...documentHelp, 'Fields that you delete stay as they are.'];
  await withEditedDocument({ what: 'issue', initial: document.text, about }, async (written) => {
    const changed = document.changes(written);
    if (isNothing(changed)) throw new FailedError(`You did not change issue ${id}.`);
    const set = await toSet(changed, access);
    const change = { set, expected: expectedOf(seen, set), ask: () => '' };
    await emitBulk(await changeMany(access, manyIssues, { ids: [id] }, change), format, 'issue');
  });
}

function fieldsOf({ steps_to_reproduce: steps, assignee, ...fields }: Issue): Edited {
  const { title, status, severity, category, description } = fields;
  return { title, status, severity, category, assignee: assignee?.email ?? 'none', description, steps };
}

/** Returns what the user saw of the fields that change. */
function expectedOf({ assignee, ...seen }: Issue, set: object): InputOf<'issues.update'>['expected'] {
  const fields = { ...seen, assignee_id: assignee?.id ?? null };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => definedIn(set, name)));
}

const definedIn = (set: object, name: string) => set[name as keyof typeof set] !== undefined;
