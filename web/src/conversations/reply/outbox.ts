import { useEffect, useSyncExternalStore } from 'react';
import { newIdempotencyKey } from '../../../../src/contract/client/retry.ts';
import { ResponseError } from '../../../../src/contract/client/typed-client.ts';
import { client } from '../../app/data/client.ts';
import { useLiveState } from '../../app/data/live.ts';
import { noticeEndedSession, queryClient } from '../../app/data/query-client.ts';
import { subscribeToTexts } from '../../app/kept/kept-texts.ts';
import { sessionQuery, useSession } from '../../app/session/session.ts';
import { createStore } from '../../app/store.ts';
import { sentenceOf } from '../../parts/failure.tsx';
import { reloadConversations } from '../conversation-queries.ts';
import { outboxOf, putReply, removeReply, type UnsentReply } from './outbox-storage.ts';
import type { Draft } from './use-draft.ts';

/** How long after it was written a reply is sent without being asked: later it may not fit any more. */
const unaskedMs = 60 * 60_000;

/** The keys of the replies that this page is sending. */
const sending = createStore<ReadonlySet<string>>(new Set());

/** The last reply of each conversation on its way. The next one waits for it, so that they arrive in their order. */
const last = new Map<string, Promise<void>>();

/** Returns the replies that the service has not confirmed, of all conversations or of one. */
export function useUnsentReplies(conversationId?: string): readonly UnsentReply[] {
  const { admin } = useSession();
  const replies = useSyncExternalStore(subscribeToTexts, () => outboxOf(admin.id));
  return conversationId === undefined
    ? replies
    : replies.filter((reply) => reply.conversationId === conversationId);
}

/** Returns the keys of the replies that are being sent. */
export const useSendingKeys = sending.use;

/** Returns a reply with a key of its own, which the service runs once, to messages of which `after` is the newest. */
export function newReply(conversationId: string, { text, approves }: Draft, after: number): UnsentReply {
  return {
    key: newIdempotencyKey(),
    conversationId,
    content: text,
    writtenAt: Date.now(),
    after,
    ...(approves === undefined ? {} : { approves }),
  };
}

/** Sends a reply, or sends it again with the key that it has. It stays in the outbox until the service has it. */
export function sendReply(adminId: string, reply: UnsentReply): void {
  if (sending.get().has(reply.key)) return;
  const { problem: _problem, isWaiting: _isWaiting, isRefused: _isRefused, ...fresh } = reply;
  putReply(adminId, fresh);
  sending.set(sending.get().union(new Set([reply.key])));
  const earlier = last.get(reply.conversationId) ?? Promise.resolve();
  last.set(
    reply.conversationId,
    earlier.then(() => deliver(adminId, fresh)),
  );
}

async function deliver(adminId: string, reply: UnsentReply): Promise<void> {
  const { conversationId: conversation_id, content, approves, key } = reply;
  try {
    if (isSomebodyElse(adminId)) throw new Error('The reply waits for its author.');
    await client.call(
      'messages.create',
      approves === undefined
        ? { conversation_id, content }
        : { approve: approves.id, conversation_id, content, expected: { ai_draft: approves.draft } },
      undefined,
      key,
    );
    await reloadConversations(conversation_id);
    removeReply(adminId, key);
  } catch (error) {
    putReply(adminId, {
      ...reply,
      problem: sentenceOf(error as Error),
      isWaiting: mayPass(error),
      isRefused: isRefusal(error),
    });
    void reloadConversations(conversation_id);
    noticeEndedSession(error);
  } finally {
    sending.set(sending.get().difference(new Set([key])));
  }
}

/** Reports whether another admin has signed in on this page since the reply was written. */
function isSomebodyElse(adminId: string): boolean {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session !== undefined && session !== null && session.admin.id !== adminId;
}

/** Reports whether a reply goes through by itself once the service can be reached, or its author has signed in again. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ResponseError)) return true;
  return [401, 429, 502, 503, 504].includes(error.status) || error.code === 'idempotency_key_in_use';
}

/** Reports whether the service has refused a reply for good. After any other failure it may have the reply already. */
function isRefusal(error: unknown): boolean {
  return error instanceof ResponseError && error.status < 500 && !mayPass(error);
}

/** Sends what waits for the service, whenever the page is connected: after an outage, a sign-in or a closed tab. */
export function useSendWaiting(): void {
  const { admin } = useSession();
  const isLive = useLiveState() === 'live';
  useEffect(() => {
    const send = () => {
      for (const reply of outboxOf(admin.id)) if (isDue(reply)) sendReply(admin.id, reply);
    };
    if (isLive) send();
    // The stream of events may have survived a short outage.
    addEventListener('online', send);
    return () => removeEventListener('online', send);
  }, [admin.id, isLive]);
}

/** Reports whether a reply was never refused, only not confirmed, and is recent. */
function isDue({ problem, isWaiting = problem === undefined, writtenAt }: UnsentReply): boolean {
  return isWaiting && Date.now() - writtenAt < unaskedMs;
}
