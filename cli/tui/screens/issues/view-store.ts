import { UsageError } from '../../../errors.ts';
import type { PreferenceStore, Preferences } from '../../preferences.ts';
import { builtInViews, type IssueView, sortName, toIssueView, viewName } from './saved-view.ts';

/** The saved views, which the file of preferences keeps. */
export interface ViewStore {
  all(): readonly IssueView[];
  /** Returns the name of the view that opens first. */
  first(): string;
  isBuiltIn(name: string): boolean;
  save(view: IssueView): Promise<void>;
  rename(view: IssueView, name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes a view the one that opens first. */
  setFirst(name: string): Promise<void>;
}

export function createViewStore(preferences: PreferenceStore): ViewStore {
  const saved = () => preferences.get().views ?? {};
  const first = () => firstViewOf(preferences.get());
  const changeViews = (change: (views: Map<string, unknown>) => void, more: Partial<Preferences> = {}) =>
    preferences.change((before) => {
      const views = new Map<string, unknown>(Object.entries(before.views ?? {}));
      change(views);
      return { ...before, views: Object.fromEntries(views) as Preferences['views'], ...more };
    });
  return {
    all: () => viewsOf(preferences.get()),
    first,
    isBuiltIn: (name) => Object.hasOwn(builtInViews, name) && !Object.hasOwn(saved(), name),
    save: (view) => changeViews((views) => views.set(view.name, toFile(view))),
    rename(view, name) {
      const opens = first() === view.name ? { defaultView: name } : {};
      return changeViews((views) => {
        views.delete(view.name);
        views.set(name, toFile(view));
      }, opens);
    },
    remove(name) {
      const opens = first() === name && !Object.hasOwn(builtInViews, name) ? { defaultView: undefined } : {};
      return changeViews((views) => views.delete(name), opens);
    },
    setFirst: (name) => preferences.change((before) => ({ ...before, defaultView: name })),
  };
}

function toFile({ filter, sort, columns }: IssueView) {
  return { filter, sort: sortName(sort), columns: [...columns] };
}

/** Returns all views: the saved ones, and those that exist without a file. */
export function viewsOf({ views = {} }: Preferences): readonly IssueView[] {
  const all = { ...builtInViews, ...views };
  return Object.entries(all).map(([name, view]) => toIssueView(name, view));
}

function firstViewOf({ defaultView, views = {} }: Preferences): string {
  const [unsettled = ''] = Object.keys(builtInViews);
  if (defaultView === undefined) return unsettled;
  return Object.hasOwn({ ...builtInViews, ...views }, defaultView) ? defaultView : unsettled;
}

/**
 * Returns the view that the dashboard opens with.
 *
 * @param name - the one that the command line names, ignoring case
 * @throws UsageError if there is no such view
 */
export function startView(preferences: Preferences, name = firstViewOf(preferences)): IssueView {
  const views = viewsOf(preferences);
  const found =
    views.find((view) => view.name === name) ??
    views.find((view) => view.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`No view ${name}. The views are: ${views.map((view) => view.name).join(', ')}.`);
}

/** @throws UsageError with the reason why a view cannot have the name */
export function checkViewName(name: string): string {
  const parsed = viewName.safeParse(name.trim());
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues[0]?.message ?? 'This cannot be a name.');
}
