import type { OutputOf } from '../../src/contract/registry.ts';
import { type Column, timeColumn } from './columns.ts';
import { grouped, inSeconds, percent } from './text.ts';
import { age, ago } from './time.ts';
import { severityTone, statusTone } from './tones.ts';

type Shown = OutputOf<'settings.show'>;
export type ModelUsage = NonNullable<Shown['tokenUsage']>['byModel'][number];
export type Alert = NonNullable<Shown['tokenAlerts']>[number];
type Source = NonNullable<Shown['scraping']>['bySource'][number];
export type ScrapingError = NonNullable<Shown['scrapingErrors']>[number];

/** The usage of each model in a month. */
export const modelColumns: readonly Column<ModelUsage>[] = [
  { heading: 'model', value: ({ model }) => model, cut: true },
  { heading: 'provider', value: ({ provider }) => provider, cut: true, dropAs: 1 },
  { heading: 'requests', value: ({ requests }) => grouped(requests), align: 'right' },
  { heading: 'tokens', value: ({ totalTokens }) => grouped(totalTokens), align: 'right' },
  { heading: 'cost', value: ({ cost }) => cost ?? 'no price', align: 'right' },
];

export const alertColumns: readonly Column<Alert>[] = [
  { heading: 'status', value: ({ status }) => status, tone: ({ status }) => statusTone(status) },
  { heading: 'severity', value: ({ severity }) => severity, tone: ({ severity }) => severityTone(severity) },
  { heading: 'message', value: ({ message }) => message, cut: true },
  { heading: 'cost', field: 'current', value: ({ current }) => current, align: 'right', dropAs: 1 },
  timeColumn('raised', 'triggeredAt', { dropAs: 2 }),
];

/** Formats a figure; an empty text if there is none. */
const orEmpty = (figure: number | null, format: (figure: number) => string) =>
  figure === null ? '' : format(figure);

/** The runs of each source in a month. */
export const sourceColumns: readonly Column<Source>[] = [
  { heading: 'source', value: ({ source }) => source, cut: true },
  { heading: 'runs', value: ({ runs }) => grouped(runs), align: 'right', width: 7 },
  {
    heading: 'success',
    align: 'right',
    width: 7,
    value: ({ successRate }) => orEmpty(successRate, percent),
  },
  {
    heading: 'items',
    align: 'right',
    width: 9,
    dropAs: 1,
    value: ({ itemsScraped }) => grouped(itemsScraped),
  },
  {
    heading: 'average',
    align: 'right',
    width: 8,
    dropAs: 2,
    value: ({ avgDurationMs }) => orEmpty(avgDurationMs, inSeconds),
  },
  {
    heading: 'last run',
    width: 8,
    value: ({ lastRunAt }) => ago(lastRunAt),
    short: ({ lastRunAt }) => age(lastRunAt),
  },
];

/** Returns the code of an error with its HTTP status: `HTTP_ERROR 503`. */
export const codeOf = ({ code, httpStatus }: Pick<ScrapingError, 'code' | 'httpStatus'>): string =>
  `${code}${httpStatus === null ? '' : ` ${httpStatus}`}`;

export const errorColumns: readonly Column<ScrapingError>[] = [
  timeColumn('when', 'occurredAt', { width: 4 }),
  { heading: 'source', value: ({ source }) => source, cut: true, width: 18, dropAs: 1 },
  { heading: 'code', value: codeOf, width: 15 },
  { heading: 'message', value: ({ message }) => message, cut: true },
  { heading: 'url', value: ({ url }) => url, cut: true, dropAs: 2 },
];
