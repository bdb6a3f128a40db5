import { useQuery } from '@tanstack/react-query';
import { ratedRuns } from '../../../src/contract/figures.ts';
import { formatMoney } from '../parts/money.ts';
import { counted, formatPercent } from '../parts/numbers.ts';
import { Tile } from '../parts/tiles.tsx';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import { type Scraping, scrapingQuery } from '../scraping/scraping-queries.ts';
import { type Usage, usageQuery } from '../usage/usage-queries.ts';
import styles from './overview-page.module.css';

/** What the models cost this month, and how that compares with the budget. */
export function CostTile() {
  const { data, isError } = useQuery(usageQuery());
  const usage = data?.usage;
  return (
    <Tile
      name="Cost this month"
      figure={usage ? formatMoney(usage.cost, usage.currency) : unknown(isError)}
      link={{ to: '/usage' }}
    >
      {usage ? budgetOf(usage) : twoLines}
    </Tile>
  );
}

function budgetOf({ budget, currency }: Usage) {
  if (budget === null) return <span>no budget</span>;
  const isOver = Number(budget.projectedCost) > Number(budget.limit);
  return (
    <>
      <span>
        {formatPercent(budget.usedRatio)} of {formatMoney(budget.limit, currency)}
      </span>
      {budget.projectedCost !== null && (
        <span className={isOver ? styles.over : undefined}>
          {formatMoney(budget.projectedCost, currency)} projected
        </span>
      )}
    </>
  );
}

/** How well the scraping goes this month. */
export function ScrapingTile() {
  const { data, isError } = useQuery(scrapingQuery());
  const scraping = data?.scraping;
  return (
    <Tile
      name="Scraping this month"
      figure={scraping ? successOf(scraping.successRate) : unknown(isError)}
      link={{ to: '/scraping' }}
    >
      {scraping ? <Runs scraping={scraping} /> : twoLines}
    </Tile>
  );
}

function Runs({ scraping }: { readonly scraping: Scraping }) {
  const { successRate, lastRunAt } = scraping;
  return (
    <>
      <span>
        {successRate === null ? 'no results yet' : `of ${counted(ratedRuns(scraping), 'run')} succeeded`}
      </span>
      <span>
        {lastRunAt ? (
          <>
            last <RelativeTime at={lastRunAt} />
          </>
        ) : (
          'none this month'
        )}
      </span>
    </>
  );
}

/** Keeps the height of a tile while it is loaded. */
const twoLines = (
  <>
    <span>{'\u00A0'}</span>
    <span>{'\u00A0'}</span>
  </>
);

function successOf(rate: number | null): string {
  return rate === null ? '–' : formatPercent(rate);
}

/** Returns what stands for a figure that could not be loaded; undefined while it is loaded. */
function unknown(isError: boolean): string | undefined {
  return isError ? '?' : undefined;
}
