import { apart, cellsOf, cut, wrap } from '../../terminal/cells.ts';
import type { Column } from '../../terminal/columns.ts';
import { grouped, printable } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import {
  type Action,
  type ActionAbout,
  action,
  type Calls,
  type Found,
  type Part,
  type Screen,
} from '../app/types.ts';
import { scrolledTo } from '../draw/scroll.ts';
import { style } from '../draw/style.ts';
import { tableLines } from '../draw/table.ts';
import { moves } from './moves.ts';
import type { Rows } from './rows.ts';

export interface ListAbout<Row> {
  readonly id: string;
  readonly title: string;
  /** What it needs to read. */
  readonly calls?: Calls;
  readonly columns: () => readonly Column<Row>[];
  /** The sign before a selected row. */
  readonly isSelected?: (row: Row) => boolean;
  /** Nobody has to work on it. */
  readonly isDone?: (row: Row) => boolean;
  /** What an empty list says. */
  readonly empty?: () => string;
  readonly find?: (text: string) => Promise<readonly Found[]>;
  /** Shows the row that another screen names. */
  readonly reveal?: (key: string | number) => unknown;
}

/** With this width, a panel stands beside the list. */
export const wideCells = 150;
const panelShare = 0.45;
const panelShareBelow = 0.55;

/** A list and its parts, in the order in which Esc asks them. */
export function listScreen<Row>(about: ListAbout<Row>, rows: Rows<Row>, parts: readonly Part[]): Screen {
  let top = 0;
  let room = 10;
  const moving = moves({
    move: rows.move,
    moveTo: rows.moveTo,
    page: () => room,
  });

  const table = (width: number, height: number) => {
    room = Math.max(1, height - 1);
    const all = rows.all();
    top = scrolledTo(rows.index(), top, room, all.length);
    if (all.length === 0) return ['', ...emptyLines(width)];
    const above = rows.newAbove(top);
    rows.saw(top, top + room);
    const drawn = all.slice(top, top + room).map((row, at) => {
      const isCurrent = top + at === rows.index();
      const signs = `${isCurrent ? '❯' : ' '}${about.isSelected?.(row) ? '✓' : ' '}${rows.mark(row) === undefined ? ' ' : '•'}`;
      return { row, isCurrent, signs, isDone: about.isDone?.(row) ?? false };
    });
    return tableLines(about.columns(), drawn, width, {
      sorted: rows.asked().sort,
      note: above === 0 ? '' : `↑ ${grouped(above)} new`,
    });
  };
  const emptyLines = (width: number) => {
    const { problem } = rows.asked();
    const failure = rows.error() === '' ? undefined : `✗ ${rows.error()}`;
    const nothing = about.empty?.() ?? 'Nothing here.';
    const sentence = rows.isLoading() ? 'Loading…' : (problem ?? failure ?? nothing);
    return wrap(sentence, width - 8).map((line) => `    ${style.quiet(line)}`);
  };
  const head = (width: number) => {
    let left = '';
    const add = (text: string | undefined) => (left += text === undefined ? '' : `  ${text}`);
    const room = () => width - cellsOf(left) - 3;
    for (const part of parts) add(part.head?.(room()));
    // Rows that could not be refreshed stay, and one must know.
    if (rows.error() !== '' && rows.all().length > 0)
      add(style.bad(cut(`✗ ${printable(rows.error())}`, room())));
    const right = parts.flatMap((part) => part.figures?.() ?? []).join('  ');
    return left + right === '' ? [] : [apart(left, `${right} `, width)];
  };

  return {
    id: about.id,
    title: about.title,
    ...(about.calls === undefined ? {} : { calls: about.calls }),
    actions: () => [
      ...parts.flatMap(({ actions = [] }) => (typeof actions === 'function' ? actions() : actions)),
      ...moving,
    ],
    inDialogs: parts.flatMap(({ inDialogs = [] }) => inDialogs),
    draw({ width, height }) {
      const above = head(width);
      const left = height - above.length;
      const isWide = width >= wideCells;
      for (const part of parts) {
        const covers = part.coversList === true && !isWide;
        const size = isWide
          ? { width: Math.floor(width * panelShare) - 2, height: left }
          : { width, height: covers ? left : Math.floor(left * panelShareBelow) };
        const panel = part.panel?.(size);
        if (panel === undefined) continue;
        if (isWide)
          return [...above, ...beside(table(width - size.width - 2, left), panel, width - size.width, left)];
        if (covers) return [...above, ...panel];
        const list = table(width, left - size.height);
        return [...above, ...Array.from({ length: left - size.height }, (_, at) => list[at] ?? ''), ...panel];
      }
      return [...above, ...table(width, left)];
    },
    position() {
      const at = rows.index() + 1;
      const loaded = rows.all().length;
      if (loaded === 0) return '';
      const total = rows.total() ?? loaded;
      return `${grouped(at)} of ${grouped(total)}${rows.total() === undefined && rows.hasMore() ? '+' : ''}`;
    },
    back: () => parts.some(({ back }) => back?.() ?? false),
    refresh: (hasMissed = true) =>
      Promise.all([rows.refresh(), ...parts.map(({ refresh }) => refresh?.(hasMissed))]),
    filter: (text) => parts.forEach(({ filter }) => void filter?.(text)),
    onEvents: (events) => parts.forEach(({ onEvents }) => void onEvents?.(events)),
    unfinished: () => parts.flatMap(({ unfinished }) => unfinished?.() ?? []),
    ...(about.find === undefined ? {} : { find: about.find }),
    ...(about.reveal === undefined ? {} : { reveal: about.reveal }),
  };
}

/** Puts a panel beside the list. Moving to its column costs no measuring of what is before it. */
const beside = (list: readonly string[], panel: readonly string[], column: number, height: number) =>
  Array.from({ length: height }, (_, at) => `${list[at] ?? ''}\u001B[${column + 1}G${panel[at] ?? ''}`);

/** Returns what declares actions on the current row. */
export const rowAction =
  <Row>(app: Pick<App, 'say'>, rows: Pick<Rows<Row>, 'current'>) =>
  (id: string, keys: string | readonly string[], about: ActionAbout, run: (row: Row) => unknown): Action =>
    action(id, keys, about, () => {
      const row = rows.current();
      return row === undefined ? app.say('The list is empty.', 'note') : run(row);
    });
