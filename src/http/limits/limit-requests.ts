import type { Request } from 'express';
import type { Actor } from '../../services/call/actor.ts';
import { callerOf } from '../../services/call/caller.ts';
import type { Sessions } from '../sessions/index.ts';
import type { CountRequest } from './rate-limit.ts';

const nobody = { kind: 'nobody', id: null } as const;

/**
 * Returns sessions that count each request, once its actor is known, and each further call of a request. A request of
 * nobody counts for its network.
 */
export function limitRequests(sessions: Sessions, countRequest: CountRequest): Sessions {
  // A stream asks for its actor repeatedly.
  const counted = new WeakSet<object>();
  const withCall = new WeakSet<object>();
  const count = (req: Request, actor: Pick<Actor, 'kind' | 'id'>) => {
    if (req.res !== undefined) countRequest(callerOf(actor, req.ip ?? ''), req.res);
  };
  return {
    ...sessions,
    async authenticate(req, refresh) {
      const actor = await sessions.authenticate(req, refresh);
      if (!counted.has(req)) {
        counted.add(req);
        count(req, actor ?? nobody);
      }
      return actor;
    },
    countCall(req, actor) {
      if (withCall.has(req)) count(req, actor);
      withCall.add(req);
    },
  };
}
