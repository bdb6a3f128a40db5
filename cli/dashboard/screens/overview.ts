import { describeEvent } from '../../../src/contract/activity.ts';
import type { ActivityEvent } from '../../../src/contract/activity-types.ts';
import { cut, fit } from '../../terminal/cells.ts';
import { counted, printable } from '../../terminal/text.ts';
import { age } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import { action, type Screen, type Size } from '../app/types.ts';
import { heading, sideBySide, trendFrameRows, trendLines } from '../draw/charts.ts';
import { connectHint } from '../draw/describe.ts';
import { scrolledTo, visible } from '../draw/scroll.ts';
import { style, toned } from '../draw/style.ts';
import { loading } from '../list/lines-screen.ts';
import { moves } from '../list/moves.ts';
import { type Figures, loadFigures, type Target, type Tile, tilesOf } from './overview-figures.ts';

interface Entry {
  readonly line: string;
  readonly time: string;
  readonly target: Target;
}

/** What the cursor can be on: tiles, which stand side by side, and below them the latest activity. */
interface Items {
  readonly tiles: readonly Tile[];
  readonly tilesPerRow: number;
  readonly activity: readonly Entry[];
}

const minTileCells = 18;
const maxTileCells = 28;
/** More in a row are hard to tell apart. */
const maxTilesPerRow = 8;
/** With this width, the trend stands beside the activity. */
const wideCells = 110;
const minTrendRows = 3;
const maxTrendRows = 12;
const minActivityRows = 5;
const affecting =
  /^(?:issues?|conversations?|message|comment|settings?|scraping_run|token_usage|token_alert)\./;

export function overviewScreen(app: App): Screen {
  const figures = loading(app, () => loadFigures(app));
  let items: Items = { tiles: [], tilesPerRow: 1, activity: [] };
  let index = 0;
  let top = 0;
  const length = () => items.tiles.length + items.activity.length;
  const moveTo = (to: number) => (index = Math.max(0, Math.min(to, length() - 1)));
  /** Moves by rows: of tiles, or of the activity. */
  const move = (by: number) => {
    const { tiles, tilesPerRow } = items;
    const tileRows = Math.ceil(tiles.length / tilesPerRow);
    const isOnTile = index < tiles.length;
    const row = isOnTile ? Math.floor(index / tilesPerRow) : tileRows + index - tiles.length;
    const next = Math.max(0, row + by);
    if (next >= tileRows) return moveTo(tiles.length + next - tileRows);
    const column = isOnTile ? index % tilesPerRow : tilesPerRow - 1;
    return moveTo(Math.min(next * tilesPerRow + column, tiles.length - 1));
  };
  const open = () => {
    const target = [...items.tiles, ...items.activity][index]?.target;
    if (target === undefined) return;
    const { screen, key, filter } = target;
    if (key === undefined) app.visitAll(screen, filter);
    else app.visit(screen, key);
  };
  const draw = (found: Figures, { width, height }: Size): readonly string[] => {
    items = itemsOf(found, width);
    moveTo(index);
    const tiles = tileLines(items, index, width);
    const isWide = width >= wideCells;
    const cells = isWide ? Math.floor(width / 2) - 1 : width;
    const left = height - tiles.length;
    const trend = trendPart(
      found,
      cells,
      isWide ? Math.min(maxTrendRows, left - trendFrameRows) : minTrendRows,
    );
    // Below the trend, less of the activity may be visible than is useful.
    const hasTrend = isWide || left >= trend.length + Math.min(items.activity.length + 1, minActivityRows);
    const above = hasTrend ? trend : [];
    const room = Math.max(minActivityRows, isWide ? left : left - above.length) - 1;
    const current = index - items.tiles.length;
    top = scrolledTo(current, top, room, items.activity.length);
    const activityCells = isWide ? width - cells - 2 : width;
    const activity = [
      heading('Latest activity'),
      ...(items.activity.length === 0 ? noActivity(found, activityCells) : []),
      ...entryLines(visible(items.activity, top, room), current - top, activityCells),
    ];
    const lower = isWide ? sideBySide(above, activity, cells) : [...above, ...activity];
    // On a low terminal, the tiles scroll away for the activity.
    return visible([...tiles, ...lower], current < 0 ? 0 : height, height);
  };
  return {
    id: 'overview',
    title: 'Overview',
    inDialogs: [],
    refresh: figures.refresh,
    actions: () => [
      action('overview.open', 'enter', { title: 'Go to what it counts', hint: 'go there' }, open),
      action('overview.left', ['h', 'left'], { title: 'Move left' }, () => moveTo(index - 1)),
      action('overview.right', ['l', 'right'], { title: 'Move right' }, () => moveTo(index + 1)),
      ...moves({ move, moveTo, page: () => minActivityRows }),
    ],
    draw: (size) => figures.draw(size, draw),
    position: () => '',
    back: () => false,
    onEvents(events) {
      if (events.some(({ type }) => affecting.test(type))) app.refresh();
    },
    unfinished: () => [],
  };
}

