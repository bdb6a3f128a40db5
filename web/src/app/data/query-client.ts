import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { ResponseError } from '../../../../src/contract/client/typed-client.ts';

/** The key of the session. Its data is null if nobody is signed in. */
export const sessionKey = ['session'];

const maxRetries = 2;

/** Reports whether the same request may succeed a moment later: the network or the service fails, or asks to wait. */
export function mayPass(error: Error): boolean {
  return !(error instanceof ResponseError) || error.status >= 500 || error.status === 429;
}

class DashboardQueryClient extends QueryClient {
  /**
   * Loads data again. If it was loading for the first time, loads it once more afterwards: the answer on its way may be
   * older than the change, and TanStack Query would take it for new.
   */
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    await super.invalidateQueries(filters, options);
    // One that loads again already has begun after the change.
    const outdated = loading.filter(({ state }) => state.fetchStatus === 'idle');
    await super.invalidateQueries({ predicate: (query) => outdated.includes(query) }, options);
  }
}

/** What the pages know of the server's data. */
export const queryClient: QueryClient = new DashboardQueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (failures, error) => failures < maxRetries && mayPass(error) },
    // A change that fails for want of a network fails at once, and its form keeps the text.
    mutations: { networkMode: 'always' },
  },
});
