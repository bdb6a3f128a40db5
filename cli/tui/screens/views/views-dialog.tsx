import { fit } from '../../../terminal/cells.ts';
import { capitalized, printable } from '../../../terminal/text.ts';
import { Lines } from '../../components/lines.tsx';
import { Region } from '../../components/region.tsx';
import { createForm } from '../../dialogs/form.tsx';
import { moveList } from '../../list/move.ts';
import type { App } from '../../state/app.ts';
import type { Dialog, Size } from '../../state/screen-types.ts';
import { createStore, useStore } from '../../state/store.ts';
import type { MouseEvent } from '../../terminal/mouse.ts';
import { theme } from '../../theme.ts';
import type { View, ViewKind } from './saved-view.ts';
import { checkViewName, type ViewStore } from './view-store.ts';

export interface ViewsDialogOptions {
  readonly views: ViewStore;
  /** The name of the view in use. */
  readonly current: string;
  /** Returns what the list shows now, to be saved under a name. */
  readonly shown: (name: string) => View;
  readonly onChoose: (view: View) => void;
  /** Opens the columns of the list, if they can be chosen. */
  readonly onColumns?: () => void;
}

const maxRows = 10;

/** Chooses one of the saved views, and saves, renames and deletes them. */
export function viewsDialog(app: App, options: ViewsDialogOptions): Dialog {
  const { views, current, shown, onChoose, onColumns } = options;
  const at = views.all().findIndex(({ name }) => name === current);
  const store = createStore({ index: Math.max(0, at) });
  const moveTo = (index: number) =>
    store.set({ index: Math.max(0, Math.min(index, views.all().length - 1)) });
  const selected = () => views.all()[store.get().index];
  const goTo = (wanted: string) => moveTo(views.all().findIndex(({ name }) => name === wanted));
  const change = (work: () => Promise<void>, sentence: string, then = () => {}) =>
    void app.attempt(async () => {
      await work();
      then();
      app.showMessage(sentence);
    });
  const save = (name: string) => {
    const view = shown(name);
    change(
      () => views.save(view),
      `Saved the view ${name}.`,
      () => {
        onChoose(view);
        goTo(name);
      },
    );
  };
  const askName = (title: string, initial: string, onName: (name: string) => void) =>
    app.open(
      createForm(app, {
        title: () => title,
        fields: [{ name: 'name', label: 'Name', kind: 'text', initial, note: 'such as My criticals' }],
        async submit({ name = '' }) {
          const checked = checkViewName(name);
          return () => onName(checked);
        },
      }),
    );
  const saveAs = () =>
    askName(
      onColumns === undefined
        ? 'Save the filter as a view'
        : 'Save the filter, the sort and the columns as a view',
      current,
      (name) => {
        const exists = views.all().some((view) => view.name === name);
        if (exists) app.confirm(`Replace the view ${name}?`, () => save(name));
        else save(name);
      },
    );
  const rename = (view: View) => {
    if (views.isBuiltIn(view.name))
      return app.showMessage(`${view.name} is built in. Save it first.`, 'note');
    askName(`Rename the view ${view.name}`, view.name, (name) => {
      if (views.all().some((other) => other.name === name))
        return app.showMessage(`There is a view ${name} already.`, 'failed');
      change(
        () => views.rename(view, name),
        `Renamed ${view.name} to ${name}.`,
        () => {
          if (view.name === current) onChoose({ ...view, name });
          goTo(name);
        },
      );
    });
  };
  const remove = ({ name }: View) => {
    if (views.isBuiltIn(name)) return app.showMessage(`${name} is built in.`, 'note');
    app.confirm(`Delete the view ${name}?`, () =>
      change(
        () => views.remove(name),
        `Deleted the view ${name}.`,
        () => moveTo(store.get().index),
      ),
    );
  };

  const dialog: Dialog = {
    title: () => 'Views',
    chain: () => 'views',
    ...(onColumns === undefined ? { unhinted: ['views.columns'] } : {}),
    rows: () => Math.min(maxRows, views.all().length),
    subscribe: store.subscribe,
    perform(action) {
      const view = selected();
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'views.save') return saveAs();
      if (action === 'views.columns') {
        if (onColumns === undefined) return;
        app.close(dialog);
        return onColumns();
      }
      const moves = {
        pageRows: maxRows,
        move: (by: number) => moveTo(store.get().index + by),
        toFirst: () => moveTo(0),
        toLast: () => moveTo(views.all().length - 1),
      };
      if (moveList(moves, action) || view === undefined) return;
      if (action === 'views.rename') rename(view);
      else if (action === 'views.delete') remove(view);
      else if (action === 'views.first')
        change(
          () => views.setFirst(view.name),
          `${capitalized(views.kind.rows)} open with ${view.name} from now on.`,
        );
      else if (action === 'views.take') {
        app.close(dialog);
        onChoose(view);
      }
    },
    View: ({ width, height }: Size) => {
      const { index } = useStore(store);
      const all = views.all();
      const top = Math.max(0, Math.min(index - height + 1, all.length - height));
      const lines = all.slice(top, top + height).map((view, offset) => {
        const mark = view.name === views.first() ? '●' : ' ';
        const text = `${mark} ${fit(printable(view.name), 24)} ${describe(views.kind, view)}`;
        if (top + offset === index) return `  ${theme.selected(fit(`❯ ${text}`, width - 4))}`;
        return fit(`    ${text}`, width - 2);
      });
      const onMouse = ({ kind, y, lines: turned }: MouseEvent) => {
        if (kind === 'wheel') return moveTo(index + Math.sign(turned));
        if (y < lines.length) moveTo(top + y);
        if (kind === 'double') dialog.perform('views.take');
      };
      return (
        <Region onMouse={onMouse} height={height}>
          <Lines lines={lines} height={height} />
        </Region>
      );
    },
  };
  return dialog;
}

function describe({ rows, sorting, columns: all }: ViewKind, { filter, sort, columns }: View): string {
  const shown = filter === '' ? `all ${rows}` : printable(filter);
  if (all.length === 0) return shown;
  return `${shown}   sort ${sorting.nameOf(sort)}   ${columns.join(' ')}`;
}
