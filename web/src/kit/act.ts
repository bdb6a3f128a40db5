import { confirm } from '../form/confirm.tsx';
import { offerUndo } from '../parts/offer-undo.tsx';
import { tell, tellError } from '../parts/tell.ts';
import type { ShownResource } from './resource.ts';
import type { Action, AnyRow } from './rows.ts';

/** Asks before an action that wants it, does it, shows the row as it is then, and says what was done or why not. */
export async function act<Row extends AnyRow>(
  { refresh }: Pick<ShownResource<Row>, 'refresh'>,
  { ask, run, done, undo }: Action<Row>,
  row: Row,
): Promise<void> {
  try {
    if (ask === undefined) await run(row);
    else if (!(await confirm({ ...ask(row), run: async () => await run(row) }))) return;
    if (done === undefined) return;
    if (undo === undefined) tell(done(row));
    else offerUndo(done(row), () => undo(row).finally(() => refresh([row.id])));
  } catch (error) {
    tellError(error as Error);
  } finally {
    void refresh([row.id]);
  }
}
