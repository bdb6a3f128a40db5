import { type Noun, sortsOfNoun } from '../../../src/contract/fields/field.ts';
import { readFilter, type UsedWords } from '../../input/filter.ts';
import { termsOf, viewTerms } from '../../input/terms.ts';
import { cellsOf, cut } from '../../terminal/cells.ts';
import type { Column } from '../../terminal/columns.ts';
import type { App } from '../app/app.ts';
import { type Action, action, type Part } from '../app/types.ts';
import type { View } from '../app/view-store.ts';
import { openFilter } from '../dialogs/filter.ts';
import { style } from '../draw/style.ts';
import { fieldOf } from '../draw/table.ts';
import type { Rows } from '../list/rows.ts';
import { type ViewPlace, viewing } from './views.ts';

const typingPauseMs = 120;
const maxHistory = 30;

export interface AskingAbout<Row> {
  readonly noun: Noun;
  readonly columns: readonly Column<Row>[];
  /** The fields whose columns a list has only if they are chosen. */
  readonly hidden?: readonly string[];
  /** The letters after `S` of sorts that do not take the first of their label. */
  readonly letters?: Readonly<Record<string, string>>;
  /** The words that rows have in fields whose words are open. */
  readonly used?: () => UsedWords;
  /** Where views are kept. Without it, the list has none. */
  readonly views?: ViewPlace;
}

export interface Asking<Row> extends Part {
  /** The columns that are shown. */
  columns(): readonly Column<Row>[];
  /** Filters as another screen asks for, to which Esc then leads back. */
  filter(text: string): void;
  openView(name?: string): void;
}

/** What a list is asked for: a filter, an order, columns, and views that keep the three under a name. */
export function asking<Row>(app: App, rows: Rows<Row>, about: AskingAbout<Row>): Asking<Row> {
  const { noun, columns, hidden = [], letters = {}, used } = about;
  const terms = about.views === undefined ? termsOf(noun) : viewTerms[about.views.list];
  const note = noun.filterExample ?? `words, or ${Object.keys(terms)[0] ?? 'id'}:…`;
  const sorts = sortsOfNoun(noun) as Readonly<Record<string, string>>;
  const usualSort = rows.asked().sort;
  const usual = columns.map(fieldOf).filter((name) => !hidden.includes(name));
  let shown: readonly string[] = usual;
  let history: readonly string[] = [];
  let view: View = { name: '', filter: '' };
  let visited: string | undefined;

  const ask = (text: string, sort = rows.asked().sort, delayMs = 0) => {
    const read = readFilter(text, terms, used?.(), app.identity()?.email !== null);
    void rows.ask({ text, sort, ...read }, delayMs);
    return read.problem;
  };
  const keep = (text: string) => {
    if (text.trim() !== '') history = [...history.filter((each) => each !== text), text].slice(-maxHistory);
  };
  const openTyping = () => {
    const before = rows.asked().text;
    // What is typed replaces the filter of the view.
    const text = before === view.filter ? '' : before;
    const show = (typed: string) => ask(typed, undefined, typingPauseMs);
    openFilter(app, { text, note, history, show, keep, cancel: () => ask(before) });
  };
  const show = (wanted: View) => {
    view = wanted;
    const known = (wanted.columns ?? []).filter((each) => columns.some((column) => fieldOf(column) === each));
    shown = known.length === 0 ? usual : known;
    const sort = wanted.sort ?? '';
    ask(wanted.filter, Object.hasOwn(sorts, bare(sort)) ? sort : usualSort);
  };
  const views =
    about.views === undefined
      ? undefined
      : viewing(app, {
          ...about.views,
          used,
          columns: columns.map((column) => ({ name: fieldOf(column), heading: column.heading })),
          current: () => ({ ...view, filter: rows.asked().text, sort: rows.asked().sort, columns: shown }),
          show,
          showColumns: (names) => (shown = names),
        });

  return {
    columns: () => columns.filter((column) => shown.includes(fieldOf(column))),
    filter(text) {
      visited = text;
      ask(text);
    },
    openView(name) {
      if (views === undefined) ask('');
      else show(views.named(name));
    },
    actions: [
      action('list.filter', '/', { title: 'Filter', hint: 'filter' }, openTyping),
      ...(views?.actions ?? []),
      ...statusActions(noun, (statuses) => {
        const shown = rows.asked().filter.status;
        const next = [...statuses, undefined][statuses.indexOf(shown ?? '') + 1];
        ask(next === undefined ? view.filter : `status:${next.replaceAll(' ', '').toLowerCase()}`);
      }),
      ...sortActions(noun, letters, (first) => {
        const { text, sort } = rows.asked();
        ask(text, bare(sort) === bare(first) ? reversed(sort) : first);
      }),
    ],
    inDialogs: views?.inDialogs ?? [],
    head(cells) {
      const { text, problem } = rows.asked();
      if (text === view.filter) {
        const name = cut(view.name, cells);
        const filter = cut(text, cells - cellsOf(name) - 2);
        return (
          [name && style.strong(name), filter && style.quiet(filter)].filter(Boolean).join('  ') || undefined
        );
      }
      const shown = cut(text, Math.min(60, cells - 2));
      const wrong =
        problem === undefined ? '' : style.warning(cut(`  ${problem}`, cells - 2 - cellsOf(shown)));
      return `${style.accent('/')} ${style.strong(shown)}${wrong}`;
    },
    back() {
      const { text } = rows.asked();
      if (text === view.filter) return false;
      ask(view.filter);
      return text !== visited;
    },
  };
}

const bare = (sort: string) => sort.replace(/^-/, '');
const reversed = (sort: string) => (sort.startsWith('-') ? bare(sort) : `-${sort}`);

/** Returns the action that shows one status after the other, for rows that have one. */
function statusActions(noun: Noun, show: (statuses: readonly string[]) => unknown): readonly Action[] {
  const { filter, words } = noun.fields.status ?? {};
  if (filter === undefined || words === undefined) return [];
  const title = 'Show only the next status, then the view';
  return [action('list.status', 'v', { title }, () => show(words))];
}

/** Returns an action for each field that the list can be sorted by. Its first order is the newest, the worst, or from A to Z. */
function sortActions(
  noun: Noun,
  letters: Readonly<Record<string, string>>,
  sortBy: (sort: string) => unknown,
): readonly Action[] {
  const taken = new Set(Object.values(letters));
  return Object.entries(sortsOfNoun(noun)).map(([name, kind]) => {
    const label = noun.fields[name]?.label.toLowerCase() ?? name;
    const letter = letters[name] ?? [...label].find((each) => /[a-z]/.test(each) && !taken.has(each)) ?? '';
    taken.add(letter);
    return action(`list.sort.${name}`, [`S ${letter}`], { title: `Sort by ${label}, or reverse` }, () =>
      sortBy(kind === 'text' ? name : `-${name}`),
    );
  });
}
