import { readFile, realpath } from 'node:fs/promises';
import { z } from 'zod';
import { writeWhole } from '../../src/files/fill-file.ts';
import { locked } from '../../src/files/locked.ts';
import { withoutByteOrderMark } from '../../src/shared/text.ts';
import { UsageError } from '../errors.ts';
import { recordOf } from '../input/record-of.ts';
import { notifyModes } from './refresh/notifier.ts';
import { savedAuditView } from './screens/audit/views.ts';
import { savedConversationView } from './screens/conversations/views.ts';
import { savedIssueView } from './screens/issues/views.ts';
import { viewName } from './screens/views/saved-view.ts';
import { themeNames } from './theme.ts';

/** What a person has chosen in the dashboard. Parts that this version does not know are kept. */
const preferences = z.looseObject({
  theme: z.enum(themeNames).optional(),
  /** How to notify about new Critical issues and messages. */
  notify: z.enum(notifyModes).optional(),
  /** Whether the dashboard takes the mouse. */
  mouse: z.boolean().optional(),
  /** The saved views of the issues, by name. */
  views: recordOf(viewName, savedIssueView).optional(),
  /** The view of the issues that opens first. */
  defaultView: viewName.optional(),
  /** The saved views of the conversations, by name. */
  conversationViews: recordOf(viewName, savedConversationView).optional(),
  /** The view of the conversations that opens first. */
  defaultConversationView: viewName.optional(),
  /** The saved views of the audit trail, by name. */
  auditViews: recordOf(viewName, savedAuditView).optional(),
  /** The view of the audit trail that opens first. */
  defaultAuditView: viewName.optional(),
});

export type Preferences = z.infer<typeof preferences>;

/** The preferences of a person, which several dashboards may change at the same time. */
export interface PreferenceStore {
  get(): Preferences;
  /**
   * Changes some preferences in the file. Reads it first, so that the choices of another dashboard are not lost. The
   * change applies until the end of this dashboard even if the file cannot be written.
   *
   * @throws UsageError or FileError that names the file and what is wrong
   */
  change(change: (before: Preferences) => Preferences): Promise<void>;
}

/** @throws UsageError that names the file, the line and what is wrong with it */
export async function openPreferences(file: string): Promise<PreferenceStore> {
  let known = await readPreferences(file);
  let last: Promise<unknown> = Promise.resolve();
  return {
    get: () => known,
    change(change) {
      known = change(known);
      const done = last.then(async () => {
        // A link, for example to a folder of settings under version control, stays a link.
        const target = await realpath(file).catch(() => file);
        await locked(target, async () => {
          // A damaged file is not overwritten: what it holds may be repaired.
          const next = change(await readPreferences(file));
          await writeWhole(target, `${JSON.stringify(next, null, 2)}\n`);
        });
      });
      last = done.catch(() => {});
      return done;
    },
  };
}

/** Preferences without a file, which end with the dashboard. */
export function passingPreferences(start: Preferences = {}): PreferenceStore {
  let known = start;
  return {
    get: () => known,
    async change(change) {
      known = change(known);
    },
  };
}

async function readPreferences(file: string): Promise<Preferences> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw new UsageError(`Cannot read ${file} (${error.code}).`);
  });
  const text = withoutByteOrderMark(found);
  const fail = (line: number, problem: string) => {
    throw new UsageError(`${file}, line ${line}: ${problem} Correct the file, or delete it.`);
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    fail(lineOfSyntaxError(text, error as Error), 'The text is not valid JSON.');
  }
  const parsed = preferences.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  if (path.length === 0) return fail(1, 'The file must hold a JSON object, such as {"theme": "light"}.');
  return fail(lineOfPath(text, path), `${path.join('.')} is invalid. ${issue?.message}.`);
}

/** Returns the line that the message of JSON.parse names, or the last one: the text ended too early. */
function lineOfSyntaxError(text: string, { message }: Error): number {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}

/** Returns the line of a value: that of the last name of its path that is found after the ones before it. */
function lineOfPath(text: string, path: readonly string[]): number {
  let at = 0;
  for (const name of path) {
    const found = text.indexOf(JSON.stringify(name), at);
    if (found !== -1) at = found;
  }
  return text.slice(0, at).split('\n').length;
}
