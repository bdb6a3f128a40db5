import { queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';

export type Token = OutputOf<'tokens.list'>['tokens'][number];

/** The API tokens that one may see: one's own, or those of everybody. */
export function tokensQuery(q: string | undefined) {
  return queryOptions({
    queryKey: ['tokens', 'list', q],
    queryFn: async ({ signal }) => (await client.call('tokens.list', { q }, signal)).tokens,
    placeholderData: (before) => before,
  });
}

/** Loads the tokens again. */
export async function reloadTokens(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['tokens'] });
}

/** Brings what is shown of tokens up to date. Only superadmins get these events. */
export function receiveTokenEvent({ type }: EventOrGap): void {
  if (type.startsWith('token.')) void reloadTokens();
}
