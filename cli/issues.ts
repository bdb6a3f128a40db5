import { Command } from 'commander';
import { checkIssueCounters, rebuildIssueCounters } from '../src/db/issue-counters.ts';
import { withServices } from './connection.ts';
import { FailedError } from './errors.ts';
import { print, printTable } from './terminal.ts';

/** `backoffice issues`: the issue tracker. */
export function issuesCommand(): Command {
  const command = new Command('issues').description('look after the issue tracker');
  command
    .command('recount')
    .description('count every issue anew for the charts')
    .option('--check', 'only prove that the kept counts equal the true ones; exit code 1 where they do not')
    .action(async ({ check }: { check?: boolean }) => {
      await withServices(async ({ databases }) => {
        if (check) await prove(databases.primary);
        else await databases.primary.transaction((tx) => rebuildIssueCounters(tx));
      });
      print(check ? 'Every count is right.' : 'Counted every issue anew.');
    });
  return command;
}

async function prove(db: Parameters<typeof checkIssueCounters>[0]): Promise<void> {
  const differences = await checkIssueCounters(db);
  if (differences.length === 0) return;
  const headings = Object.keys(differences[0] ?? {});
  printTable(
    headings,
    differences.map((difference) => Object.values(difference).map(String)),
  );
  throw new FailedError(`${differences.length} counts are wrong: run backoffice issues recount.`);
}
