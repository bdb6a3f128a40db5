import { describe, expect, test } from 'vitest';
import { actions } from '../../../../cli/tui/keys/actions.ts';
import { conflictsOf, createKeymap, keyName } from '../../../../cli/tui/keys/keymap.ts';
import { chains, scopeOf, scopeTitles } from '../../../../cli/tui/keys/scopes.ts';

describe('the table of keys', () => {
  test('has no key with two actions in a chain', () => {
    expect(conflictsOf(createKeymap())).toEqual([]);
  });

  test('finds a key with two actions in a chain', () => {
    const twice = createKeymap({ 'issues.create': ['s'], 'list.down': ['q'] });
    expect(conflictsOf(twice)).toContain('s is assigned to both issues.status and issues.create.');
    expect(conflictsOf(twice)).toContain('q is assigned to both global.quit and list.down.');
  });

  test('finds a key that starts another one', () => {
    const start = createKeymap({ 'text.deleteToEnd': ['ctrl+x'] });
    expect(conflictsOf(start)).toContain(
      'ctrl+x is assigned to text.deleteToEnd, and ctrl+x ctrl+e to compose.external starts with it.',
    );
  });

  test('has unique ids, and every scope is in a chain', () => {
    const ids = actions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const opened = new Set<string>(Object.values(chains).flat());
    expect(Object.keys(scopeTitles).filter((scope) => !opened.has(scope))).toEqual([]);
    expect(ids.filter((id) => !opened.has(scopeOf(id)))).toEqual([]);
  });

  test.each([
    ['ctrl+s', 'Ctrl-S'],
    ['shift+down', 'Shift-↓'],
    ['j', 'j'],
    ['G', 'G'],
    ['pagedown', 'PgDn'],
    ['ctrl+x ctrl+e', 'Ctrl-X Ctrl-E'],
  ])('displays %s as %s', (key, name) => {
    expect(keyName(key)).toBe(name);
  });
});
