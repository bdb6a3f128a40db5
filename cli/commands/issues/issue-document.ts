import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { UsageError } from '../../errors.ts';
import { oneOf, textsWith } from '../../input/arguments.ts';
import type { IssueFields } from './issue-fields.ts';

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
const headings = { description: '== description ==', steps: '== steps to reproduce ==' } as const;

/** Lines for the editor that explain the text. */
export const documentHelp = [
  `status: ${issueStatuses.join(', ')}. severity: ${severities.join(', ')}, or another.`,
  'assignee: an e-mail, an ID, me, or none.',
];

/** Renders those fields that are given. */
export function renderIssueDocument(fields: IssueFields): string {
  const lines = lineFields.flatMap((name) =>
    fields[name] === undefined ? [] : [`${name}: ${oneLine(fields[name])}`.trimEnd()],
  );
  const texts = textFields.flatMap((name) =>
    fields[name] === undefined ? [] : ['', headings[name], fields[name].replaceAll('\r\n', '\n')],
  );
  return [...lines, ...texts].join('\n');
}

/**
 * Parses such a text. A field that it does not have is left out.
 *
 * @throws UsageError for a line that is none of a document
 */
export function parseIssueDocument(text: string): IssueFields {
  const fields: Record<string, string> = {};
  let open: (typeof textFields)[number] | undefined;
  let collected: string[] = [];
  const close = () => {
    if (open !== undefined) fields[open] = collected.join('\n').trim();
    collected = [];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const heading = textFields.find((name) => line.trim().toLowerCase() === headings[name]);
    if (heading !== undefined) {
      close();
      open = heading;
    } else if (open !== undefined) collected.push(line);
    else if (line.trim() !== '') takeLine(fields, line, index + 1);
  }
  close();
  return fields;
}

function takeLine(fields: Record<string, string>, line: string, number: number): void {
  const [, name = '', value = ''] = /^\s*([a-z]+)\s*:(.*)$/i.exec(line) ?? [];
  const field = lineFields.find((known) => known === name.toLowerCase());
  if (field === undefined) {
    throw new UsageError(
      `Line ${number} must be one of ${lineFields.map((each) => `${each}:`).join(' ')} or the heading ${headings.description}`,
    );
  }
  fields[field] = parseLine(field, value.trim(), number);
}

function parseLine(field: (typeof lineFields)[number], value: string, number: number): string {
  try {
    if (field === 'status') return oneOf(issueStatuses)(value);
    return field === 'severity' ? textsWith(severities)(value) : value;
  } catch (error) {
    throw new UsageError(`Line ${number}: ${field} is wrong. ${(error as Error).message}`);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns those fields that have another value than before. */
export function changedFields(before: IssueFields, after: IssueFields): IssueFields {
  const rendered = parseIssueDocument(renderIssueDocument(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== undefined && value !== rendered[name as keyof IssueFields],
  );
  return Object.fromEntries(changed);
}
