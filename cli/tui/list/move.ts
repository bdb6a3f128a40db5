import type { List } from './list.ts';

/** Applies a movement key to a list. Reports whether the action was a movement. */
export function moveList(
  list: Pick<List<unknown>, 'move' | 'toFirst' | 'toLast' | 'pageRows'>,
  action: string,
): boolean {
  const page = Math.max(1, list.pageRows - 1);
  const steps: Readonly<Record<string, number>> = {
    'list.down': 1,
    'list.up': -1,
    'list.pageDown': page,
    'list.pageUp': -page,
    'list.halfDown': Math.ceil(page / 2),
    'list.halfUp': -Math.ceil(page / 2),
  };
  if (action === 'list.first') list.toFirst();
  else if (action === 'list.last') list.toLast();
  else if (steps[action] !== undefined) list.move(steps[action]);
  else return false;
  return true;
}
