declare module 'virtual:theme.css';

declare module 'virtual:operations' {
  import type { OperationId } from '../../src/contract/registry.ts';
  import type { Route } from '../../src/contract/route.ts';
  import type { Role } from '../../src/contract/vocabulary.ts';

  export const operations: Readonly<Record<OperationId, Route & { readonly roles: readonly Role[] }>>;
}
