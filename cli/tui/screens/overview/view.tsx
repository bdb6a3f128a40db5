import { describeEvent } from '../../../../src/contract/activity.ts';
import { cut, fit, pad } from '../../../terminal/cells.ts';
import { counted } from '../../../terminal/number.ts';
import { printable } from '../../../terminal/text.ts';
import { Lines } from '../../components/lines.tsx';
import { connectHint } from '../../keys/key-hints.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { age } from '../../text/age.ts';
import { theme } from '../../theme.ts';
import { trendLines } from '../charts/trend-lines.ts';
import type { OverviewData } from './load.ts';
import type { Target } from './targets.ts';
import { type Tile, tilesOf } from './tiles.ts';

export interface OverviewState {
  readonly data: OverviewData | null;
  readonly error: string;
  /** What the cursor is on: a tile, or after the tiles an entry of the activity. */
  readonly index: number;
}

/** What the cursor can be on, in rows. The keys move between the rows and within them. */
export interface OverviewItems {
  readonly tiles: readonly Tile[];
  readonly activity: readonly { readonly line: string; readonly time: string; readonly target: Target }[];
  readonly tilesPerRow: number;
}

const minTileCells = 18;
/** More in a row are hard to tell apart. */
const maxTilesPerRow = 8;
const tileRows = 4;
/** From this width on, the trend stands beside the activity. */
const wideColumns = 110;
const trendRows = 3;
/** The trend is left out where less of the activity would be visible. */
const minActivityRows = 5;

export function itemsOf(data: OverviewData, width: number, now: number): OverviewItems {
  const tiles = tilesOf(data);
  const fitting = Math.max(1, Math.min(maxTilesPerRow, Math.floor((width - 2) / minTileCells)));
  const activity = (data.activity ?? []).flatMap((event) => {
    const found = describeEvent(event, counted);
    if (found === undefined) return [];
    const { kind, id } = found.subject;
    const screen = kind === 'usage' ? 'usage' : kind === 'issue' ? 'issues' : 'conversations';
    const detail = found.detail ? `: ${found.detail}` : '';
    return [
      {
        line: printable(`${event.actor} ${found.text}${detail}`),
        time: age(event.created_at, now),
        target: { screen, ...(id === undefined ? {} : { filter: id }) } as Target,
      },
    ];
  });
  // Four severities stand above the rest where all do not fit into a row.
  return { tiles, activity, tilesPerRow: fitting >= tiles.length ? tiles.length : Math.min(4, fitting) };
}

/** Shows the figures, how it goes and what happened. */
export function overviewView(
  app: App,
  store: Store<OverviewState>,
  onDrawn: (items: OverviewItems) => void,
): Screen['View'] {
  return ({ width, height }: Size) => {
    const { data, error, index } = useStore(store);
    const { now } = useStore(app.store);
    if (data === null) {
      const text =
        error === '' ? theme.quiet('Loading…') : theme.bad(`✗ ${cut(printable(error), width - 8)}`);
      return <Lines lines={['', `    ${text}`]} height={height} />;
    }
    const items = itemsOf(data, width, now);
    onDrawn(items);
    const tiles = tileLines(items, index, width);
    const room = height - tiles.length;
    const isWide = width >= wideColumns;
    const cells = isWide ? Math.floor(width / 2) - 1 : width;
    const trend =
      data.trend === null ? [] : trendLines(data.trend, cells, isWide ? Math.min(12, room - 4) : trendRows);
    const shownTrend =
      isWide || room >= trend.length + 1 + Math.min(items.activity.length + 1, minActivityRows) ? trend : [];
    const below = isWide ? room : room - shownTrend.length - (shownTrend.length === 0 ? 0 : 1);
    const activity = activityLines(items, index, isWide ? width - cells - 2 : width, below);
    const lower = isWide
      ? Array.from(
          { length: Math.max(trend.length, activity.length) },
          (_, at) => `${pad(trend[at] ?? '', cells + 2)}${activity[at] ?? ''}`,
        )
      : [...shownTrend, ...(shownTrend.length === 0 ? [] : ['']), ...activity];
    return <Lines lines={[...tiles, ...lower].slice(0, height)} height={height} />;
  };
}

/** Returns the tiles in rows, each with its name, its figure and a note. */
function tileLines({ tiles, tilesPerRow }: OverviewItems, index: number, width: number): string[] {
  const cells = Math.min(28, Math.floor((width - 2) / tilesPerRow));
  const rows = Array.from({ length: Math.ceil(tiles.length / tilesPerRow) }, (_, row) =>
    tiles.slice(row * tilesPerRow, (row + 1) * tilesPerRow),
  );
  return rows.flatMap((row, at) => {
    const line = (draw: (tile: Tile, isCurrent: boolean) => string) =>
      `  ${row.map((tile, column) => draw(tile, at * tilesPerRow + column === index)).join('')}`;
    const text = (part: string) => fit(part, cells - 3);
    return [
      line(({ name }, isCurrent) => {
        const shown = ` ${text(name)}`;
        return `${isCurrent ? `❯${theme.selected(shown)}` : ` ${theme.quiet(shown)}`} `;
      }),
      line(({ figure, paint }) => `  ${theme.strong((paint ?? ((same) => same))(text(figure)))} `),
      line(({ note }) => `  ${theme.quiet(text(note))} `),
      '',
    ].slice(0, tileRows);
  });
}

function activityLines(
  { tiles, activity }: OverviewItems,
  index: number,
  width: number,
  height: number,
): string[] {
  const title = `  ${theme.title('Latest activity')}`;
  if (activity.length === 0)
    return [title, ...['Nothing has happened yet.', connectHint].map((line) => `    ${theme.quiet(line)}`)];
  const room = Math.max(1, height - 1);
  const current = index - tiles.length;
  const top = Math.max(0, Math.min(current - room + 1, activity.length - room));
  const lines = activity.slice(top, top + room).map(({ line, time }, offset) => {
    const isCurrent = top + offset === current;
    const shown = fit(line, Math.max(8, width - 11));
    return isCurrent
      ? `  ${theme.selected(`❯ ${shown} ${time.padStart(4)} `)}`
      : `    ${shown} ${theme.quiet(time.padStart(4))}`;
  });
  return [title, ...lines];
}
