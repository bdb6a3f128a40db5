import { Progress } from '@mantine/core';
import { Mark } from '../parts/mark.tsx';
import { monthNow } from '../parts/months.tsx';
import sheet from '../parts/sheet.module.css';
import { Tile, Tiles } from '../parts/tiles.tsx';
import { counted, formatCount, formatMoney, formatPercent, formatShare } from '../parts/words.ts';
import { urgentAlerts } from './usage-alerts.tsx';
import { budgetLevel, type Usage, useUsage } from './usage-queries.ts';
import { SettingLink } from './usage-tables.tsx';

/** The sums of a month. */
export function UsageTiles() {
  const usage = useUsage().data?.usage;
  return (
    <Tiles>
      <Tile name="Cost" figure={usage && costOf(usage)}>
        {usage && costNote(usage)}
      </Tile>
      <BudgetTile />
      <Tile name="Tokens" figure={usage && formatCount(usage.totalTokens)}>
        {usage &&
          `${formatCount(usage.inputTokens)} in, ${formatCount(usage.cachedInputTokens)} of them cached; ${formatCount(usage.outputTokens)} out`}
      </Tile>
      <Tile name="Requests" figure={usage && formatCount(usage.requests)}>
        {usage &&
          usage.requests > 0 &&
          `${formatCount(Math.round(usage.totalTokens / usage.requests))} tokens each on average`}
      </Tile>
      <Tile name="Failed" figure={usage && formatCount(usage.failedRequests)}>
        {usage &&
          usage.requests > 0 &&
          `${formatShare(usage.failedRequests / usage.requests)} of the requests`}
      </Tile>
    </Tiles>
  );
}

function costOf({ cost, currency, unpricedTokens }: Usage): string {
  return Number(cost) === 0 && unpricedTokens > 0 ? 'Unknown' : formatMoney(cost, currency);
}

function costNote({ unpricedTokens, month, timezone }: Usage): string {
  if (unpricedTokens > 0) return `Without ${formatCount(unpricedTokens)} tokens that have no price`;
  return month === monthNow(timezone) ? 'So far this month' : 'In the whole month';
}

/** How much of the budget is used, and what the month will cost if it goes on like this. */
function BudgetTile() {
  const { data } = useUsage();
  if (data === undefined) return <Tile isWide name="Budget used" figure={undefined} />;
  const { usage, alerts } = data;
  const { budget, currency } = usage;
  const urgent = urgentAlerts(alerts).length;
  const alertLink = urgent > 0 && <a href="#alerts">{counted(urgent, 'alert')}</a>;
  if (budget === null) {
    return (
      <Tile isWide name="Budget used" figure="No budget">
        <SettingLink of="budgets">Set a budget</SettingLink>
        {alertLink}
      </Tile>
    );
  }
  const { limit, usedRatio, projectedCost } = budget;
  const isOver = Number(projectedCost ?? usage.cost) > Number(limit);
  const level = budgetLevel(usage);
  const colour = level === 'Critical' ? 'red' : level === 'Warning' ? 'orange' : 'blue';
  return (
    <Tile
      isWide
      name="Budget used"
      figure={
        <span className={sheet.row}>
          {formatPercent(usedRatio)} of {formatMoney(limit, currency)}
          {level && (
            <small className={sheet.quiet}>
              <Mark word={level} />
            </small>
          )}
        </span>
      }
    >
      <Progress value={Math.min(100, usedRatio * 100)} color={colour} aria-label="Budget used" />
      {projectedCost !== null && (
        <span className={isOver ? sheet.warning : undefined}>
          Projected for the whole month at the current rate: {formatMoney(projectedCost, currency)}
          {isOver && ', over the budget'}
        </span>
      )}
      {alertLink}
    </Tile>
  );
}
