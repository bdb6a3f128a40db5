import { Command } from 'commander';
import { maxRequestBytes } from '../../access/access.ts';
import { readSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { counted } from '../../output/number.ts';
import { print, remark } from '../../terminal.ts';
import { readSettingsFile } from './settings-file.ts';

/** `backoffice settings import`. */
export function importSettingsCommand(): Command {
  const command = new Command('import')
    .description('write the settings of a JSON object; others stay')
    .argument('<file>', 'what settings export printed, or - for standard input')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask before values are replaced')
    .addHelpText('after', '\nExample:\n  backoffice settings import settings.json --dry-run');
  return command.action(async (file: string, { dryRun, yes }: { dryRun?: boolean; yes?: boolean }) => {
    const wanted = await readSettingsFile(file);
    await withAccess(command, async (access) => {
      const present = await readSettings(access);
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

/** As few requests as the size of one allows, each written whole or not at all. */
function batches(pairs: readonly [string, string][]): [string, string][][] {
  const result: [string, string][][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const pair of pairs) {
    const size = Buffer.byteLength(JSON.stringify(pair)) + 2;
    if (bytes + size > maxRequestBytes) {
      result.push([]);
      bytes = 0;
    }
    result.at(-1)?.push(pair);
    bytes += size;
  }
  return result;
}
