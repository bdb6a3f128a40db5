import { callerOf } from '../services/call/caller.ts';
import type { CountRequest } from './rate-limit.ts';
import type { Sessions } from './sessions/index.ts';

const nobody = { kind: 'nobody', id: null } as const;

/** Returns sessions that count each request, once its actor is known. A request of nobody counts for its network. */
export function limitRequests(sessions: Sessions, countRequest: CountRequest): Sessions {
  // A stream asks for its actor repeatedly.
  const counted = new WeakSet<object>();
  return {
    ...sessions,
    async authenticate(req, refresh) {
      const actor = await sessions.authenticate(req, refresh);
      if (req.res !== undefined && !counted.has(req)) {
        counted.add(req);
        countRequest(callerOf(actor ?? nobody, req.ip ?? ''), req.res);
      }
      return actor;
    },
  };
}
