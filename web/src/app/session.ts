import { queryOptions, useQuery } from '@tanstack/react-query';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import type { DoneOf } from '../../../src/contract/registry.ts';
import { client } from './client.ts';

type Answer = DoneOf<'session.show'>;

/** The session of a signed-in admin. */
export type Session = Answer & { readonly admin: NonNullable<Answer['admin']> };

/** The session; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const answer = await client.call('session.show', {}, signal);
      return answer.admin === null ? null : { ...answer, admin: answer.admin };
    } catch (error) {
      if (error instanceof ResponseError && error.status === 401) return null;
      throw error;
    }
  },
});

let lastSession: Session | null = null;

/** Returns the session that this page had last, also after its end. */
export function lastKnownSession(): Session | null {
  return lastSession;
}

/**
 * Returns the session, on pages that only a signed-in admin sees. When it has ended, they still have the last one until the
 * sign-in takes their place.
 */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  lastSession = data ?? lastSession;
  if (lastSession === null) throw new Error('There is no session.');
  return lastSession;
}
