import { apart, cellsOf, cut, wrap } from '../../terminal/cells.ts';
import type { App } from '../app/app.ts';
import { keyName } from '../app/keys.ts';
import type { Action, Size } from '../app/types.ts';
import { banner, tabs } from './header.ts';
import { style } from './style.ts';

export const minSize: Size = { width: 60, height: 15 };
/** The rows of a screen that stay visible above a dialog. */
const minBodyRows = 6;
const maxMessageLines = 4;
const signs = { done: '✓', failed: '✗', note: '·' } as const;
const messageTones = { done: 'good', failed: 'bad', note: 'quiet' } as const;

/** Draws the whole dashboard: exactly `height` lines of at most `width` cells. */
export function frame(app: App, size: Size): string[] {
  const { width, height } = size;
  if (isTooSmall(size)) return filled(tooSmall(app, size), height);
  const [message = '', ...more] = messageLines(app, width);
  const room = height - 3 - more.length;
  const dialog = app.dialog();
  const wanted = dialog === undefined ? 0 : dialog.rows(width) + 1;
  const panel = Math.min(wanted, room - Math.min(minBodyRows, Math.floor(room / 3)));
  const body = room - panel;
  return [
    tabs(app, width),
    banner(app, width),
    ...filled(app.screen().draw({ width, height: body }), body),
    ...(dialog === undefined
      ? []
      : [titleRule(dialog.title(), width), ...filled(dialog.draw({ width, height: panel - 1 }), panel - 1)]),
    message === '' ? footer(app, width) : message,
    ...more,
  ];
}

export const isTooSmall = ({ width, height }: Size): boolean =>
  width < minSize.width || height < minSize.height;

function tooSmall(app: App, { width, height }: Size): string[] {
  const needs = `Too small: ${width}×${height}. The dashboard needs ${minSize.width}×${minSize.height} cells.`;
  const question = app.dialog() === undefined ? '' : ' Something is not saved: make the terminal larger.';
  return wrap(needs + question, Math.max(1, width)).slice(0, height);
}

const filled = (lines: readonly string[], height: number): string[] =>
  Array.from({ length: height }, (_, at) => lines[at] ?? '');

/** Draws a title within a horizontal line, at whose end a note may stand. */
export function titleRule(title: string, cells: number, note = ''): string {
  const end = note === '' ? '' : ` ${note} ─`;
  const shown = cut(title, cells - 6 - cellsOf(end));
  const rest = Math.max(0, cells - cellsOf(shown) - cellsOf(end) - 4);
  return `${style.quiet('──')} ${style.title(shown)} ${style.quiet('─'.repeat(rest) + end)}`;
}

/** A message takes the rows that it needs, so that nothing of it is lost. */
function messageLines(app: App, cells: number): readonly string[] {
  const pending = app.pending();
  if (pending !== '') return [nextKeys(app, pending, cells)];
  if (app.isOpening()) return [` ${style.quiet('· Loading… Any key cancels.')}`];
  const message = app.message();
  const text = message?.text ?? app.running();
  if (text === undefined) return [];
  const tone = message?.tone ?? 'note';
  const lines = wrap(text.replaceAll(/\s+/g, ' '), cells - 4).slice(0, maxMessageLines);
  return lines.map((line, at) => style[messageTones[tone]](` ${at === 0 ? signs[tone] : ' '} ${line}`));
}

function footer(app: App, cells: number): string {
  const link = app.connection.lost()
    ? style.bad('✗ lost ')
    : app.follower.isLive()
      ? style.good('● live ')
      : style.quiet('○ every 5 s ');
  const position = app.dialog() === undefined ? app.screen().position() : '';
  const place = position === '' ? '' : `${style.quiet(position)}  `;
  const right = `${app.isReadOnly ? `${style.warning('read-only')} ` : ''}${place}${link}`;
  return apart(` ${hints(app, cells - cellsOf(right) - 2)}`, right, cells);
}

const hintOf = (app: App, action: Action) =>
  `${style.strong(keyName(app.keysOf(action)[0] ?? ''))} ${style.quiet(action.hint ?? action.title)}`;

/** Returns as many hints as fit. The one for the help always does. */
function hints(app: App, cells: number): string {
  const dialog = app.dialog();
  const isText = dialog?.write !== undefined;
  const isHinted = (action: Action) =>
    action.hint !== undefined &&
    app.keysOf(action).length > 0 &&
    (dialog !== undefined || action.id !== 'back') &&
    !(isText && app.keysOf(action)[0]?.length === 1);
  const hinted = app.actions().filter((action) => isHinted(action) && app.refusalOf(action) === undefined);
  const help = hinted.filter(({ id }) => id === 'help').map((action) => hintOf(app, action));
  let left = cells - cellsOf(help.join(''));
  const shown: string[] = [];
  for (const action of hinted) {
    if (action.id === 'help') continue;
    const hint = hintOf(app, action);
    left -= cellsOf(hint) + 2;
    if (left < 0) break;
    shown.push(hint);
  }
  return [...shown, ...help].join('  ');
}

/** Returns the strokes so far, and those that can follow. */
function nextKeys(app: App, strokes: string, cells: number): string {
  const next = app.actions().flatMap((action) => {
    const key = app.keysOf(action).find((each) => each.startsWith(`${strokes} `));
    if (key === undefined) return [];
    const [title = ''] = action.title.toLowerCase().split(',');
    return [`${style.strong(keyName(key.slice(strokes.length + 1)))} ${style.quiet(title)}`];
  });
  let line = ` ${style.strong(keyName(strokes))} …`;
  for (const text of next) if (cellsOf(line) + cellsOf(text) + 2 <= cells) line += `  ${text}`;
  return line;
}
