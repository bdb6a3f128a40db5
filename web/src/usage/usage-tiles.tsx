import { Progress } from '@mantine/core';
import { formatMoney } from '../parts/money.ts';
import { formatCount, formatPercent, formatShare } from '../parts/numbers.ts';
import { Tile, Tiles } from '../parts/tiles.tsx';
import { EditLink } from './edit-link.tsx';
import styles from './usage-page.module.css';
import type { Usage } from './usage-queries.ts';

interface UsageTilesProps {
  /** Undefined while it is loaded. */
  readonly usage: Usage | undefined;
  /** Whether the month goes on, so that its cost is not final. */
  readonly isCurrent: boolean;
}

/** The sums of a month. */
export function UsageTiles({ usage, isCurrent }: UsageTilesProps) {
  return (
    <Tiles>
      <Tile name="Cost" figure={usage && formatMoney(usage.cost, usage.currency)}>
        {usage && <CostNote usage={usage} isCurrent={isCurrent} />}
      </Tile>
      <Budget usage={usage} />
      <Tile name="Tokens" figure={usage && formatCount(usage.totalTokens)}>
        {usage &&
          `${formatCount(usage.inputTokens)} in, ${formatCount(usage.cachedInputTokens)} of them cached; ${formatCount(usage.outputTokens)} out`}
      </Tile>
      <Tile name="Requests" figure={usage && formatCount(usage.requests)}>
        {usage && usage.requests > 0 && `${formatCount(perRequest(usage))} tokens each on average`}
      </Tile>
      <Tile name="Failed" figure={usage && formatCount(usage.failedRequests)}>
        {usage &&
          usage.requests > 0 &&
          `${formatShare(usage.failedRequests / usage.requests)} of the requests`}
      </Tile>
    </Tiles>
  );
}

const perRequest = ({ totalTokens, requests }: Usage) => Math.round(totalTokens / requests);

interface NoteProps {
  readonly usage: Usage;
  readonly isCurrent: boolean;
}

function CostNote({ usage: { unpricedTokens }, isCurrent }: NoteProps) {
  if (unpricedTokens > 0) return `Without ${formatCount(unpricedTokens)} tokens that have no price`;
  return isCurrent ? 'So far this month' : 'In the whole month';
}

/** How much of the budget is used, and what the month will cost if it goes on like this. */
function Budget({ usage }: Pick<UsageTilesProps, 'usage'>) {
  if (usage === undefined) return <Tile isWide name="Budget used" figure={undefined} />;
  const { budget, currency } = usage;
  if (budget === null) {
    return (
      <Tile isWide name="Budget used" figure="No budget">
        <EditLink edit="budgets">Set a budget</EditLink>
      </Tile>
    );
  }
  const { limit, usedRatio, projectedCost } = budget;
  const isOver = Number(projectedCost ?? usage.cost) > Number(limit);
  return (
    <Tile isWide name="Budget used" figure={`${formatPercent(usedRatio)} of ${formatMoney(limit, currency)}`}>
      <Progress
        value={Math.min(100, usedRatio * 100)}
        color={colourOf(usedRatio, isOver)}
        aria-label="Budget used"
      />
      {projectedCost !== null && (
        <>
          <span className={isOver ? styles.over : undefined}>
            Projected for the whole month: {formatMoney(projectedCost, currency)}
            {isOver && ', over the budget'}
          </span>
          <span>The projection is the cost so far, divided by the part of the month that has passed.</span>
        </>
      )}
    </Tile>
  );
}

function colourOf(usedRatio: number, isOver: boolean): string {
  if (usedRatio >= 1) return 'red';
  return isOver ? 'orange' : 'blue';
}
