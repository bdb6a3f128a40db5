import { useMantineColorScheme } from '@mantine/core';
import { commands, usePageCommands } from '../commands/commands.ts';
import { useMay } from '../session/permissions.ts';
import { signOut } from '../session/sign-out.ts';
import { usePageGroups } from '../shell/navigation.tsx';
import { sheetSwitch } from '../shell/switches.ts';
import { themes } from '../theme/themes.ts';
import { type Entry, type EntryGroup, entriesWith } from './entry.ts';
import { recentThings } from './recent-things.ts';

/** Returns what the page knows by itself and the words find: what was opened lately, pages and actions. */
export function useKnownGroups(words: string): readonly EntryGroup[] {
  const groups = [
    { title: 'Recent', entries: recentThings() },
    { title: 'Pages', entries: usePageEntries() },
    { title: 'Actions', entries: useActionEntries() },
  ];
  return groups.map(({ title, entries }) => ({ title, entries: entriesWith(words, entries) }));
}

/** Returns the pages that one may see. */
function usePageEntries(): readonly Entry[] {
  return usePageGroups()
    .flatMap(({ links }) => links)
    .map(({ key, path, title, shortcut }) => ({
      key: `page ${key}`,
      label: title,
      keywords: 'go to page',
      icon: key,
      shortcut,
      link: { to: path },
    }));
}

/** Returns what one can do: on the page that is shown, on every page, and with the dashboard itself. */
function useActionEntries(): readonly Entry[] {
  const may = useMay();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const offered = [...usePageCommands(), ...commands].filter(
    ({ needs }) => needs === undefined || may(needs),
  );
  return [
    ...offered.map(({ title, ...command }) => ({ key: `command ${title}`, label: title, ...command })),
    ...themes.map(({ scheme, title }) => ({
      key: `theme ${scheme}`,
      label: `Theme: ${title}`,
      keywords: 'colors mode appearance',
      run: () => setColorScheme(scheme),
    })),
    {
      key: 'shortcuts',
      label: 'Show the keyboard shortcuts',
      keywords: 'help keys',
      shortcut: '?',
      run: () => sheetSwitch.set(true),
    },
    { key: 'sign out', label: 'Sign out', keywords: 'log out leave', run: () => void signOut() },
  ];
}
