import { type Action, type ActionId, actions, type Chain, chains, scopeOf } from './actions.ts';

/** Actions with the keys that they have on this machine. */
export interface Keymap {
  /** What a key does where those scopes are open. */
  find(chain: Chain, key: string): ActionId | undefined;
  keysOf(id: ActionId): readonly string[];
}

/** Other keys for some actions. */
export type Remapping = Readonly<Partial<Record<ActionId, readonly string[]>>>;

/** An action of the table, in full. */
export function actionOf(id: ActionId): Action {
  return actions.find((action) => action.id === id) as Action;
}

export function createKeymap(remapping: Remapping = {}): Keymap {
  const keysOf = (id: ActionId) => remapping[id] ?? actionOf(id).keys;
  const tables = Object.fromEntries(
    Object.keys(chains).map((chain) => [chain, tableOf(chain as Chain, keysOf)]),
  );
  return { find: (chain, key) => tables[chain]?.get(key), keysOf };
}

function actionsIn(chain: Chain): ActionId[] {
  const scopes: readonly string[] = chains[chain];
  return actions.map(({ id }) => id).filter((id) => scopes.includes(scopeOf(id)));
}

function tableOf(chain: Chain, keysOf: Keymap['keysOf']): ReadonlyMap<string, ActionId> {
  return new Map(actionsIn(chain).flatMap((id) => keysOf(id).map((key) => [key, id] as const)));
}

/** The key that an action is named by, as people know it; a dash where it has none. */
export function firstKeyOf({ keysOf }: Pick<Keymap, 'keysOf'>, id: ActionId): string {
  return keyName(keysOf(id)[0] ?? '–');
}

/** Each key that would do two things at one time, in a sentence. */
export function conflictsOf({ keysOf }: Pick<Keymap, 'keysOf'>): string[] {
  const found = new Set<string>();
  for (const chain of Object.keys(chains) as Chain[]) {
    const taken = new Map<string, ActionId>();
    for (const id of actionsIn(chain)) {
      for (const key of keysOf(id)) {
        const other = taken.get(key);
        if (other !== undefined) found.add(`${key} would do both ${other} and ${id}.`);
        taken.set(key, id);
      }
    }
  }
  return [...found];
}

const signs: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  enter: 'Enter',
  esc: 'Esc',
  space: 'Space',
  tab: 'Tab',
  home: 'Home',
  end: 'End',
  backspace: 'Backspace',
  delete: 'Del',
};

/** A key as people know it: `ctrl+s` is `Ctrl-S`. */
export function keyName(key: string): string {
  const parts = key === '+' ? ['+'] : key.split('+');
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}-`).join('');
  return modifiers + (signs[last] ?? (modifiers === '' ? last : last.toUpperCase()));
}
