import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';

/** What the website has sent so far. */
export const connectQuery = queryOptions({
  queryKey: ['connect'],
  queryFn: ({ signal }) => client.call('connect.show', {}, signal),
});

// Something has come in, or the contact page was switched.
receivers.add(({ type }) => {
  if (/^(issue|message)\.created|\.recorded|^settings?\./.test(type)) reloadSoon(connectQuery.queryKey);
});
