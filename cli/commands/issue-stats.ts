import { Command, Option } from 'commander';
import type { z } from 'zod';
import type { issueStatisticsSchema } from '../../src/contract/issues.ts';
import { runs } from '../access/operations.ts';
import { withAccess } from '../access/with-access.ts';
import { type Bar, renderBars } from '../output/chart.ts';
import { paint, paintSeverity, paintStatus } from '../output/colours.ts';
import { emit, type Format, withFormats } from '../output/emit.ts';
import { counted } from '../output/number.ts';
import { chartWidth, print } from '../terminal.ts';

type Statistics = z.infer<typeof issueStatisticsSchema>;

/** The periods of contract 4.1, and how they are said. `all` is any other value: it restricts nothing. */
const periods: Readonly<Record<string, string>> = {
  hourly: 'the last 24 hours',
  daily: 'the last 30 days',
  weekly: 'the last 12 weeks',
  monthly: 'the last 365 days',
  all: 'all time',
};

/** From the youngest to the oldest. */
const labels = ['Last Hour', 'Last 24h', 'Last 7 Days', 'Older'];

/** `backoffice issues stats`: the charts of the issues, in the terminal. */
export function issueStatsCommand(): Command {
  const command = new Command('stats')
    .description('draw how many issues there are, by age, severity, status and category')
    .addOption(
      new Option('--period <period>', 'what the ages look at').choices(Object.keys(periods)).default('all'),
    )
    .addHelpText('after', '\nExample:\n  backoffice issues stats --period weekly');
  return runs(withFormats(command), 'issues.list').action(
    async ({ period, ...format }: Format & { period: string }) => {
      const statistics = await withAccess(command, (access) => access.call('issues.list', { period }));
      await emit(statistics, format, undefined, () => draw(statistics as Statistics, period));
    },
  );
}

function draw(statistics: Statistics, period: string): void {
  const { severityData, severityTotals, statusCounts, categoryCounts, totalIssues } = statistics;
  const title = paint('bold');
  print(title(counted(totalIssues, 'issue')));
  for (const label of labels) {
    const found = severityData.filter(({ period_label }) => period_label === label);
    if (found.length === 0) continue;
    print(`\n${title(label)} (of ${periods[period]})`);
    print(chart(found.map(({ severity, count }) => severityBar(severity, count))));
  }
  print(`\n${title('By severity')}`);
  print(chart(severityTotals.map(({ severity, count }) => severityBar(severity, count))));
  print(`\n${title('By status')}`);
  print(
    chart(
      statusCounts.map(({ status, count }) => ({
        label: status,
        count,
        paint: (bar) => paintStatus(bar, status),
      })),
    ),
  );
  print(`\n${title('By category')}`);
  print(chart(categoryCounts.map(({ category, count }) => ({ label: category, count }))));
}

function severityBar(severity: string, count: number): Bar {
  return { label: severity, count, paint: (bar) => paintSeverity(bar, severity) };
}

/** The longest bar first. */
function chart(bars: readonly Bar[]): string {
  return renderBars(
    [...bars].sort((one, other) => other.count - one.count),
    chartWidth(),
  );
}
