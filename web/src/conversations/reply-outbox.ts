import { useSyncExternalStore } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { client, sharedName } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { keepText, keptKey, keptText, subscribeToTexts, useKept } from '../app/kept.ts';
import { sessionQuery, useSession } from '../app/session/session.ts';
import { createStore } from '../app/store.ts';
import { sentenceOf } from '../parts/failure.tsx';
import { reloadThread } from './thread-queries.ts';

/** A proposed reply, as it was on the screen. */
export interface SeenDraft {
  /** The id of the visitor's message. */
  readonly id: number;
  readonly draft: string;
}

/** The reply that is being written. */
export interface Draft {
  readonly text: string;
  /** The proposed reply that is being edited: sending the text approves it. */
  readonly approves?: SeenDraft | undefined;
}

export const emptyDraft: Draft = { text: '' };

/** Returns the reply that is being written, which the browser keeps for each admin and conversation, and a function to change it. */
export function useDraft(conversationId: string): readonly [Draft, (draft: Draft) => void] {
  const [draft = emptyDraft, keep] = useKept<Draft>(`reply.${conversationId}`);
  return [draft, (next) => keep(next.text === '' ? undefined : next)];
}

/** A reply on its way. The browser keeps it until the service has confirmed it, also over a closed tab. */
export interface UnsentReply {
  /** The service runs a key once, so that a reply that is sent again is never there twice. */
  readonly key: string;
  readonly conversationId: string;
  readonly content: string;
  /** When it was written, in milliseconds. */
  readonly writtenAt: number;
  /** The newest message that was shown when it was written; 0 if there was none. */
  readonly after: number;
  /** The proposed reply that it is an edited form of. */
  readonly approves?: SeenDraft;
  /** Why it could not be sent. */
  readonly problem?: string;
  /** Whether the cause passes by itself, such as a lost connection. */
  readonly isWaiting?: boolean;
  /** Whether the same request would be refused each time. */
  readonly isRefused?: boolean;
}

/** How long after it was written a reply is sent without being asked: later it may not fit any more. */
const unaskedMs = 60 * 60_000;

/** What was read last, so that unchanged replies are the same objects. */
let read: { readonly text: string | null; readonly replies: readonly UnsentReply[] } = {
  text: null,
  replies: [],
};

/** The replies belong to who wrote them: another admin who signs in with this browser neither sees nor sends them. */
const outboxKey = (adminId: string) => keptKey(adminId, 'outbox');

/** Returns the replies of an admin that the service has not confirmed. */
function outboxOf(adminId: string): readonly UnsentReply[] {
  const text = keptText(outboxKey(adminId));
  if (text !== read.text) read = { text, replies: parse(text) };
  return read.replies;
}

function parse(text: string | null): readonly UnsentReply[] {
  if (text === null) return [];
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function store(adminId: string, replies: readonly UnsentReply[]): void {
  keepText(outboxKey(adminId), replies.length === 0 ? null : JSON.stringify(replies));
}

const isKept = (adminId: string, key: string) => outboxOf(adminId).some((reply) => reply.key === key);

/** Keeps a reply, in the place that it has. */
function putReply(adminId: string, reply: UnsentReply): void {
  const replies = outboxOf(adminId);
  const replaced = replies.map((each) => (each.key === reply.key ? reply : each));
  store(adminId, isKept(adminId, reply.key) ? replaced : [...replies, reply]);
}

/** Forgets a reply: it was sent, or is edited. */
export function removeReply(adminId: string, key: string): void {
  store(
    adminId,
    outboxOf(adminId).filter((reply) => reply.key !== key),
  );
}

/** Returns the replies that the service has not confirmed, of all conversations or of one. */
export function useUnsentReplies(conversationId?: string): readonly UnsentReply[] {
  const { admin } = useSession();
  const replies = useSyncExternalStore(subscribeToTexts, () => outboxOf(admin.id));
  return conversationId === undefined
    ? replies
    : replies.filter((reply) => reply.conversationId === conversationId);
}

/** The keys of the replies that this page is sending. */
const sending = createStore<ReadonlySet<string>>(new Set());

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
  void inTurn(reply.conversationId, () => deliver(adminId, fresh)).finally(() =>
    sending.set(sending.get().difference(new Set([reply.key]))),
  );
}

/** Sends what waits for the service, as the shell asks: after an outage, a sign-in or a closed tab. */
export function sendWaiting(adminId: string): void {
  for (const reply of outboxOf(adminId)) if (isDue(reply)) sendReply(adminId, reply);
}

/** Reports whether a reply was never refused, only not confirmed, and is recent. */
function isDue({ problem, isWaiting = problem === undefined, writtenAt }: UnsentReply): boolean {
  return isWaiting && Date.now() - writtenAt < unaskedMs;
}

/** The last reply of each conversation on its way, where the browser has no locks. */
const last = new Map<string, Promise<void>>();

/** Sends the replies to a conversation one after the other, also those of other tabs, so that they arrive in their order. */
function inTurn(conversationId: string, run: () => Promise<void>): Promise<void> {
  if (navigator.locks) return navigator.locks.request(sharedName(`replies ${conversationId}`), run);
  const turn = (last.get(conversationId) ?? Promise.resolve()).then(run);
  last.set(conversationId, turn);
  return turn;
}

async function deliver(adminId: string, reply: UnsentReply): Promise<void> {
  const { conversationId: conversation_id, content, approves, key } = reply;
  // Another tab has sent it meanwhile.
  if (!isKept(adminId, key)) return;
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
    await reloadThread(conversation_id);
    removeReply(adminId, key);
  } catch (error) {
    const problem = sentenceOf(error as Error);
    if (isKept(adminId, key))
      putReply(adminId, { ...reply, problem, isWaiting: mayPass(error), isRefused: isRefusal(error) });
    void reloadThread(conversation_id);
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
