import type { UseNavigateResult } from '@tanstack/react-router';
import { signInPath } from '../../../src/contract/pages.ts';
import { client } from './client.ts';
import { queryClient } from './query-client.ts';

/** Ends the session, and forgets what the page knows. */
export async function signOut(navigate: UseNavigateResult<string>): Promise<void> {
  await client.call('session.delete', {});
  await navigate({ to: signInPath, search: {} });
  queryClient.clear();
}
