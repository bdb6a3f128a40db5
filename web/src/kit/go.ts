import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type RawSearch, stringifySearch } from '../app/addresses/search-params.ts';
import { basePath } from '../app/data/client.ts';

/** A part of a page's address. An undefined value takes it out. */
export type Address = Readonly<Record<string, string | number | undefined>>;

/** Returns what goes to another part of the address of this page; `isStep` keeps what leads back. */
export function useGo(): (part: Address, isStep?: boolean) => void {
  const navigate = useNavigate();
  return (part, isStep = false) =>
    void navigate({
      to: '.',
      search: ((before: RawSearch) => ({ ...before, ...part })) as never,
      replace: isStep,
    });
}

/** Returns the path and query of this page with another part of its address, for links that a browser may open anywhere. */
export function useHref(): (part: Address) => string {
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  return (part) => `${basePath}${pathname}${stringifySearch({ ...(search as RawSearch), ...part })}`;
}
