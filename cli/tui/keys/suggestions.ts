import { type ActionId, actions, scopeOf } from './actions.ts';

/** The actions that a name was most likely meant for, the likeliest first. Its scope may be missing. */
export function nearestActions(name: string, most: number): readonly ActionId[] {
  return actions
    .map(({ id }) => {
      const what = id.slice(scopeOf(id).length + 1);
      return { id, steps: Math.min(stepsBetween(name, id), stepsBetween(name, what)) };
    })
    .sort((one, other) => one.steps - other.steps)
    .slice(0, most)
    .map(({ id }) => id);
}

/** How many characters are to be added, removed or replaced between two texts (Levenshtein). */
function stepsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, character] of [...from].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
