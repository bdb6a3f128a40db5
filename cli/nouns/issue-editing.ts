import { issues as noun } from '../../src/contract/fields/issues.ts';
import type { InputOf } from '../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../src/contract/vocabulary.ts';
import type { Access } from '../access/access.ts';
import { FailedError, UsageError } from '../errors.ts';
import { oneOf, oneText } from '../input/arguments.ts';
import { canEdit, withEditedDocument } from '../input/long-text.ts';
import type { Format } from '../output/formats.ts';
import { emitBulk, requireKnown } from '../verb/batches.ts';
import { type Given, longText, option } from '../verb/parameters.ts';
import { toAssigneeId } from '../verb/people.ts';
import { findRow } from '../verb/rows.ts';
import { type Issue, issue } from './kinds.ts';

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
  const assignee_id = assignee === undefined ? undefined : await toAssigneeId(access, assignee);
  return { ...others, assignee_id, steps_to_reproduce: steps, add_labels, remove_labels };
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
    const input = { ids: [id], set, expected: expectedOf(seen, set) };
    const answer = await access.call('issues.update', input);
    requireKnown(answer, 'issue');
    const changes = answer.change_id === null ? [] : [answer.change_id];
    await emitBulk({ answer, changes }, format, 'issue');
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

/**
 * An issue as a text for an editor: a line for each short field, and the long texts below headings.
 *
 *     title: Checkout does nothing
 *     status: Open
 *
 *     == description ==
 *     Nothing happens on click.
 */

const lineFields = ['title', 'status', 'severity', 'category', 'assignee'] as const;
const textFields = ['description', 'steps'] as const;
const headingTitles = { description: 'description', steps: 'steps to reproduce' } as const;

/** The heading of each long text. */
type Headings = Readonly<Record<(typeof textFields)[number], string>>;

/** Lines for the editor that explain the text. */
const documentHelp = [
  `status: ${issueStatuses.join(', ')}. severity: ${severities.join(', ')}, or another.`,
  'assignee: an e-mail, an ID, me, or none.',
];

/** Renders those fields of an issue that are given. Returns the text, and what reads it again after changes. */
export function issueDocument(fields: Edited) {
  const headings = headingsFor(fields);
  const text = render(fields, headings);
  /**
   * Leaves out a field that the text does not have.
   *
   * @throws UsageError for a line that is none of a document
   */
  const parsed = (written: string) => parse(written, headings);
  return {
    text,
    parse: parsed,
    /** Returns those fields that have another value than before. */
    changes(written: string): Edited {
      const before = parsed(text);
      const changed = Object.entries(parsed(written)).filter(
        ([name, value]) => value !== undefined && value !== before[name as keyof Edited],
      );
      return Object.fromEntries(changed);
    },
  };
}

/** Returns headings that are no line of a text. */
function headingsFor(fields: Edited): Headings {
  const lines = textFields.flatMap((name) => (fields[name] ?? '').split('\n').map(toHeading));
  for (let marks = '=='; ; marks += '=') {
    const heading = (name: (typeof textFields)[number]) => `${marks} ${headingTitles[name]} ${marks}`;
    const headings = { description: heading('description'), steps: heading('steps') };
    if (!textFields.some((name) => lines.includes(headings[name]))) return headings;
  }
}

/** Returns a line as a heading is written. */
const toHeading = (line: string) => line.trim().toLowerCase();

function render(fields: Edited, headings: Headings): string {
  const lines = lineFields.flatMap((name) =>
    fields[name] === undefined ? [] : [`${name}: ${fields[name].replaceAll(/\s+/g, ' ').trim()}`.trimEnd()],
  );
  const texts = textFields.flatMap((name) =>
    fields[name] === undefined ? [] : ['', headings[name], fields[name].replaceAll('\r\n', '\n')],
  );
  return [...lines, ...texts].join('\n');
}

function parse(text: string, headings: Headings): Edited {
  const fields: Record<string, string> = {};
  let open: (typeof textFields)[number] | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const heading = textFields.find((name) => toHeading(line) === headings[name]);
    if (heading !== undefined && fields[heading] !== undefined)
      throw new UsageError(`Line ${index + 1}: ${headings[heading]} is there twice. Remove one.`);
    if (heading !== undefined) fields[heading] = '';
    else if (open !== undefined) fields[open] += `${line}\n`;
    else if (line.trim() !== '') Object.assign(fields, parseLine(line, index + 1, headings));
    open = heading ?? open;
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()]));
}

/** Returns the field that a line above the headings has. */
function parseLine(line: string, number: number, headings: Headings): Edited {
  const [, name = '', text = ''] = /^\s*([a-z]+)\s*:(.*)$/i.exec(line) ?? [];
  const field = lineFields.find((known) => known === name.toLowerCase());
  const value = text.trim();
  try {
    if (field === 'status') return { status: oneOf(issueStatuses)(value) };
    if (field === 'severity') return { severity: oneText(severities)(value) };
    if (field !== undefined) return { [field]: value };
  } catch (error) {
    throw new UsageError(`Line ${number}: ${field} is wrong. ${(error as Error).message}`);
  }
  throw new UsageError(
    `Line ${number} must be one of ${lineFields.map((each) => `${each}:`).join(' ')} or the heading ${headings.description}`,
  );
}
