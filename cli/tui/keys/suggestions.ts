import leven from 'leven';
import { type ActionId, actions } from './actions.ts';
import { scopeOf } from './scopes.ts';

/** Returns the actions that a mistyped name most likely means, the likeliest first. The name may lack the scope. */
export function suggestActions(name: string, limit: number): readonly ActionId[] {
  return actions
    .map(({ id }) => {
      const withoutScope = id.slice(scopeOf(id).length + 1);
      return { id, distance: Math.min(leven(name, id), leven(name, withoutScope)) };
    })
    .sort((one, other) => one.distance - other.distance)
    .slice(0, limit)
    .map(({ id }) => id);
}
