declare module 'virtual:theme.css';

declare module 'virtual:operations' {
  import type { OperationId } from '../../src/contract/registry.ts';
  import type { Route } from '../../src/contract/route.ts';
  import type { Role } from '../../src/contract/vocabulary.ts';

  interface Rules {
    readonly roles: readonly Role[];
    /** Whether a session may call it that is limited to setting up a second factor. */
    readonly enrolment?: true;
  }

  export const operations: Readonly<Record<OperationId, Route & Rules>>;
}