function itemsOf(figures: Figures, width: number): Items {
  const tiles = tilesOf(figures);
  const fitting = Math.min(maxTilesPerRow, Math.floor((width - 2) / minTileCells));
  return {
    tiles,
    // Four severities stand above the rest where all do not fit into a row.
    tilesPerRow: fitting >= tiles.length ? tiles.length : Math.max(1, Math.min(4, fitting)),
    activity: (figures.activity ?? []).flatMap(entryOf),
  };
}

const screens = { issue: 'issues', conversation: 'conversations', usage: 'usage' };

function entryOf(event: ActivityEvent): readonly Entry[] {
  const found = describeEvent(event, counted);
  if (found === undefined) return [];
  const { text, detail, subject } = found;
  return [
    {
      line: printable(`${event.actor} ${text}${detail ? `: ${detail}` : ''}`),
      time: age(event.created_at),
      target: { screen: screens[subject.kind], key: subject.id },
    },
  ];
}

/** Draws the trend of reported issues if a row is free for it. */
const trendPart = ({ trend }: Figures, cells: number, rows: number): readonly string[] =>
  trend === null || rows < 1 ? [] : [...trendLines(trend, cells, rows), ''];

/** Draws the tiles in rows, each with its name, its figure and a note. */
function tileLines({ tiles, tilesPerRow }: Items, index: number, width: number): readonly string[] {
  const cells = Math.min(maxTileCells, Math.floor((width - 2) / tilesPerRow));
  const text = (part: string) => fit(part, cells - 3);
  const line = (row: readonly Tile[], drawn: (tile: Tile) => string) => `  ${row.map(drawn).join('')}`;
  const rows = Array.from({ length: Math.ceil(tiles.length / tilesPerRow) }, (_, row) =>
    tiles.slice(row * tilesPerRow, (row + 1) * tilesPerRow),
  );
  return rows.flatMap((row) => [
    line(row, (tile) => {
      const name = ` ${text(tile.name)}`;
      return tile === tiles[index] ? `❯${style.selected(name)} ` : ` ${style.quiet(name)} `;
    }),
    line(row, ({ figure, tone }) => `  ${style.strong(toned(tone)(text(figure)))} `),
    line(row, ({ note }) => `  ${style.quiet(text(note))} `),
    '',
  ]);
}

function entryLines(entries: readonly Entry[], current: number, width: number): readonly string[] {
  return entries.map(({ line, time }, at) => {
    const shown = fit(line, Math.max(8, width - 11));
    return at === current
      ? `  ${style.selected(`❯ ${shown} ${time.padStart(4)} `)}`
      : `    ${shown} ${style.quiet(time.padStart(4))}`;
  });
}

/** Says why there is no activity. */
function noActivity({ activity }: Figures, width: number): readonly string[] {
  const sentences =
    activity === null ? ['It could not be loaded.'] : ['Nothing has happened yet.', connectHint];
  return sentences.map((sentence) => style.quiet(`    ${cut(sentence, width - 4)}`));
}
