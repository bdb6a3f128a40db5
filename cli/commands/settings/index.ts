import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { confirm } from '../../prompts.ts';
import { print, printData, remark } from '../../terminal.ts';

/** Bytes of a request that a server takes for sure (it takes 1 MiB), as JSON. */
const requestBytes = 900_000;

/** `backoffice settings`: what the website is set to. */
export function settingsCommand(): Command {
  const command = new Command('settings').description('read and write the settings');
  for (const verb of [list(), get(), set(), unset(), exportAll(), importAll()]) command.addCommand(verb);
  return command;
}

/** All settings. An unknown section leaves the analytics out. */
async function read(access: Access): Promise<Readonly<Record<string, string>>> {
  return (await access.call('settings.show', { section: 'none' })).settings;
}

function list(): Command {
  const command = new Command('list').description('list every setting');
  return runs(withFormats(command), 'settings.show').action(async (format: Format) => {
    const document = await withAccess(command, (access) => access.call('settings.show', { section: 'none' }));
    await emit(document, format, undefined, async () => {
      const rows = Object.entries(document.settings);
      if (rows.length === 0) return remark('There are no settings.');
      await emitTable<[string, string]>(
        [
          { heading: 'key', value: ([key]) => key },
          { heading: 'value', value: ([, value]) => value, cut: true },
        ],
        rows,
      );
    });
  });
}

function get(): Command {
  const command = new Command('get')
    .description('print the value of one setting, as it is')
    .argument('<key>', 'the key of the setting')
    .addHelpText('after', '\nExample:\n  backoffice settings get site_name');
  return withFormats(command).action(async (key: string, format: Format) => {
    const settings = await withAccess(command, read);
    if (!Object.hasOwn(settings, key)) throw new NotFoundError(`There is no setting ${key}.`);
    const value = settings[key] ?? '';
    await emit({ key, value }, format, undefined, () => printData(value));
  });
}

function set(): Command {
  const command = new Command('set')
    .description('write a setting; key and value stay as they are given')
    .argument('<key>', 'the key of the setting')
    .argument('<value>', 'its value, or - for standard input')
    .addHelpText('after', '\nExample:\n  backoffice settings set site_name "My site"');
  return runs(withFormats(command), 'settings.update').action(
    async (key: string, given: string, format: Format) => {
      const value = given === '-' ? await text(process.stdin) : given;
      const done = await withAccess(command, (access) =>
        access.call('settings.update', { updates: Object.fromEntries([[key, value]]) }),
      );
      await emitChange(done, format, () => print(`Set ${printable(key)}.`));
    },
  );
}

function unset(): Command {
  const command = new Command('unset')
    .description('remove a setting')
    .argument('<key>', 'the key of the setting')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice settings unset site_name');
  return runs(withFormats(command), 'settings.delete').action(
    async (key: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const settings = await read(access);
        if (!Object.hasOwn(settings, key)) throw new NotFoundError(`There is no setting ${key}.`);
        await confirm(`Remove the setting ${key}?`, yes);
        const done = await access.call('settings.delete', { key });
        await emitChange(done, format, () => print(`Removed ${printable(key)}.`));
      });
    },
  );
}

function exportAll(): Command {
  const command = new Command('export')
    .description('print every setting as one JSON object, for settings import')
    .addHelpText('after', '\nExample:\n  backoffice settings export > settings.json');
  return command.action(async () => {
    printData(JSON.stringify(await withAccess(command, read), null, 2));
  });
}

function importAll(): Command {
  const command = new Command('import')
    .description('write the settings of a JSON object; others stay')
    .argument('<file>', 'what settings export printed, or - for standard input')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask before values are replaced')
    .addHelpText('after', '\nExample:\n  backoffice settings import settings.json --dry-run');
  return command.action(async (file: string, { dryRun, yes }: { dryRun?: boolean; yes?: boolean }) => {
    const wanted =
      file === '-'
        ? parseSettings(await text(process.stdin), 'Standard input')
        : parseSettings(await readSettingsFile(file), file);
    await withAccess(command, async (access) => {
      const present = await read(access);
      const has = (key: string) => Object.hasOwn(present, key);
      const added = wanted.filter(([key]) => !has(key));
      const changed = wanted.filter(([key, value]) => has(key) && present[key] !== value);
      for (const [key] of added) remark(`+ ${JSON.stringify(key)}`);
      for (const [key] of changed) remark(`~ ${JSON.stringify(key)}`);
      const summary = `${added.length} new, ${changed.length} changed`;
      if (dryRun) return print(`Would import ${summary}.`);
      if (changed.length > 0) await confirm(`Replace ${counted(changed.length, 'value')}?`, yes);
      for (const batch of batches([...added, ...changed])) {
        await access.call('settings.update', { updates: Object.fromEntries(batch) });
      }
      print(`Imported ${summary}.`);
    });
  });
}

async function readSettingsFile(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read (${error.code}).`);
  });
}

/**
 * The pairs of a JSON object of texts.
 *
 * @param source - where it comes from, as a sentence begins
 */
function parseSettings(json: string, source: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}.`);
  }
  const pairs =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (pairs.length === 0 && JSON.stringify(value) !== '{}') {
    throw new UsageError(`${source} must hold one JSON object: see settings export.`);
  }
  const wrong = pairs.find(([, each]) => typeof each !== 'string');
  if (wrong !== undefined)
    throw new UsageError(`${source} must hold texts, and the value of ${JSON.stringify(wrong[0])} is none.`);
  return pairs as [string, string][];
}

/** As few requests as the size of one allows, each written whole or not at all. */
function batches(pairs: readonly [string, string][]): [string, string][][] {
  const result: [string, string][][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const pair of pairs) {
    const size = Buffer.byteLength(JSON.stringify(pair)) + 2;
    if (bytes + size > requestBytes) {
      result.push([]);
      bytes = 0;
    }
    result.at(-1)?.push(pair);
    bytes += size;
  }
  return result;
}
