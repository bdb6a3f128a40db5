import { readFile, realpath } from 'node:fs/promises';
import { z } from 'zod';
import { writeWhole } from '../../../src/files/fill-file.ts';
import { locked } from '../../../src/files/locked.ts';
import { withoutByteOrderMark } from '../../../src/shared/text.ts';
import { UsageError } from '../../errors.ts';
import { recordOf } from '../../input/record-of.ts';

/** A view of a list, as an earlier version has kept it. Names of sorts and columns are checked when it opens: another version may know others. */
const savedView = z.looseObject({
  filter: z.string().optional(),
  sort: z.string().optional(),
  columns: z.array(z.string()).optional(),
});
const savedViews = recordOf(z.string(), savedView).optional();

/** What a person has chosen in the dashboard. What this version does not know is kept. */
const preferences = z.looseObject({
  theme: z.string().optional(),
  /** How to notify about new Critical issues and messages. */
  notify: z.string().optional(),
  views: savedViews,
  defaultView: z.string().optional(),
  conversationViews: savedViews,
  defaultConversationView: z.string().optional(),
  auditViews: savedViews,
  defaultAuditView: z.string().optional(),
  /** The views above that were brought to servers, as `issues/My criticals`. */
  viewsBrought: recordOf(z.string(), z.array(z.string())).optional(),
});

export type SavedView = z.infer<typeof savedView>;
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

/** @throws UsageError that names the file and what is wrong with it */
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

/** Returns preferences without a file, which end with the dashboard. */
export function memoryPreferences(start: Preferences = {}): PreferenceStore {
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
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(found));
  } catch (error) {
    throw new UsageError(
      `${file} is not valid JSON: ${(error as Error).message}. Correct the file, or delete it.`,
    );
  }
  const parsed = preferences.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `: ${issue.path.join('.')}`;
  throw new UsageError(`${file}${place} is invalid. ${issue?.message}. Correct the file, or delete it.`);
}
