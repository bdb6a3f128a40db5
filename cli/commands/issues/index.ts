import { Argument, Command, Option } from 'commander';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../arguments.ts';
import { withServices } from '../../database.ts';
import { FailedError } from '../../errors.ts';
import { paintSeverity, paintStatus } from '../../output/colours.ts';
import { emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { type ListOptions, type Rows, showList, withListOptions } from '../../output/list.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { print } from '../../terminal.ts';
import { linkIssue, unlinkIssue } from './link.ts';
import { findIssue, showIssue } from './show.ts';
import { issueStatsCommand } from './stats.ts';
import { issueTrendCommand } from './trend.ts';

const columns: readonly Column<Rows['issues.list']>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'title', value: ({ title }) => title, cut: true },
  {
    heading: 'severity',
    value: ({ severity }) => severity,
    paint: (text, { severity }) => paintSeverity(text, severity),
  },
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  { heading: 'category', value: ({ category }) => category, cut: true, dropAs: 2 },
  { heading: 'created', value: ({ created_at }) => ago(created_at), dropAs: 1 },
];

/** `backoffice issues`: the issue tracker. */
export function issuesCommand(): Command {
  const command = new Command('issues').description('list, report and look after issues');
  const verbs = [
    list(),
    showIssue(),
    create(),
    setStatus(),
    linkIssue(),
    unlinkIssue(),
    issueStatsCommand(),
    issueTrendCommand(),
    recount(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}

interface IssueOptions extends ListOptions {
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
}

function list(): Command {
  const command = new Command('list')
    .description('list issues, the newest first')
    .addOption(new Option('--status <status>', 'only of this status').choices(issueStatuses))
    .option('--severity <severity>', 'only of this severity')
    .option('--category <category>', 'only of this category')
    .addHelpText(
      'after',
      `
Examples:
  backoffice issues list --status Open --severity Critical --since 7d
  backoffice issues list --search checkout --json id,title`,
    );
  return runs(
    withListOptions(command, { search: 'only those that contain this text' }),
    'issues.list',
  ).action(async (options: IssueOptions) => {
    await withAccess(command, (access) => showList(access, 'issues.list', options, columns));
  });
}

interface CreateOptions extends Format {
  readonly severity?: string;
  readonly category?: string;
  readonly description?: string;
  readonly steps?: string;
  readonly fromConversation?: string;
  readonly fromScrapingError?: number;
}

function create(): Command {
  const command = new Command('create')
    .description('report an issue')
    .argument('<title>', 'what is wrong, in a few words')
    .option('--severity <severity>', `${severities.join(', ')}, or another`)
    .option('--category <category>', 'what it is about')
    .option('--description <text>', 'what happens')
    .option('--steps <text>', 'how to see it happen')
    .option('--from-conversation <conversation>', 'the ID of the conversation that it comes from')
    .option(
      '--from-scraping-error <number>',
      'the number of the scraping error that it comes from',
      wholeNumber(1),
    )
    .addHelpText(
      'after',
      `
Examples:
  backoffice issues create "Checkout does nothing" --severity High
  backoffice issues create "Invoices are not sent" --from-conversation conv_1769851800000_k3x9a2b`,
    );
  return runs(withFormats(command), 'issues.create').action(
    async (title: string, { steps, fromConversation, fromScrapingError, ...options }: CreateOptions) => {
      const { json: _json, ...fields } = options;
      const created = await withAccess(command, (access) =>
        access.call('issues.create', {
          title,
          steps_to_reproduce: steps,
          conversation_id: fromConversation,
          scraping_error_id: fromScrapingError,
          ...fields,
        }),
      );
      await emitChange(created, options, () => print(`Reported issue ${created.id}.`));
    },
  );
}

function setStatus(): Command {
  const command = new Command('set-status')
    .description('change the status of an issue')
    .argument('<issue>', 'the number of the issue', wholeNumber(1))
    .addArgument(new Argument('<status>', 'its new status').choices(issueStatuses))
    .addHelpText('after', '\nExample:\n  backoffice issues set-status 42 "In Progress"');
  return runs(withFormats(command), 'issues.changeStatus').action(
    async (id: number, status: string, format: Format) => {
      const changed = await withAccess(command, async (access) => {
        await findIssue(access, id);
        return await access.call('issues.changeStatus', { id, status });
      });
      await emitChange(changed, format, () => print(`Issue ${id} is ${status}.`));
    },
  );
}

function recount(): Command {
  const command = new Command('recount')
    .description('count every issue anew for the charts')
    .option('--check', 'only prove that the kept counts equal the true ones; exit code 1 where they do not');
  return command.action(async ({ check }: { check?: boolean }) => {
    const { checkIssueCounters, rebuildIssueCounters } = await import(
      '../../../src/db/analytics/issue-counters.ts'
    );
    await withServices(command, async ({ databases: { primary } }) => {
      if (!check) return await rebuildIssueCounters(primary);
      const differences = await checkIssueCounters(primary);
      if (differences.length === 0) return;
      await emitTable(
        Object.keys(differences[0] ?? {}).map((heading) => ({
          heading,
          value: (difference: object) => String((difference as Record<string, unknown>)[heading]),
        })),
        differences,
      );
      throw new FailedError(`${differences.length} counts are wrong: run backoffice issues recount.`);
    });
    print(check ? 'Every count is right.' : 'Counted every issue anew.');
  });
}
