import { counted, grouped } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import { keyHint } from '../app/keys.ts';
import { action, type Part } from '../app/types.ts';
import { style } from '../draw/style.ts';
import type { Key, Rows } from '../list/rows.ts';

/** What an action is for. */
export type Targets<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  /** All that the filter finds, also those that are not loaded. */
  | { readonly kind: 'all'; readonly filter: Readonly<Record<string, string>> };

export interface Selection<Row> extends Part {
  has(row: Row): boolean;
  /** The selected rows, or the current one. */
  targets(): Targets<Row>;
  remove(keys: Iterable<Key>): void;
  clear(): void;
}

/** @param allKeys - the keys that select all */
export function selecting<Row>(
  app: App,
  rows: Rows<Row>,
  one: string,
  allKeys: readonly string[] = ['a', '*'],
): Selection<Row> {
  const selected = new Set<Key>();
  /** Not an index: rows may come above it. */
  let rangeFrom: Key | undefined;
  /** The filter of which all that match are selected. */
  let allOf: string | undefined;
  const isAll = () => allOf === rows.asked().text;
  const clear = () => {
    selected.clear();
    rangeFrom = undefined;
    allOf = undefined;
  };
  const range = () => {
    if (rangeFrom === undefined) return [];
    const first = rows.all().findIndex((row) => rows.keyOf(row) === rangeFrom);
    if (first === -1) return [];
    const from = Math.min(first, rows.index());
    const to = Math.max(first, rows.index());
    return rows.all().slice(from, to + 1);
  };
  const endRange = () => {
    for (const row of range()) selected.add(rows.keyOf(row));
    rangeFrom = undefined;
  };
  const has = (row: Row) => isAll() || selected.has(rows.keyOf(row)) || range().includes(row);
  /** What another filter has taken out of the list is not changed unseen. */
  const chosen = () => {
    const keys = new Set([...selected, ...range().map(rows.keyOf)]);
    return keys.size === 0 ? [] : rows.all().filter((row) => keys.has(rows.keyOf(row)));
  };
  return {
    has,
    clear,
    remove(keys) {
      if (isAll()) clear();
      for (const key of keys) selected.delete(key);
    },
    targets() {
      if (isAll()) return { kind: 'all', filter: rows.asked().filter };
      endRange();
      const current = rows.current();
      const found = chosen();
      if (found.length > 0) return { kind: 'rows', rows: found };
      return { kind: 'rows', rows: current === undefined ? [] : [current] };
    },
    actions: [
      action('list.select', 'space', { title: 'Select', hint: 'select' }, () => {
        const row = rows.current();
        if (row === undefined) return;
        allOf = undefined;
        if (!selected.delete(rows.keyOf(row))) selected.add(rows.keyOf(row));
        rows.move(1);
      }),
      action('list.selectAll', allKeys, { title: 'Select all loaded, then all that match' }, () => {
        const isLoaded = rows.all().every((row) => selected.has(rows.keyOf(row)));
        if (isLoaded && Object.keys(rows.asked().filter).length === 0)
          return app.say('Filter first: all that match can be changed, not all there are.', 'note');
        allOf = isLoaded && rows.hasMore() ? rows.asked().text : undefined;
        for (const row of rows.all()) selected.add(rows.keyOf(row));
      }),
      action('list.selectRange', 'V', { title: 'Select a range' }, () => {
        const row = rows.current();
        if (rangeFrom !== undefined) endRange();
        else if (row !== undefined) rangeFrom = rows.keyOf(row);
      }),
    ],
    head() {
      if (isAll()) return style.accent('✓ all that match, also those that are not loaded');
      const found = chosen().length;
      if (found === 0) return undefined;
      const isMore = rows.hasMore() && found >= rows.all().length;
      const more = isMore ? `  ${keyHint(app, 'list.selectAll', 'selects all that match')}` : '';
      return (
        style.accent(`✓ ${counted(found, one)} of ${grouped(rows.all().length)} loaded`) + style.quiet(more)
      );
    },
    back() {
      if (rangeFrom !== undefined) endRange();
      else if (!isAll() && chosen().length === 0) return false;
      else clear();
      return true;
    },
  };
}
