import type { ViewList } from '../../../src/contract/fields/views.ts';
import { UsageError } from '../../errors.ts';
import type { App } from '../app/app.ts';
import type { Preferences, SavedView } from '../app/preferences.ts';
import type { Action } from '../app/types.ts';
import { openForm } from '../dialogs/form.ts';
import { openMenu } from '../dialogs/menu.ts';

/** A filter, an order and columns with a name. What is wrong in a stored one is left out, so that it always opens. */
export interface View {
  readonly name: string;
  readonly filter: string;
  readonly sort?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** The views of a list, and where the preferences keep them. */
export interface ViewPlace {
  readonly list: ViewList;
  readonly builtIn: Readonly<Record<string, string>>;
  readonly views: 'views' | 'conversationViews' | 'auditViews';
  readonly first: 'defaultView' | 'defaultConversationView' | 'defaultAuditView';
}

interface ViewingAbout extends ViewPlace {
  readonly columns: readonly { readonly name: string; readonly heading: string }[];
  /** What the list shows now. */
  current(): View;
  show(view: View): void;
  showColumns(names: readonly string[]): void;
}

type Saved = Readonly<Record<string, SavedView>>;

/** What an earlier version called views, sorts and columns. */
const renamed: Readonly<Record<string, string>> = {
  Unsettled: 'Unresolved',
  ...{ created: 'created_at', updated: 'updated_at' },
  ...{ new: 'unread_count', visitor: 'visitor_name', message: 'last_message', age: 'updated_at' },
};
const nowCalled = (name: string) => (Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name);

/** Returns a sort as it is called now. What has the lowest age was updated last. */
function sortNow(sort = ''): string {
  const name = sort.replace(/^-/, '');
  const isDescending = sort.startsWith('-') !== (name === 'age');
  return `${isDescending ? '-' : ''}${nowCalled(name)}`;
}

/** Keeps what a list shows under a name: chooses, saves, renames and deletes views, and chooses columns. */
export function viewing(app: App, about: ViewingAbout) {
  const { builtIn, views: place, first: firstPlace } = about;
  const saved = (preferences: Preferences = app.preferences.get()): Saved => preferences[place] ?? {};
  const names = () => [...new Set([...Object.keys(builtIn), ...Object.keys(saved())])];
  const [usual = ''] = Object.keys(builtIn);
  const viewOf = (name: string): View => {
    const { filter = '', sort, columns } = saved()[name] ?? { filter: builtIn[name] };
    return { name, filter, sort: sortNow(sort), columns: columns?.map(nowCalled) };
  };
  const first = () => {
    const chosen = app.preferences.get()[firstPlace] ?? usual;
    return [chosen, nowCalled(chosen)].find((each) => names().includes(each)) ?? usual;
  };
  const change = (toViews: (views: Saved) => Saved, more: Preferences = {}) =>
    app.preferences.change((before) => ({ ...before, [place]: toViews(saved(before)), ...more }));
  const without = (views: Saved, name: string): Saved =>
    Object.fromEntries(Object.entries(views).filter(([each]) => each !== name));
  const askName = (title: string, initial: string, take: (name: string) => Promise<unknown>) =>
    openForm(app, {
      name: title,
      title,
      fields: [{ name: 'name', label: 'Name', kind: 'line' }],
      initial: { name: initial },
      save: ({ name = '' }) => take(checkedName(name)),
    });
  const save = async (name: string) => {
    const { filter, sort, columns } = about.current();
    await change((views) => ({ ...views, [name]: { filter, sort, columns: [...(columns ?? [])] } }));
    about.show(viewOf(name));
    app.say(`Saved the view ${name}.`);
  };
  const rename = async (from: string, to: string) => {
    if (to !== from && names().includes(to)) throw new Error(`There is a view ${to} already.`);
    const opensFirst = first() === from ? { [firstPlace]: to } : {};
    await change((views) => ({ ...without(views, from), [to]: views[from] ?? {} }), opensFirst);
    if (about.current().name === from) about.show(viewOf(to));
  };
  const remove = async (name: string) => {
    await change((views) => without(views, name), first() === name ? { [firstPlace]: usual } : {});
    if (about.current().name === name) about.show(viewOf(first()));
  };
  const onSaved = (name: string | undefined, run: (name: string) => unknown) =>
    name !== undefined && Object.hasOwn(saved(), name)
      ? run(name)
      : app.say('This view is built in.', 'note');

  const inMenu = (current: () => string | undefined, reload: () => void): readonly Action[] => [
    {
      id: 'views.save',
      keys: ['s'],
      title: 'Save what the list shows as a view',
      hint: 'save',
      run: () => askName('Save the view', '', (name) => save(name).then(reload)),
    },
    {
      id: 'views.rename',
      keys: ['r'],
      title: 'Rename the view',
      hint: 'rename',
      run: () =>
        onSaved(current(), (from) => askName('Rename the view', from, (to) => rename(from, to).then(reload))),
    },
    {
      id: 'menu.delete',
      keys: ['D', 'delete'],
      title: 'Delete it',
      hint: 'delete',
      run: () =>
        onSaved(current(), (name) =>
          app.confirm(`Delete the view ${name}?`, () => remove(name).then(reload)),
        ),
    },
    {
      id: 'views.first',
      keys: ['*'],
      title: 'Open this view first',
      hint: 'opens first',
      run: () => change((views) => views, { [firstPlace]: current() }).then(reload),
    },
  ];
  const openViews = () =>
    openMenu<string>(app, {
      title: 'Views',
      find: names,
      startAt: (name) => name === about.current().name,
      text: (name) => `${name === first() ? '*' : ' '} ${name}`,
      note: (name) => viewOf(name).filter,
      take: (name) => about.show(viewOf(name)),
      actions: inMenu,
    });
  const openColumns = () => {
    const shown = () => about.current().columns ?? [];
    openMenu(app, {
      title: 'Columns',
      find: () => about.columns,
      text: ({ name, heading }) => `${shown().includes(name) ? '✓' : ' '} ${heading}`,
      staysOpen: true,
      take({ name: changed }) {
        const isShown = (name: string) => shown().includes(name) !== (name === changed);
        const next = about.columns.map(({ name }) => name).filter(isShown);
        if (next.length > 0) about.showColumns(next);
      },
    });
  };
  return {
    /**
     * Returns the view with a name, in any case, or the one that opens first.
     *
     * @throws UsageError if there is none of that name
     */
    named(name = first()): View {
      const isNamed = (wanted: string) => (each: string) => each.toLowerCase() === wanted.toLowerCase();
      const old = Object.keys(renamed).find(isNamed(name)) ?? '';
      const found = names().find(isNamed(name)) ?? names().find(isNamed(nowCalled(old)));
      if (found !== undefined) return viewOf(found);
      throw new UsageError(`No view ${name}. The views are: ${names().join(', ')}.`);
    },
    actions: [
      {
        id: 'list.views',
        keys: ['w'],
        title: 'Choose, save, rename or delete a view',
        hint: 'views',
        run: openViews,
      },
      ...(about.columns.length === 0
        ? []
        : [{ id: 'list.columns', keys: ['c'], title: 'Show or hide columns', run: openColumns }]),
    ] satisfies readonly Action[],
    inDialogs: inMenu(
      () => undefined,
      () => {},
    ),
  };
}

/** @throws Error with the reason why a view cannot have the name */
function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= 30 && !/\p{C}/u.test(trimmed)) return trimmed;
  throw new Error('A name has 1 to 30 characters.');
}
