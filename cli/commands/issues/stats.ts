import { Command, Option } from 'commander';
import type { z } from 'zod';
import { issueAgesOf } from '../../../src/contract/issue-ages.ts';
import type { issueStatisticsSchema } from '../../../src/contract/schemas/issues.ts';
import { type IssuePeriod, issuePeriods } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { type ChartBar, renderBars } from '../../output/chart.ts';
import { paint, paintSeverity, paintStatus } from '../../output/colours.ts';
import { emitWithTable, type Format, withFormats, withTableAsCsv } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { withWebPage } from '../../shown/present.ts';
import { chartWidth, print } from '../../terminal.ts';

type Statistics = z.infer<typeof issueStatisticsSchema>;

const periodsInWords = Object.entries(issuePeriods)
  .map(([period, words]) => `${period} (${words})`)
  .join(', ');

const statisticsFields = async () => {
  const { issueStatisticsSchema } = await import('../../../src/contract/schemas/issues.ts');
  return Object.keys(issueStatisticsSchema.shape);
};

/** `backoffice issues stats`: charts of the issues. */
export function issueStatsCommand(): Command {
  const command = new Command('stats')
    .description('draw charts of the issues by age, severity, status and category')
    .addOption(
      new Option('--period <period>', `count by age only issues of this period: ${periodsInWords}`)
        .choices(Object.keys(issuePeriods))
        .default('all'),
    )
    .addHelpText('after', '\nExample:\n  backoffice issues stats --period weekly');
  withWebPage(withTableAsCsv(withFormats(command, statisticsFields), 'a row for each bar of the charts'), {
    page: 'charts',
    takes: ['period'],
  });
  return runs(command, 'issues.list').action(
    async ({ period, ...format }: Format & { period: IssuePeriod }) => {
      const statistics = await withAccess(command, (access) => access.call('issues.list', { period }));
      await emitWithTable(statistics, format, barTable(statistics as Statistics), () =>
        drawCharts(statistics as Statistics, period),
      );
    },
  );
}

/** Returns the bars of all charts as a table. Those by age have an age besides their severity. */
function barTable({ severityData, severityTotals, statusCounts, categoryCounts }: Statistics) {
  const bar = (chart: string, name: string, count: number, age: string | null = null) => ({
    chart,
    age,
    name,
    count,
  });
  return {
    rows: [
      ...severityData.map(({ period_label, severity, count }) => bar('age', severity, count, period_label)),
      ...severityTotals.map(({ severity, count }) => bar('severity', severity, count)),
      ...statusCounts.map(({ status, count }) => bar('status', status, count)),
      ...categoryCounts.map(({ category, count }) => bar('category', category, count)),
    ],
    id: 'name',
    fields: () => ['chart', 'age', 'name', 'count'],
  };
}

function drawCharts(statistics: Statistics, period: IssuePeriod): void {
  const { severityData, severityTotals, statusCounts, categoryCounts, totalIssues } = statistics;
  const title = paint('bold');
  print(title(counted(totalIssues, 'issue')));
  print(`\n${title('By age')} (${issuePeriods[period]})`);
  if (severityData.length === 0) print('No issues.');
  for (const { label, title: age } of issueAgesOf(period)) {
    const found = severityData.filter(({ period_label }) => period_label === label);
    if (found.length === 0) continue;
    print(`${age}:`);
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

function severityBar(severity: string, count: number): ChartBar {
  return { label: severity, count, paint: (bar) => paintSeverity(bar, severity) };
}

/** Renders the longest bar first. */
function chart(bars: readonly ChartBar[]): string {
  return renderBars(
    [...bars].sort((one, other) => other.count - one.count),
    chartWidth(),
  );
}
