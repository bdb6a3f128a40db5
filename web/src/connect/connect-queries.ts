import { queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import { client } from '../app/data/client.ts';
import { reloadSoon } from '../app/data/reload.ts';

/** What the website has sent so far. */
export const connectQuery = queryOptions({
  queryKey: ['connect'],
  queryFn: ({ signal }) => client.call('connect.show', {}, signal),
});

/** Brings what is shown of it up to date: something has come in, or the contact page was switched. */
export function receiveConnectEvent({ type }: EventOrGap): void {
  if (/^(issue|message)\.created|\.recorded|^settings?\./.test(type)) reloadSoon(connectQuery.queryKey);
}
