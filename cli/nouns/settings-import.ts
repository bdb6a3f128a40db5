import type { Settings } from '../../src/contract/known-settings/settings.ts';
import { isRecord } from '../../src/shared/is-record.ts';
import { type Access, maxRequestBytes } from '../access/access.ts';
import { readAllSettings, readSettings } from '../access/settings.ts';
import { UsageError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { decodeUtf8, readStandardInput } from '../input/standard-input.ts';
import { print, remark } from '../terminal/terminal.ts';
import { counted, grouped, printable } from '../terminal/text.ts';
import { yes } from '../verb/change.ts';
import { argument, flag, text } from '../verb/parameters.ts';
import { calling } from '../verb/verb.ts';

type Pairs = readonly (readonly [key: string, value: string])[];

/**
 * Checks values of the settings that the service itself reads. Any other setting may have any value.
 *
 * @param force - whether wrong values are stored nevertheless, with a warning
 * @throws UsageError for wrong values, with what is wrong with each
 */
export async function checkSettings(values: Pairs, force: boolean): Promise<void> {
  const { knownSetting, settingProblem } = await import(
    '../../src/contract/known-settings/known-settings.ts'
  );
  const problems = values.flatMap(([key, value]) => {
    const problem = settingProblem(key, value);
    if (problem === undefined) return [];
    return [problem + (knownSetting(key)?.kind === 'json' ? placeInJson(value) : '')];
  });
  if (problems.length === 0) return;
  if (!force)
    throw new UsageError(
      `${problems.join('\n')}\nNothing was changed. Add --force to store ${problems.length === 1 ? 'it' : 'them'} anyway.`,
    );
  for (const problem of problems) remark(`Warning: ${problem} It counts as not set.`);
}

/** Says where a value stops being JSON. */
function placeInJson(value: string): string {
  try {
    JSON.parse(value);
    return '';
  } catch (error) {
    return ` ${(error as Error).message}.`;
  }
}

/**
 * Says what the service makes of settings that were just stored, as far as it reads them. They are stored, so a failure to
 * read them again is not one of the command.
 */
export async function showEffect(
  access: Access,
  keys: readonly string[],
  say: (text: string) => void,
): Promise<void> {
  const { describeSetting } = await import('../terminal/describe-setting.ts');
  const { knownSetting } = await import('../../src/contract/known-settings/known-settings.ts');
  const known = keys.filter((key) => knownSetting(key) !== undefined);
  if (known.length === 0) return;
  try {
    const settings: Settings = await readSettings(access);
    for (const key of known) say(printable(describeSetting(key, settings) ?? ''));
  } catch (error) {
    const { sentenceOf } = await import('../failures.ts');
    remark(
      printable(`Warning: Cannot show what the service makes of ${known.join(', ')}. ${sentenceOf(error)}`),
    );
  }
}

/** Sets the settings of a file, as few requests as possible after another. Says how far it came if one fails. */
export const importSettings = calling(['settings.show', 'settings.update'], {
  about: 'set the settings in a JSON object; others stay as they are',
  params: {
    file: argument(text('a file that `settings export` wrote, or - for standard input', 'file', 'files')),
    dryRun: flag('only show what would change'),
    yes,
    force: flag('also set values that the service cannot read'),
  },
  output: 'nothing',
  examples: ['backoffice settings import settings.json --dry-run'],
  async run({ given: { file, dryRun, yes, force }, access }) {
    const wanted = await readSettingsFile(file);
    const { rolesToChange } = await import('../../src/contract/known-settings/setting-rights.ts');
    const { settings: current, secrets } = await readAllSettings(access);
    const has = (key: string) => Object.hasOwn(current, key) || secrets.has(key);
    const added = wanted.filter(([key]) => !has(key));
    const changed = wanted.filter(([key, value]) => has(key) && current[key] !== value);
    // A value that is stored already is not this command's fault.
    await checkSettings([...added, ...changed], force === true);
    for (const [key] of added) remark(`+ ${JSON.stringify(key)}`);
    for (const [key] of changed) remark(`~ ${JSON.stringify(key)}`);
    const summary = `${added.length} new, ${changed.length} changed`;
    if (dryRun) return print(`Would import ${summary}.`);
    if (changed.length > 0) await confirm(`Replace ${counted(changed.length, 'value')}?`, yes);
    const writes = [...added, ...changed]
      .map(([key, value]) => ({ key, value, seen: has(key) ? current[key] : null }))
      // First what the caller may not be allowed to change: if that is refused, nothing is written.
      .toSorted((a, b) => rolesToChange(a.key, true).length - rolesToChange(b.key, true).length);
    const done: string[] = [];
    try {
      for (const batch of await batchesOf(writes)) {
        await access.call('settings.update', { ...updateOf(batch), check: !force });
        done.push(...batch.map(({ key }) => key));
      }
    } catch (error) {
      if (done.length > 0)
        remark(
          `Imported ${grouped(done.length)} of ${counted(writes.length, 'setting')}. Import the file again for the others.`,
        );
      throw error;
    }
    print(`Imported ${summary}.`);
    await showEffect(access, done, remark);
  },
});

/** Reads the settings of a file. */
async function readSettingsFile(file: string): Promise<Pairs> {
  if (file === '-') return parseSettings(await readStandardInput(), 'Standard input');
  // It would take 2 ms of the start of every command on a noun.
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read ${file} (${error.code}).`);
  });
  return parseSettings(decodeUtf8(bytes, file), file);
}

/**
 * Parses a JSON object whose values are strings.
 *
 * @param source - the name of the input, to start an error with
 */
function parseSettings(json: string, source: string): Pairs {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not valid JSON: ${(error as Error).message}.`);
  }
  if (!isRecord(parsed))
    throw new UsageError(
      `${source} is not a JSON object. Run \`backoffice settings export\` to see an example.`,
    );
  return Object.entries(parsed).map(([key, value]) => {
    if (typeof value === 'string') return [key, value];
    throw new UsageError(
      `${source} must have only string values. The value of ${JSON.stringify(key)} is not a string.`,
    );
  });
}

interface Write {
  readonly key: string;
  readonly value: string;
  /** The value that it replaces; null if it is not set, undefined if that is secret. */
  readonly seen: string | null | undefined;
}

/** Returns the input of a request. Values that have changed since the person was asked are not replaced. */
function updateOf(batch: readonly Write[]) {
  const seen = batch.flatMap(({ key, seen }) => (seen === undefined ? [] : [[key, seen] as const]));
  return {
    updates: Object.fromEntries(batch.map(({ key, value }) => [key, value])),
    expected: Object.fromEntries(seen),
  };
}

/** Splits writes into as few requests as possible. Each is made completely or not at all. */
async function batchesOf(writes: readonly Write[]): Promise<Write[][]> {
  const { maxBatchKeys } = await import('../../src/contract/schemas/changes/settings-forms.ts');
  const result: Write[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const write of writes) {
    const { key, value, seen } = write;
    const size = Buffer.byteLength(JSON.stringify([key, value, key, seen])) + 4;
    if (bytes + size > maxRequestBytes || result.at(-1)?.length === maxBatchKeys) {
      result.push([]);
      bytes = 0;
    }
    result.at(-1)?.push(write);
    bytes += size;
  }
  return result;
}
