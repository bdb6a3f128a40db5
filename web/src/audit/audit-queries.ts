import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import type { AuditFilter } from './audit-filter.ts';

export type AuditEntry = OutputOf<'audit.list'>['audit'][number];
export type AuditList = InfiniteData<OutputOf<'audit.list'>>;

const pageSize = 500;

/** The entries of a filter, page by page, newest first. What is new is laid before them and never loads them again. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('audit.list', { ...filter, limit: pageSize, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How many entries a filter finds. */
export function auditTotalQuery(filter: AuditFilter) {
  return queryOptions({
    queryKey: ['audit', 'total', filter],
    queryFn: async ({ signal }) =>
      (await client.call('audit.list', { ...filter, limit: 1, count: '1' }, signal)).total,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** One entry; null if there is none with that id. */
export function auditEntryQuery(id: number) {
  return queryOptions({
    queryKey: ['audit', 'one', id],
    queryFn: async ({ signal }) => {
      const { audit } = await client.call('audit.list', { after: String(id - 1), limit: 1 }, signal);
      return audit.find((entry) => entry.id === id) ?? null;
    },
  });
}

/** The names that one can filter by: those of admins and of tokens. */
export const actorNamesQuery = queryOptions({
  queryKey: ['audit', 'actors'],
  queryFn: async ({ signal }) => {
    const [{ admins }, { tokens }] = await Promise.all([
      client.call('admins.list', {}, signal),
      client.call('tokens.list', {}, signal),
    ]);
    const names = [...admins.map(({ email }) => email), ...tokens.map(({ name }) => `token:${name}`)];
    return [...new Set(names)];
  },
});

/** Loads the entries again, from the newest on. */
export function reloadAudit(): void {
  void queryClient.resetQueries({ queryKey: ['audit', 'list'] });
  void queryClient.invalidateQueries({ queryKey: ['audit', 'total'] });
}
