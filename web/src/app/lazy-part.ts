import { type FunctionComponent, type LazyExoticComponent, lazy } from 'react';
import { loadPart } from './new-version.ts';

/**
 * Returns a component that is loaded when it is first shown. While its files cannot be loaded, the `Suspense` around it shows
 * its fallback, and the page says so.
 */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, FunctionComponent<Props>>>,
  name: Name,
): LazyExoticComponent<FunctionComponent<Props>> {
  return lazy(async () => ({ default: (await loadPart(load))[name] }));
}
