import { Command } from 'commander';
import { defaultTrendDays, maxTrendDays } from '../../../src/contract/operations/issues.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { renderBars } from '../../output/chart.ts';
import { paint } from '../../output/colours.ts';
import { emit, type Format, listIn } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { withLines } from '../../shown/with-table.ts';
import { chartWidth, print } from '../../terminal.ts';

const list = listIn('issues.trend', 'days', 'date');

/** `backoffice issues trend`: the number of issues reported each day. */
export function issueTrendCommand(): Command {
  const command = new Command('trend')
    .description('draw a chart of the issues reported on each of the last days')
    .option(
      '--days <number>',
      'the number of days, up to today',
      wholeNumber(1, maxTrendDays),
      defaultTrendDays,
    )
    .addHelpText('after', '\nExample:\n  backoffice issues trend --days 7');
  return runs(withLines(command, list, { page: 'charts' }), 'issues.trend').action(
    async ({ days, ...format }: Format & { days: number }) => {
      const trend = await withAccess(command, (access) => access.call('issues.trend', { days }));
      await emit(trend, format, list, () => drawTrend(trend));
    },
  );
}

function drawTrend({ timezone, days }: OutputOf<'issues.trend'>): void {
  const sum = days.reduce((all, { count }) => all + count, 0);
  print(paint('bold')(`${counted(sum, 'issue')} in ${counted(days.length, 'day')} (${timezone})`));
  print(
    renderBars(
      days.map(({ date, count }) => ({ label: date, count })),
      chartWidth(),
    ),
  );
}
