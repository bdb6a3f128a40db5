import { counted, grouped } from '../../output/number.ts';
import type { App } from '../app.ts';
import { sparkline } from '../components/bars.ts';
import { theme } from '../theme.ts';

/** How many issues were reported on each of the last days, UTC, the oldest first; `from` is the first day that is whole. */
export interface Trend {
  readonly days: readonly number[];
  /** There are more issues than are counted: the older days are left out. */
  readonly isShort: boolean;
}

export const trendDays = 30;
const dayMilliseconds = 86_400_000;
const pageRows = 1_000;
/** What a look at a chart may cost the service. */
const mostPages = 20;

/** Counts the issues of the last days. The aggregate of the service has no days, so their rows are read. */
export async function loadTrend(app: App, isWanted: () => boolean): Promise<Trend | null> {
  const today = Math.floor(app.now() / dayMilliseconds);
  const first = today - trendDays + 1;
  const since = new Date(first * dayMilliseconds).toISOString();
  const days = Array<number>(trendDays).fill(0);
  let cursor: string | null = null;
  for (let page = 0; page < mostPages && isWanted(); page += 1) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(app, since, cursor);
    for (const { created_at } of answer.issues) {
      const day = Math.floor(Date.parse(created_at) / dayMilliseconds) - first;
      if (days[day] !== undefined) days[day] += 1;
    }
    cursor = answer.nextCursor ?? null;
    if (cursor === null) return { days, isShort: false };
    const reached =
      Math.floor(Date.parse(answer.issues.at(-1)?.created_at ?? since) / dayMilliseconds) - first;
    // The day that the last page ends in is not whole.
    if (page === mostPages - 1) return { days: days.slice(reached + 1), isShort: true };
  }
  return null;
}

async function readPage(app: App, since: string, cursor: string | null) {
  const page = await app.call('issues.list', {
    since,
    limit: pageRows,
    ...(cursor === null ? {} : { cursor }),
  });
  if (!('issues' in page)) throw new Error('The list of issues was asked for.');
  return page;
}

/** A column for each day, two rows high, and what the days add up to. */
export function trendLines(trend: Trend | null, cells: number): string[] {
  const title = `  ${theme.title('New issues by day')}  `;
  if (trend === null) return [title + theme.quiet('counting…')];
  const { days, isShort } = trend;
  const sum = days.reduce((all, each) => all + each, 0);
  const wide = Math.max(1, Math.min(3, Math.floor((cells - 8) / Math.max(1, days.length))));
  const drawn = [...sparkline(days)].map((column) => column.repeat(wide)).join('');
  const most = Math.max(0, ...days);
  const note = isShort ? ', as far back as was counted' : '';
  return [
    title + theme.quiet(`${counted(sum, 'issue')} in ${counted(days.length, 'day')}${note}`),
    `    ${theme.accent(drawn)}`,
    theme.quiet(`    ${`${days.length} days ago`.padEnd(Math.max(0, days.length * wide - 5))}today`),
    theme.quiet(`    at most ${grouped(most)} a day, ${grouped(days.at(-1) ?? 0)} today`),
  ];
}
