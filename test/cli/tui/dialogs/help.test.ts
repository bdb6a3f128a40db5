import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { helpLines } from '../../../../cli/tui/dialogs/help.tsx';
import { createKeymap } from '../../../../cli/tui/keys/keymap.ts';
import { type Scope, scopeTitles } from '../../../../cli/tui/keys/scopes.ts';
import { openDashboard, silentAccess } from '../../../support/run/dashboard.tsx';

describe('the help', () => {
  const scopes = Object.keys(scopeTitles) as Scope[];
  const lines = (keymap = createKeymap()) => helpLines(keymap, scopes).map(stripVTControlCharacters);

  test('shows all keys of every action', () => {
    expect(lines().join('\n')).not.toContain('…');
    expect(lines()).toContain('  Ctrl-W  Alt-Backspace  Delete the previous word');
  });

  test('cuts a long list of keys from keys.json', () => {
    const many = createKeymap({ 'global.quit': ['Q', 'ctrl+q', 'alt+q', 'ctrl+x', 'alt+x', 'ctrl+y'] });
    expect(lines(many)).toContain('  Q  Ctrl-Q  Alt-Q  Ctrl-X  A…  Quit');
  });

  test('finds keys by their words as they are typed', async () => {
    const dashboard = openDashboard(silentAccess);
    dashboard.press('?');
    await dashboard.shows('Type to search.');
    dashboard.write('undo last');
    const frame = await dashboard.hides('Go to the issues');
    expect(frame).toContain('z ');
    expect(frame).toContain('Undo the last change of a status or an assignee');
    expect(frame).not.toContain('more line');
    dashboard.press('esc');
    await dashboard.shows('Type to search.');
    dashboard.press('?');
    await dashboard.hides('── Keys');
    dashboard.close();
  });

  test('scrolls to the last key and shows how many lines follow', async () => {
    const dashboard = openDashboard(silentAccess);
    dashboard.press('?');
    await dashboard.shows(/↓ \d+ more lines/);
    dashboard.press('ctrl+end');
    await dashboard.hides('more line');
    dashboard.press('up');
    await dashboard.shows('↓ 1 more line ');
    dashboard.close();
  });
});
