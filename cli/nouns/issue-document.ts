import { issueStatuses, severities } from '../../src/contract/vocabulary.ts';
import { UsageError } from '../errors.ts';
import { oneOf, oneText } from '../input/arguments.ts';
import type { Edited } from './issue-editing.ts';

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

type Headings = Readonly<Record<(typeof textFields)[number], string>>;

/** Lines for the editor that explain the text. */
export const documentHelp = [
  `status: ${issueStatuses.join(', ')}. severity: ${severities.join(', ')}, or another.`,
  'assignee: an e-mail, an ID, me, or none.',
];

/** The text of an issue, and what reads it again. */
export interface IssueDocument {
  readonly text: string;
  /**
   * Parses the text after changes. A field that it does not have is left out.
   *
   * @throws UsageError for a line that is none of a document
   */
  parse(written: string): Edited;
  /** Parses it, and returns those fields that have another value than before. */
  changes(written: string): Edited;
}

/** Renders those fields that are given. */
export function issueDocument(fields: Edited): IssueDocument {
  const headings = headingsFor(fields);
  const text = render(fields, headings);
  const parsed = (written: string) => parse(written, headings);
  return {
    text,
    parse: parsed,
    changes(written) {
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
    fields[name] === undefined ? [] : [`${name}: ${oneLine(fields[name])}`.trimEnd()],
  );
  const texts = textFields.flatMap((name) =>
    fields[name] === undefined ? [] : ['', headings[name], fields[name].replaceAll('\r\n', '\n')],
  );
  return [...lines, ...texts].join('\n');
}

function parse(text: string, headings: Headings): Edited {
  const fields: Record<string, string> = {};
  let open: (typeof textFields)[number] | undefined;
  let collected: string[] = [];
  const close = () => {
    if (open !== undefined) fields[open] = collected.join('\n').trim();
    collected = [];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const heading = textFields.find((name) => toHeading(line) === headings[name]);
    if (heading !== undefined) {
      close();
      if (fields[heading] !== undefined)
        throw new UsageError(`Line ${index + 1}: ${headings[heading]} is there twice. Remove one.`);
      open = heading;
    } else if (open !== undefined) collected.push(line);
    else if (line.trim() !== '') takeLine(fields, line, index + 1, headings);
  }
  close();
  return fields;
}

function takeLine(fields: Record<string, string>, line: string, number: number, headings: Headings): void {
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
    return field === 'severity' ? oneText(severities)(value) : value;
  } catch (error) {
    throw new UsageError(`Line ${number}: ${field} is wrong. ${(error as Error).message}`);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
