import { useCallback } from 'react';

/** A list that is loaded page by page. */
export interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Returns a function that loads the next page of a list, unless there is none or it is on its way. */
export function useLoadMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: PagedList): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}
