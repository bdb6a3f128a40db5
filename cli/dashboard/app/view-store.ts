import { type ViewList, viewLists } from '../../../src/contract/fields/views.ts';
import type { Access } from '../../access/access.ts';
import { isNotConnected } from '../../failures.ts';
import type { UsedWords } from '../../input/filter.ts';
import { filterOf, parametersOf, viewTerms } from '../../input/terms.ts';
import type { PreferenceStore, Preferences } from './preferences.ts';

/** A filter, an order and columns with a name. */
export interface View {
  readonly name: string;
  readonly filter: string;
  readonly sort?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}

export interface StoredView extends View {
  readonly isFirst: boolean;
  /** It is only in the preferences of this machine. */
  readonly isLocal?: true;
}

/** The views of a person: those on the server, and those of an earlier version that are not there yet. */
export interface ViewStore {
  of(list: ViewList): readonly StoredView[];
  /** Returns the name of the view that opened first in an earlier version. */
  formerFirst(list: ViewList): string | undefined;
  /** Reads the views of the server, and brings those of an earlier version there. */
  reload(): Promise<void>;
  /** Forgets a view of an earlier version. */
  forget(list: ViewList, name: string): Promise<void>;
}

export interface ViewStoreOptions {
  readonly access: Pick<Access, 'call'>;
  readonly preferences: PreferenceStore;
  /** Where the views of an earlier version were brought to: this server and account. Undefined: nowhere yet. */
  readonly place: () => string | undefined;
  readonly isReadOnly: boolean;
}

/** Where an earlier version has kept the views of a list, and which of them opens first. */
const formerPlaces = {
  issues: { views: 'views', first: 'defaultView' },
  conversations: { views: 'conversationViews', first: 'defaultConversationView' },
  audit: { views: 'auditViews', first: 'defaultAuditView' },
} as const satisfies Readonly<Record<ViewList, object>>;

/** What an earlier version called views, sorts and columns. */
const renamed: Readonly<Record<string, string>> = {
  Unsettled: 'Unresolved',
  created: 'created_at',
  updated: 'updated_at',
  new: 'unread_count',
  visitor: 'visitor_name',
  message: 'last_message',
  age: 'updated_at',
};
export const nowCalled = (name: string): string =>
  Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name;

/** Returns the names that a view of an earlier version may have had. */
export const formerNames = Object.keys(renamed);

/** Returns a sort as it is called now. What has the lowest age was updated last. */
function sortNow(sort: string | undefined): string | undefined {
  if (sort === undefined || sort === '') return undefined;
  const name = sort.replace(/^-/, '');
  const isDescending = sort.startsWith('-') !== (name === 'age');
  return `${isDescending ? '-' : ''}${nowCalled(name)}`;
}

function formerViews(list: ViewList, preferences: Preferences): readonly StoredView[] {
  const { views, first } = formerPlaces[list];
  return Object.entries(preferences[views] ?? {}).map(([name, { filter = '', sort, columns }]) => ({
    name,
    filter,
    sort: sortNow(sort),
    columns: columns?.map(nowCalled),
    isFirst: preferences[first] === name,
    isLocal: true,
  }));
}

/** Returns the parameters of a save of a view. */
export const savedAs = (list: ViewList, { name, filter, sort, columns }: View, used?: UsedWords) => ({
  list,
  name,
  filter: parametersOf(filter, viewTerms[list], used),
  sort: sort === undefined || sort === '' ? null : sort,
  columns: columns ? [...columns] : null,
});

export function viewStore({ access, preferences, place, isReadOnly }: ViewStoreOptions): ViewStore {
  let stored: ReadonlyMap<ViewList, readonly StoredView[]> = new Map();
  const brought = (): readonly string[] => preferences.get().viewsBrought?.[place() ?? ''] ?? [];
  const waiting = (list: ViewList) =>
    formerViews(list, preferences.get()).filter(({ name }) => !brought().includes(`${list}/${name}`));
  const load = async () => {
    const { views } = await access.call('views.list');
    const shown = views.map(({ list, name, filter, sort, columns, is_first }) => {
      const view = { name, filter: filterOf(filter, viewTerms[list as ViewList] ?? {}), isFirst: is_first };
      return [list as ViewList, { ...view, sort: sort ?? undefined, columns: columns ?? undefined }] as const;
    });
    const byList = Map.groupBy(shown, ([list]) => list);
    stored = new Map([...byList].map(([list, each]) => [list, each.map(([, view]) => view)]));
  };
  const bring = async (list: ViewList) => {
    const done: string[] = [];
    const there = stored.get(list) ?? [];
    const taken = there.map(({ name }) => name);
    const hasFirst = there.some(({ isFirst }) => isFirst);
    const used = list === 'issues' && waiting(list).length > 0 ? await usedWords(access) : undefined;
    for (const view of waiting(list)) {
      try {
        const save = savedAs(list, view, used);
        const filter = filterOf(save.filter, viewTerms[list]);
        const isThere = there.some((each) => each.name === view.name && each.filter === filter);
        const name = isThere ? view.name : freeName(view.name, taken);
        const is_first = view.isFirst && !hasFirst;
        if (!isThere) await access.call('views.save', { ...save, name, is_first });
        taken.push(name);
        done.push(`${list}/${view.name}`);
      } catch (error) {
        // A filter that matches nothing stays in the preferences, and opens from there.
        if (isNotConnected(error)) throw error;
      }
    }
    return done;
  };
  return {
    of(list) {
      const onServer = stored.get(list) ?? [];
      const names = new Set(onServer.map(({ name }) => name));
      return [...onServer, ...waiting(list).filter(({ name }) => !names.has(name))];
    },
    formerFirst: (list) => preferences.get()[formerPlaces[list].first],
    async reload() {
      await load();
      const to = place();
      if (to === undefined || isReadOnly || viewLists.every((list) => waiting(list).length === 0)) return;
      const done: string[] = [];
      for (const list of viewLists) done.push(...(await bring(list)));
      if (done.length === 0) return;
      await preferences.change(({ viewsBrought = {}, ...before }) => ({
        ...before,
        viewsBrought: { ...viewsBrought, [to]: [...(viewsBrought[to] ?? []), ...done] },
      }));
      await load();
    },
    async forget(list, name) {
      const { views } = formerPlaces[list];
      await preferences.change((before) => {
        const left = Object.entries(before[views] ?? {}).filter(([each]) => each !== name);
        return { ...before, [views]: Object.fromEntries(left) };
      });
    },
  };
}

/** Returns the name, or with a number if another view has it. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name} ${number}`;
  return free;
}

async function usedWords(access: Pick<Access, 'call'>): Promise<UsedWords> {
  const found = await access.call('issues.list', { period: 'all' });
  if (!('categoryCounts' in found)) return undefined;
  return {
    category: found.categoryCounts.map(({ category }) => category),
    severity: found.severityTotals.map(({ severity }) => severity),
  };
}
