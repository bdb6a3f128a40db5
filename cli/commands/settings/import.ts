import { Command } from 'commander';
import { rolesToChange } from '../../../src/contract/known-settings/known-settings.ts';
import { maxBatchKeys } from '../../../src/contract/schemas/changes/settings-forms.ts';
import { maxRequestBytes } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readAllSettings } from '../../access/settings.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { counted } from '../../output/number.ts';
import { print, remark } from '../../terminal.ts';
import { checkSettings } from './check-settings.ts';
import { readSettingsFile } from './settings-file.ts';
import { showEffect } from './show-effect.ts';

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `backoffice settings import`. */
export function importSettingsCommand(): Command {
  const command = new Command('import')
    .description('set the settings in a JSON object; others stay as they are')
    .argument('<file>', 'a file that `settings export` wrote, or - for standard input')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask before replacing values')
    .option('--force', 'also set values that the service cannot read')
    .addHelpText('after', '\nExample:\n  backoffice settings import settings.json --dry-run');
  return runs(command, 'settings.show', 'settings.update').action(
    async (file: string, { dryRun, yes, force = false }: ImportOptions) => {
      const wanted = await readSettingsFile(file);
      await withAccess(command, async (access) => {
        const { settings: current, secrets } = await readAllSettings(access);
        const has = (key: string) => Object.hasOwn(current, key) || secrets.has(key);
        const added = wanted.filter(([key]) => !has(key));
        const changed = wanted.filter(([key, value]) => has(key) && current[key] !== value);
        // A value that is stored already is not this command's fault.
        checkSettings([...added, ...changed], force);
        for (const [key] of added) remark(`+ ${JSON.stringify(key)}`);
        for (const [key] of changed) remark(`~ ${JSON.stringify(key)}`);
        const summary = `${added.length} new, ${changed.length} changed`;
        if (dryRun) return print(`Would import ${summary}.`);
        if (changed.length > 0) await confirm(`Replace ${counted(changed.length, 'value')}?`, yes);
        const writes = [...added, ...changed]
          .map(([key, value]) => ({ key, value, seen: has(key) ? current[key] : null }))
          // First what the caller may not be allowed to change: if that is refused, nothing is written.
          .toSorted((a, b) => rolesToChange(a.key, true).length - rolesToChange(b.key, true).length);
        for (const batch of batches(writes)) {
          // Values that have changed since the person was asked are not replaced.
          await access.call('settings.update', {
            updates: Object.fromEntries(batch.map(({ key, value }) => [key, value])),
            expected: Object.fromEntries(
              batch.flatMap(({ key, seen }) => (seen === undefined ? [] : [[key, seen] as const])),
            ),
            check: !force,
          });
        }
        print(`Imported ${summary}.`);
        await showEffect(
          access,
          writes.map(({ key }) => key),
          remark,
        );
      });
    },
  );
}

interface Write {
  readonly key: string;
  readonly value: string;
  /** The value that it replaces; null if it is not set, undefined if that is secret. */
  readonly seen: string | null | undefined;
}

/** Splits writes into as few requests as possible. Each is made completely or not at all. */
function batches(writes: readonly Write[]): Write[][] {
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
