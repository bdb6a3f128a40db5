import type { OperationId } from '../../../src/contract/registry.ts';
import { loadPart } from '../app/new-version.ts';
import { refusalOf, useMay } from '../app/session/permissions.ts';
import type { Question } from '../form/confirm.tsx';
import type { RowAction } from '../parts/row-menu-items.tsx';
import type { AnyRow, ShownResource } from './resource.ts';

/** Something that can be done with a row, as data: menus, keys and the palette offer it. */
export interface Action<Row> {
  readonly label: string;
  /** The key that does it with the active row. */
  readonly key?: string;
  /** The operation that it calls. */
  readonly needs?: OperationId;
  /** Returns why it cannot be done with a row, or false if the row has no such action. */
  readonly unless?: (row: Row) => string | false | undefined;
  readonly isDangerous?: boolean;
  /** What to ask before. The dialog shows why it failed. */
  readonly ask?: (row: Row) => Omit<Question, 'run'>;
  readonly run: (row: Row) => unknown;
  /** What to say once it is done. */
  readonly done?: (row: Row) => string;
  /** Puts back what it did, while the message is shown. */
  readonly undo?: (row: Row) => Promise<unknown>;
}

/** Returns what can be done with a row. */
export function useActions<Row extends AnyRow>(
  resource: Pick<ShownResource<Row>, 'refresh'>,
  actions: readonly Action<Row>[],
): (row: Row) => readonly RowAction[] {
  const may = useMay();
  return (row) =>
    actions.flatMap((action) => {
      const { label, key, needs, unless, ask, isDangerous = false } = action;
      const reason = unless?.(row);
      if (reason === false) return [];
      const disabled = needs === undefined || may(needs) ? reason : refusalOf(needs);
      const run = () => void loadPart(() => import('./act.ts')).then(({ act }) => act(resource, action, row));
      return [{ label: ask ? `${label}…` : label, key, disabled, isDangerous, run }];
    });
}
