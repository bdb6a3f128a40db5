import { UsageError } from '../../../errors.ts';
import type { PreferenceStore, Preferences } from '../../preferences.ts';
import { type SavedView, toSavedView, toView, type View, type ViewKind, viewName } from './saved-view.ts';

/** The saved views of a list, which the file of preferences keeps. */
export interface ViewStore {
  readonly kind: ViewKind;
  all(): readonly View[];
  /** Returns the name of the view that opens first. */
  first(): string;
  isBuiltIn(name: string): boolean;
  save(view: View): Promise<void>;
  rename(view: View, name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes a view the one that opens first. */
  setFirst(name: string): Promise<void>;
}

type Saved = Readonly<Record<string, SavedView>>;

export function createViewStore(preferences: PreferenceStore, kind: ViewKind): ViewStore {
  const { stored, builtIn } = kind;
  const saved = () => savedViews(preferences.get(), kind);
  const first = () => firstViewOf(preferences.get(), kind);
  const changeViews = (change: (views: Map<string, SavedView>) => void, more: Partial<Preferences> = {}) =>
    preferences.change((before) => {
      const views = new Map(Object.entries(savedViews(before, kind)));
      change(views);
      return { ...before, [stored.views]: Object.fromEntries(views), ...more };
    });
  return {
    kind,
    all: () => viewsOf(preferences.get(), kind),
    first,
    isBuiltIn: (name) => Object.hasOwn(builtIn, name) && !Object.hasOwn(saved(), name),
    save: (view) => changeViews((views) => views.set(view.name, toSavedView(kind, view))),
    rename(view, name) {
      const opens = first() === view.name ? { [stored.first]: name } : {};
      return changeViews((views) => {
        views.delete(view.name);
        views.set(name, toSavedView(kind, view));
      }, opens);
    },
    remove(name) {
      const opens = first() === name && !Object.hasOwn(builtIn, name) ? { [stored.first]: undefined } : {};
      return changeViews((views) => views.delete(name), opens);
    },
    setFirst: (name) => preferences.change((before) => ({ ...before, [stored.first]: name })),
  };
}

function savedViews(preferences: Preferences, { stored }: ViewKind): Saved {
  return preferences[stored.views] ?? {};
}

/** Returns all views: the saved ones, and those that exist without a file. */
function viewsOf(preferences: Preferences, kind: ViewKind): readonly View[] {
  const all = { ...kind.builtIn, ...savedViews(preferences, kind) };
  return Object.entries(all).map(([name, view]) => toView(kind, name, view));
}

function firstViewOf(preferences: Preferences, kind: ViewKind): string {
  const [usual = ''] = Object.keys(kind.builtIn);
  const chosen = preferences[kind.stored.first];
  if (chosen === undefined) return usual;
  return Object.hasOwn({ ...kind.builtIn, ...savedViews(preferences, kind) }, chosen) ? chosen : usual;
}

/**
 * Returns the view that the list opens with.
 *
 * @param name - the one that the command line names, ignoring case
 * @throws UsageError if there is no such view
 */
export function startView(
  preferences: Preferences,
  kind: ViewKind,
  name = firstViewOf(preferences, kind),
): View {
  const views = viewsOf(preferences, kind);
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
