import { useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { pages } from '../../../../src/contract/pages.ts';
import { openPalette, sheetSwitch } from '../commands/commands.ts';
import { commandKey, pressedKey } from '../commands/keys.ts';
import { everywhere, useShortcutKeys, useShortcuts } from '../commands/shortcuts.ts';
import { useMay } from '../session/permissions.ts';
import { usePageGroups } from './navigation.tsx';

/** Offers the shortcuts that work on every page. */
export function useShellShortcuts(): void {
  const navigate = useNavigate();
  const links = usePageGroups().flatMap((group) => group.links);
  const may = useMay();
  useShortcutKeys();
  // Also from within a field, where no other shortcut works.
  useWindowEvent('keydown', (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isCommand || pressedKey(event).toLowerCase() !== 'k') return;
    event.preventDefault();
    openPalette();
  });
  useShortcuts(everywhere, [
    { keys: '?', title: 'Show the shortcuts', inDialogs: true, run: () => sheetSwitch.set(true) },
    { keys: `${commandKey} K`, title: 'Find a page, an action, a thing' },
    // A page with a search has this key for it.
    { keys: '/', title: 'Search', run: openPalette },
    ...(may('issues.create')
      ? [
          {
            keys: 'c',
            title: 'Report an issue',
            run: () => void navigate({ to: pages.issues.path, search: { report: 'true' } }),
          },
        ]
      : []),
    ...links.map(({ shortcut, path, title }) => ({
      keys: shortcut,
      title: `Go to ${title}`,
      run: () => void navigate({ to: path }),
    })),
  ]);
}
