import { type Action, type ActionId, actions } from './actions.ts';
import { type Chain, chains, scopeOf } from './scopes.ts';

/** The actions with the keys that they have on this machine. */
export interface Keymap {
  /** Returns the action of a key while the scopes of the chain are active. */
  find(chain: Chain, key: string): ActionId | undefined;
  /** Reports whether a key of the chain starts with these strokes, as `ctrl+x` starts `ctrl+x ctrl+e`. */
  isPrefix(chain: Chain, strokes: string): boolean;
  keysOf(id: ActionId): readonly string[];
}

/** Keys that replace those of the table, for some actions. */
export type Remapping = Readonly<Partial<Record<ActionId, readonly string[]>>>;

/** Returns the table's entry for an action. */
export function actionOf(id: ActionId): Action {
  return actions.find((action) => action.id === id) as Action;
}

export function createKeymap(remapping: Remapping = {}): Keymap {
  const keysOf = (id: ActionId) => remapping[id] ?? actionOf(id).keys;
  const tables = Object.fromEntries(
    Object.keys(chains).map((chain) => [chain, tableOf(chain as Chain, keysOf)]),
  );
  const keysIn = (chain: Chain) => [...(tables[chain]?.keys() ?? [])];
  return {
    find: (chain, key) => tables[chain]?.get(key),
    isPrefix: (chain, strokes) => keysIn(chain).some((key) => startsWith(key, strokes)),
    keysOf,
  };
}

/** Reports whether a key of several strokes starts with these. */
function startsWith(key: string, strokes: string): boolean {
  return key.startsWith(`${strokes} `);
}

function actionsIn(chain: Chain): ActionId[] {
  const scopes: readonly string[] = chains[chain];
  return actions.map(({ id }) => id).filter((id) => scopes.includes(scopeOf(id)));
}

function tableOf(chain: Chain, keysOf: Keymap['keysOf']): ReadonlyMap<string, ActionId> {
  return new Map(actionsIn(chain).flatMap((id) => keysOf(id).map((key) => [key, id] as const)));
}

/** Returns the display name of an action's first key, or a dash if it has no key. */
export function firstKeyOf({ keysOf }: Pick<Keymap, 'keysOf'>, id: ActionId): string {
  return keyName(keysOf(id)[0] ?? '–');
}

/** Returns a sentence for each key that has two actions within a chain. */
export function conflictsOf({ keysOf }: Pick<Keymap, 'keysOf'>): string[] {
  const found = new Set<string>();
  for (const chain of Object.keys(chains) as Chain[]) {
    const taken = new Map<string, ActionId>();
    for (const id of actionsIn(chain)) {
      for (const key of keysOf(id)) {
        const other = taken.get(key);
        if (other !== undefined) found.add(`${key} is assigned to both ${other} and ${id}.`);
        taken.set(key, id);
      }
    }
    for (const [key, id] of taken) {
      const longer = [...taken.keys()].find((other) => startsWith(other, key));
      if (longer !== undefined)
        found.add(`${key} is assigned to ${id}, and ${longer} to ${taken.get(longer)} starts with it.`);
    }
  }
  return [...found];
}

const displayNames: Readonly<Record<string, string>> = {
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

/** Returns the display name of a key: `Ctrl-S` for `ctrl+s`. */
export function keyName(key: string): string {
  return key.split(' ').map(strokeName).join(' ');
}

function strokeName(key: string): string {
  const parts = key === '+' ? ['+'] : key.split('+');
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}-`).join('');
  return (
    modifiers + (displayNames[last] ?? (modifiers === '' && last.length === 1 ? last : last.toUpperCase()))
  );
}
