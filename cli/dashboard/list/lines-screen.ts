import { latestOnly } from '../../../src/shared/waiting.ts';
import { cut } from '../../terminal/cells.ts';
import { counted, printable } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import type { Action, Calls, Screen, Size } from '../app/types.ts';
import { visible } from '../draw/scroll.ts';
import { style } from '../draw/style.ts';
import { moves } from './moves.ts';

export interface LinesAbout<Loaded> {
  readonly id: string;
  readonly title: string;
  /** What it needs to read. */
  readonly calls?: Calls;
  readonly actions?: readonly Action[];
  /** The types of events after which it loads again. */
  readonly events: RegExp;
  readonly loading: Loading<Loaded>;
  lines(loaded: Loaded, size: Size): readonly string[];
}

/** A screen of lines, which scrolls if it is higher than the terminal. */
export function linesScreen<Loaded>(app: App, about: LinesAbout<Loaded>): Screen {
  const { id, title, calls, actions = [], events: affecting, loading, lines } = about;
  const scroll = scrolling();
  return {
    id,
    title,
    inDialogs: [],
    refresh: loading.refresh,
    position: scroll.position,
    ...(calls === undefined ? {} : { calls }),
    actions: () => [...actions, ...scroll.actions],
    draw: (size) => scroll.draw(loading.draw(size, lines), size.height),
    back: () => false,
    onEvents(events) {
      if (events.some(({ type }) => affecting.test(type))) app.refresh();
    },
    unfinished: () => [],
  };
}

/** Lines that scroll if they are higher than their room. */
export function scrolling() {
  let top = 0;
  let room = 1;
  let length = 0;
  const moveTo = (line: number) => (top = Math.max(0, Math.min(line, length - room)));
  return {
    actions: moves({ move: (by) => moveTo(top + by), moveTo, page: () => room }),
    draw(lines: readonly string[], height: number): readonly string[] {
      room = height;
      length = lines.length;
      moveTo(top);
      return visible(lines, top, room);
    },
    position: () => (top + room < length ? `↓ ${counted(length - top - room, 'more line')}` : ''),
  };
}

export type Loading<Loaded> = ReturnType<typeof loading<Loaded>>;

/** What a screen has loaded. A late answer is dropped, and a failure keeps what was there. */
export function loading<Loaded>(app: App, load: () => Promise<Loaded>) {
  let loaded: Loaded | undefined;
  let error = '';
  let turn = 0;
  const startRequest = latestOnly();
  const failure = (width: number) => style.bad(`  ✗ ${cut(printable(error), width - 4)}`);
  const refresh = async () => {
    const mine = turn;
    const isNewest = startRequest();
    try {
      const answer = await load();
      if (mine === turn && isNewest()) {
        loaded = answer;
        error = '';
      }
    } catch (reason) {
      if (mine === turn && isNewest()) error = app.explain(reason);
    }
    app.changed();
  };
  return {
    hasFailed: () => error !== '',
    refresh,
    /** Loads something else: answers to what was asked before are dropped. */
    again() {
      turn += 1;
      error = '';
      return refresh();
    },
    /** Draws what is loaded, below why the last call failed. */
    draw(size: Size, lines: (loaded: Loaded, room: Size) => readonly string[]): readonly string[] {
      const { width, height } = size;
      if (loaded === undefined) return ['', error === '' ? style.quiet('    Loading…') : failure(width)];
      if (error === '') return lines(loaded, size);
      return [failure(width), ...lines(loaded, { width, height: height - 1 })];
    },
  };
}
