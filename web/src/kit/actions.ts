import { loadPart } from '../app/lazy-part.ts';
import { refusalOf, useMay } from '../app/session/permissions.ts';
import type { RowAction } from '../parts/floating.tsx';
import type { ShownResource } from './resource.ts';
import type { Action, AnyRow } from './rows.ts';

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
      const run = () =>
        void loadPart(() => import('./use-change.ts')).then(({ act }) => act(resource, action, row));
      return [{ label: ask ? `${label}…` : label, key, disabled, isDangerous, run }];
    });
}
