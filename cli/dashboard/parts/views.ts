import type { ViewList } from '../../../src/contract/fields/views.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { UsageError } from '../../errors.ts';
import type { UsedWords } from '../../input/filter.ts';
import type { App } from '../app/app.ts';
import { type Action, action } from '../app/types.ts';
import { formerNames, nowCalled, savedAs, type View } from '../app/view-store.ts';
import { openForm } from '../dialogs/form.ts';
import { openMenu } from '../dialogs/menu.ts';

/** The views of a list: those that it has before anybody saves one, and the others. */
export interface ViewPlace {
  readonly list: ViewList;
  readonly builtIn: Readonly<Record<string, string>>;
}

interface ViewingAbout extends ViewPlace {
  readonly columns: readonly { readonly name: string; readonly heading: string }[];
  /** The words that rows have in fields whose words are open. */
  readonly used?: (() => UsedWords) | undefined;
  /** What the list shows now. */
  current(): View;
  show(view: View): void;
  showColumns(names: readonly string[]): void;
}

/** Keeps what a list shows under a name: chooses, saves, renames and deletes views, and chooses columns. */
export function viewing(app: App, about: ViewingAbout) {
  const { list, builtIn } = about;
  const saved = (name?: string) => app.views.of(list).find((view) => view.name === name);
  const names = () => [...new Set([...Object.keys(builtIn), ...app.views.of(list).map(({ name }) => name)])];
  const [usual = ''] = Object.keys(builtIn);
  const viewOf = (name: string): View => saved(name) ?? { name, filter: builtIn[name] ?? '' };
  const first = () => {
    const chosen =
      app.views.of(list).find(({ isFirst }) => isFirst)?.name ?? app.views.formerFirst(list) ?? usual;
    return [chosen, nowCalled(chosen)].find((each) => names().includes(each)) ?? usual;
  };
  const change = async (view: InputOf<'views.save'>) => {
    await app.call('views.save', view);
    await app.views.reload();
  };
  const askName = (title: string, initial: string, take: (name: string) => Promise<unknown>) =>
    openForm(app, {
      // What was typed for another view or list is not for this one.
      key: `${title} ${list}/${initial}`,
      name: title,
      title,
      fields: [{ name: 'name', label: 'Name', kind: 'line' }],
      initial: { name: initial },
      save: ({ name = '' }) => take(checkedName(name)),
    });
  const save = async (name: string) => {
    await change(savedAs(list, { ...about.current(), name }, about.used?.()));
    about.show(viewOf(name));
    app.say(`Saved the view ${name}.`);
  };
  const rename = async (from: string, to: string) => {
    if (to !== from && names().includes(to)) throw new Error(`There is a view ${to} already.`);
    await change({ list, name: from, new_name: to });
    if (about.current().name === from) about.show(viewOf(to));
  };
  const remove = async (name: string) => {
    if (saved(name)?.isLocal) await app.views.forget(list, name);
    else await app.call('views.delete', { list, name });
    await app.views.reload();
    if (about.current().name === name) about.show(viewOf(first()));
  };
  const isStored = (name: string) => saved(name) !== undefined && !saved(name)?.isLocal;
  /** A view that is built in is saved under its name, to open first. */
  const openFirst = (name: string) =>
    change({ ...(isStored(name) ? { list, name } : savedAs(list, viewOf(name))), is_first: true });
  const onSaved = (name: string | undefined, run: (name: string) => unknown) =>
    name !== undefined && saved(name) !== undefined ? run(name) : app.say('This view is built in.', 'note');

  const inMenu = (current: () => string | undefined, reload: () => void): readonly Action[] => [
    action(
      'views.save',
      's',
      { title: 'Save what the list shows as a view', hint: 'save', calls: 'views.save' },
      () => askName('Save the view', '', (name) => save(name).then(reload)),
    ),
    action('views.rename', 'r', { title: 'Rename the view', hint: 'rename', calls: 'views.save' }, () =>
      onSaved(current(), (from) => askName('Rename the view', from, (to) => rename(from, to).then(reload))),
    ),
    action(
      'menu.delete',
      ['D', 'delete'],
      { title: 'Delete it', hint: 'delete', calls: 'views.delete' },
      () =>
        onSaved(current(), (name) =>
          app.confirm(`Delete the view ${name}?`, () => remove(name).then(reload)),
        ),
    ),
    action(
      'views.first',
      '*',
      { title: 'Open this view first', hint: 'opens first', calls: 'views.save' },
      async () => {
        const name = current();
        if (name !== undefined) await openFirst(name);
        reload();
      },
    ),
  ];
  const openViews = () => {
    let listed: readonly string[] = [];
    openMenu<string>(app, {
      title: 'Views',
      find: () => (listed = names()),
      async more() {
        await app.views.reload().catch(() => {});
        return names().filter((name) => !listed.includes(name));
      },
      startAt: (name) => name === about.current().name,
      text: (name) => `${name === first() ? '*' : ' '} ${name}`,
      note: (name) => viewOf(name).filter,
      take: (name) => about.show(viewOf(name)),
      actions: inMenu,
    });
  };
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
      const old = formerNames.find(isNamed(name)) ?? '';
      const found = names().find(isNamed(name)) ?? names().find(isNamed(nowCalled(old)));
      if (found !== undefined) return viewOf(found);
      throw new UsageError(`No view ${name}. The views are: ${names().join(', ')}.`);
    },
    actions: [
      action('list.views', 'w', { title: 'Choose, save, rename or delete a view', hint: 'views' }, openViews),
      ...(about.columns.length === 0
        ? []
        : [action('list.columns', 'c', { title: 'Show or hide columns' }, openColumns)]),
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
