import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list that is loaded page by page. */
export interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface MoreButtonProps extends ButtonProps {
  readonly list: PagedList;
  readonly children: ReactNode;
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ list, ...props }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
      {...props}
    />
  );
}

interface NewsButtonProps extends ButtonProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Leads to what has come meanwhile. It lies over the list, so that nothing moves when it comes. */
export function NewsButton(props: NewsButtonProps) {
  const place = { pos: 'absolute', left: 0, right: 0, mx: 'auto', w: 'fit-content' } as const;
  return <Button size="compact-sm" radius="xl" style={{ zIndex: 3 }} {...place} {...props} />;
}
