import { queryOptions, useQuery } from '@tanstack/react-query';
import { ResponseError } from '../../../../src/contract/client/typed-client.ts';
import type { DoneOf } from '../../../../src/contract/registry.ts';
import { client } from '../data/client.ts';
import { sessionKey } from '../data/query-client.ts';

type Answer = DoneOf<'session.show'>;

/** The session of a signed-in admin. */
export type Session = NonNullable<ReturnType<typeof sessionOf>>;

/** The session; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  staleTime: Number.POSITIVE_INFINITY,
  // A page may need none of it for long, and its end is still watched.
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const response = await client.request('session.show', { include: 'rules,password,events' }, signal);
      return sessionOf((await response.json()) as Answer, response.headers);
    } catch (error) {
      if (error instanceof ResponseError && error.status === 401) return null;
      throw error;
    }
  },
});

function sessionOf(answer: Answer, headers: Headers) {
  const { admin, rules, latest_event: latestEvent, expires_at: finalAt, idle_expires_at: idleAt } = answer;
  if (!admin || !rules || latestEvent === undefined || !finalAt || !idleAt) return null;
  const sentAt = Date.parse(headers.get('date') ?? '');
  // The clock of this browser may be wrong.
  const ahead = Number.isNaN(sentAt) ? 0 : Date.now() - sentAt;
  return {
    admin,
    rules,
    /** When it ends unless it is used, and when it ends in any case, in the time of this browser. */
    ends: { idleAt: Date.parse(idleAt) + ahead, finalAt: Date.parse(finalAt) + ahead },
    /** Whether the account still has the password that the service generated. */
    hasGeneratedPassword: answer.generated_password === true,
    /** Whether it may only set up a second factor, which the account needs. */
    isLimited: answer.limited_to !== undefined,
    /** The id of the latest event when the session was read. Data that is loaded later includes its change. */
    latestEvent,
  };
}

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
