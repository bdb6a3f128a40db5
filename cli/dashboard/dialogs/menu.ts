import { wait } from '../../../src/shared/waiting.ts';
import { cut, fit } from '../../terminal/cells.ts';
import type { App } from '../app/app.ts';
import { type Action, action, type Dialog } from '../app/types.ts';
import { edit, insert, type TextInput, textInput } from '../draw/edit.ts';
import { editActions, fieldLine } from '../draw/field.ts';
import { scrolledTo } from '../draw/scroll.ts';
import { style } from '../draw/style.ts';
import { moves } from '../list/moves.ts';

/** Some items, one of which is taken. With a placeholder, typing narrows them down. */
export interface MenuAbout<Item> {
  readonly title: string;
  /** Finds the items for what is typed. */
  find(text: string): readonly Item[] | Promise<readonly Item[]>;
  /** Finds items that come below those, and later. */
  more?(text: string): Promise<readonly Item[]>;
  text(item: Item): string;
  /** What stands at the right end of its row. */
  note?(item: Item): string;
  take(item: Item): unknown;
  readonly placeholder?: string;
  /** Where the cursor is at first. */
  readonly startAt?: (item: Item) => boolean;
  readonly staysOpen?: true;
  /** What its other keys do. */
  readonly actions?: (current: () => Item | undefined, reload: () => void) => readonly Action[];
  readonly empty?: string;
  /** What Enter does if nothing matches what is typed. */
  readonly onNothing?: (text: string) => unknown;
}

const maxRows = 12;
const typingPauseMs = 120;

export const openMenu = <Item>(app: App, about: MenuAbout<Item>): void => app.open(menuDialog(app, about));

export function menuDialog<Item>(app: App, about: MenuAbout<Item>): Dialog {
  let items: readonly Item[] = [];
  let index = 0;
  let top = 0;
  let input = textInput('');
  let error = '';
  let isLoading = true;
  let takesNext = false;
  let turn = 0;
  let isFirst = true;
  let room = maxRows;
  const moveTo = (to: number) => (index = Math.max(0, Math.min(to, items.length - 1)));
  const show = (found: readonly Item[], failure = '', isMoreComing = false) => {
    items = found;
    error = failure;
    isLoading = isMoreComing && found.length === 0;
    // At once: the next key moves from there.
    moveTo(isFirst && about.startAt !== undefined ? items.findIndex(about.startAt) : index);
    isFirst = false;
    if (takesNext && !isLoading) take();
    app.changed();
  };
  /** A late answer to another text is dropped. */
  const find = async (delayMs = 0) => {
    const mine = ++turn;
    isLoading = true;
    if (delayMs > 0) await wait(delayMs);
    if (mine !== turn) return;
    try {
      const answer = about.find(input.text);
      const found = answer instanceof Promise ? await answer : answer;
      const more = about.more?.(input.text);
      if (mine === turn) show(found, '', more !== undefined);
      const later = (await more) ?? [];
      if (mine === turn && more !== undefined) show([...found, ...later]);
    } catch (failure) {
      if (mine === turn) show([], app.explain(failure));
    }
  };
  const put = (next: TextInput) => {
    const isSame = next.text === input.text;
    input = next;
    takesNext = false;
    if (isSame) return;
    index = 0;
    void find(about.placeholder === undefined ? 0 : typingPauseMs);
  };
  const take = () => {
    // Enter right after a letter is meant for what that letter finds.
    takesNext = isLoading;
    if (isLoading) return;
    const item = items[index];
    if (item === undefined && about.onNothing === undefined) return;
    if (about.staysOpen !== true) app.close(menu);
    void app.attempt(() => (item === undefined ? about.onNothing?.(input.text) : about.take(item)));
  };
  const isTyped = about.placeholder !== undefined;
  const moving = {
    move: (by: number) => moveTo(index + by),
    moveTo,
    page: () => room,
  };
  const menu: Dialog = {
    title: () => about.title,
    rows: () => Math.max(1, Math.min(maxRows, items.length)) + (isTyped ? 1 : 0),
    actions: () => [
      action('menu.take', 'enter', { title: 'Choose', hint: 'choose' }, take),
      ...(about.actions?.(
        () => items[index],
        () => void find(),
      ) ?? []),
      ...moves(moving, isTyped),
      ...(isTyped ? editActions((what) => put(edit(input, what))) : []),
    ],
    draw({ width, height }) {
      const head = isTyped ? [`  / ${fieldLine(input, width - 6, about.placeholder)}`] : [];
      room = Math.max(1, height - head.length);
      top = scrolledTo(index, top, room, items.length);
      const nothing =
        error === '' ? (isLoading ? 'Loading…' : (about.empty ?? 'Nothing found.')) : `✗ ${error}`;
      if (items.length === 0) return [...head, `    ${style.quiet(cut(nothing, width - 6))}`];
      return [
        ...head,
        ...items.slice(top, top + room).map((item, at) => rowOf(item, top + at === index, width)),
      ];
    },
    back() {
      app.close(menu);
      return true;
    },
    ...(isTyped ? { write: (text: string) => put(insert(input, text, 'one line')) } : {}),
  };
  const rowOf = (item: Item, isCurrent: boolean, width: number) => {
    const note = about.note?.(item) ?? '';
    const text = fit(about.text(item), width - 7 - note.length);
    return isCurrent ? `  ${style.selected(`❯ ${text} ${note} `)}` : `    ${text} ${style.quiet(note)}`;
  };
  void find();
  return menu;
}

/** Chooses one of some words. The cursor starts on the present one. */
export function pickWord<Word extends string>(
  app: App,
  title: string,
  words: readonly Word[],
  present: string | undefined,
  take: (word: Word) => unknown,
): void {
  openMenu(app, {
    title,
    find: () => words,
    text: (word) => word,
    startAt: (word) => word === present,
    take,
  });
}
