import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadQuery } from '../conversations/conversation-outside.ts';
import { useMay } from './session/permissions.ts';
import { createStore } from './store.ts';
import { useBranding } from './theme/branding.tsx';

/** The page that is shown, for those who do not see that it has changed. */
export const shownPage = createStore('');

/** Sets the title of the window: the page, and how many conversations are unread. */
export function useTitle(page: string): void {
  const may = useMay();
  const { data: unread = 0 } = useQuery({ ...unreadQuery, enabled: may('conversations.list') });
  usePlainTitle(`${unread > 0 ? `(${unread}) ` : ''}${page}`);
  useEffect(() => shownPage.set(page), [page]);
}

/** Sets the title of a window in which nobody is signed in. */
export function usePlainTitle(page: string): void {
  const { name } = useBranding();
  useEffect(() => {
    document.title = `${page} · ${name}`;
  }, [page, name]);
}
