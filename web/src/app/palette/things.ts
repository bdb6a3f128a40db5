import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { conversationEntry } from '../../conversations/conversation-outside.ts';
import { issueEntry } from '../../issues/issue-resource.ts';
import { settingsQuery } from '../../settings/setting-rows.ts';
import { commands, sheetSwitch, usePageCommands } from '../commands/commands.ts';
import { client } from '../data/client.ts';
import { queryClient } from '../data/query-client.ts';
import { useMay } from '../session/permissions.ts';
import { signOut } from '../session/session-end.ts';
import { type PageLink, usePageGroups } from '../shell/navigation.tsx';
import { themes } from '../theme/theme.ts';
import { type Entry, type EntryGroup, entriesWith, recentThings } from './entries.ts';

/** Returns what the page knows by itself and the words find: what was opened lately, pages and actions. */
export function useKnownGroups(words: string): readonly EntryGroup[] {
  const groups = [
    { title: 'Recent', entries: recentThings() },
    { title: 'Pages', entries: usePageGroups().flatMap(({ links }) => links.map(pageEntry)) },
    { title: 'Actions', entries: useActionEntries() },
  ];
  return groups.map(({ title, entries }) => ({ title, entries: entriesWith(words, entries) }));
}

function pageEntry({ key, path, title, shortcut }: PageLink): Entry {
  const keywords = 'go to page';
  return { key: `page ${key}`, label: title, keywords, icon: key, shortcut, link: { to: path } };
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
    ...Object.entries(themes).map(([scheme, title]) => ({
      key: `theme ${scheme}`,
      label: `Theme: ${title}`,
      keywords: 'colors mode appearance',
      run: () => setColorScheme(scheme as MantineColorScheme),
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

const perGroup = 5;

type Find = (text: string, signal: AbortSignal) => Promise<readonly Entry[]>;

/** The kinds of things that a text finds, with the operation that finds them. */
const kinds = [
  { title: 'Issues', needs: 'issues.list', find: findIssues },
  { title: 'Conversations', needs: 'conversations.list', find: findConversations },
  { title: 'Settings', needs: 'settings.show', find: findSettings },
  { title: 'Admins', needs: 'admins.list', find: findAdmins },
] as const satisfies readonly { title: string; needs: Parameters<typeof client.call>[0]; find: Find }[];

/** Finds things by a text, through the search of the API. What was found before stays until then. */
export function useThings(asked: string) {
  const may = useMay();
  return useQueries({
    queries: kinds.map(({ title, needs, find }) => ({
      queryKey: ['palette', title, asked],
      queryFn: async ({ signal }: { signal: AbortSignal }) => ({ title, entries: await find(asked, signal) }),
      enabled: may(needs) && asked.length > 1,
      placeholderData: keepPreviousData,
      retry: false,
    })),
    combine: (results) => ({
      groups: asked.length > 1 ? results.flatMap(({ data }): EntryGroup[] => (data ? [data] : [])) : [],
      isLoading: results.some(({ isFetching }) => isFetching),
      hasFailed: results.some(({ isError }) => isError),
    }),
  });
}

/** Finds the issue with a number, such as `4711`, `#4711` or `issue 4711`, and issues by their words. */
async function findIssues(text: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const id = /^(?:issue\s*)?#?([1-9]\d{0,9})$/i.exec(text)?.[1];
  const byId = id === undefined ? [] : [client.call('issues.list', { id: Number(id), limit: 1 }, signal)];
  const lists = await Promise.all([
    ...byId,
    client.call('issues.list', { q: text, limit: perGroup }, signal),
  ]);
  const issues = lists.flatMap((list) => ('issues' in list ? list.issues : []));
  return [...new Map(issues.map((issue) => [issue.id, issue])).values()].map(issueEntry);
}

async function findConversations(q: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const { conversations } = await client.call('conversations.list', { q, limit: perGroup }, signal);
  return conversations.map(conversationEntry);
}

/** Finds settings by their keys. There is no search of them: the page has them all. */
async function findSettings(text: string): Promise<readonly Entry[]> {
  const { settings, details } = await queryClient.ensureQueryData(settingsQuery);
  return Object.keys({ ...settings, ...details })
    .filter((key) => key.toLowerCase().includes(text.toLowerCase()))
    .slice(0, perGroup)
    .map((key) => ({
      key: `setting ${key}`,
      label: key,
      icon: 'settings',
      isThing: true,
      link: { to: '/settings', search: { setting: key } },
    }));
}

async function findAdmins(q: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const { admins } = await client.call('admins.list', { q, limit: perGroup }, signal);
  return admins.map(({ id, email, username, role }) => ({
    key: `admin ${id}`,
    label: username,
    description: `${email} · ${role}`,
    icon: 'admins',
    isThing: true,
    link: { to: '/admins', search: { q: email } },
  }));
}
