import { useMemo, useSyncExternalStore } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { client, sharedName } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { keepText, keptKey, keptText, keptTexts, parseKept, subscribeToTexts, useKept } from '../app/kept.ts';
import { sessionQuery, useSession } from '../app/session/session.ts';
import { createStore } from '../app/store.ts';
import { sentenceOf, ToldError } from '../parts/note.tsx';
import { reloadThread } from './conversation-resource.ts';

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

const draftName = (conversationId: string) => `reply.${conversationId}`;

/** Returns the reply that is being written, which the browser keeps for each admin and conversation, and a function to change it. */
export function useDraft(conversationId: string) {
  const [draft = { text: '' }, keep] = useKept<Draft>(draftName(conversationId));
  return [draft, (next: Draft) => keep(next.text === '' ? undefined : next)] as const;
}

/** Returns the reply that is being written now. */
export const draftNow = (adminId: string, conversationId: string): Draft =>
  parseKept(keptText(keptKey(adminId, draftName(conversationId)))) ?? { text: '' };

/**
 * What becomes of a reply that could not be sent: it waits for what passes by itself, such as a lost connection or an ended
 * session, or is refused each time. After any other failure the service may have it already.
 */
type Outcome = 'waiting' | 'refused' | 'unknown';

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
  readonly outcome?: Outcome;
}

/** How long after it was written a reply is sent without being asked: later it may not fit any more. */
const unaskedMs = 60 * 60_000;

/**
 * The replies belong to who wrote them: another admin who signs in with this browser neither sees nor sends them. Each has a
 * text of its own: tabs that changed a common one at the same time would take replies from each other.
 */
const keyOf = (adminId: string, key = '') => keptKey(adminId, `outbox.${key}`);

const textsOf = (adminId: string) => keptTexts(keyOf(adminId));

const inOrder = (texts: readonly string[]) =>
  texts
    .flatMap((text) => parseKept<UnsentReply>(text) ?? [])
    .toSorted((one, other) => one.writtenAt - other.writtenAt);

function putReply(adminId: string, reply: UnsentReply): void {
  keepText(keyOf(adminId, reply.key), JSON.stringify(reply));
}

/** Forgets a reply: it was sent, or is edited. */
export function removeReply(adminId: string, key: string): void {
  keepText(keyOf(adminId, key), null);
}

const isKept = (adminId: string, key: string) => keptText(keyOf(adminId, key)) !== null;

/** Returns the replies to a conversation that the service has not confirmed. */
export function useUnsentReplies(conversationId: string): readonly UnsentReply[] {
  const { admin } = useSession();
  const texts = useSyncExternalStore(subscribeToTexts, () => textsOf(admin.id).join('\n'));
  const replies = useMemo(() => inOrder(texts.split('\n')), [texts]);
  return replies.filter((reply) => reply.conversationId === conversationId);
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
    ...(approves && { approves }),
  };
}

/** Sends a reply, or sends it again with the key that it has. It stays in the outbox until the service has it. */
export function sendReply(adminId: string, reply: UnsentReply): void {
  if (sending.get().has(reply.key)) return;
  const { problem: _problem, outcome: _outcome, ...fresh } = reply;
  putReply(adminId, fresh);
  sending.set(sending.get().union(new Set([reply.key])));
  void inTurn(reply.conversationId, () => deliver(adminId, fresh)).finally(() =>
    sending.set(sending.get().difference(new Set([reply.key]))),
  );
}

/** Sends what waits for the service, as the shell asks: after an outage, a sign-in or a closed tab. */
export function sendWaiting(adminId: string): void {
  // Earlier versions kept all in one text.
  const former = keptKey(adminId, 'outbox');
  for (const reply of parseKept<readonly UnsentReply[]>(keptText(former)) ?? []) putReply(adminId, reply);
  keepText(former, null);
  for (const reply of inOrder(textsOf(adminId))) {
    const { outcome = 'waiting', writtenAt } = reply;
    if (outcome === 'waiting' && Date.now() - writtenAt < unaskedMs) sendReply(adminId, reply);
  }
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
    const signedIn = queryClient.getQueryData(sessionQuery.queryKey)?.admin.id ?? adminId;
    if (signedIn !== adminId) throw new ToldError('It waits until you sign in again.');
    const approved = approves && { approve: approves.id, expected: { ai_draft: approves.draft } };
    await client.call('messages.create', { conversation_id, content, ...approved }, undefined, key);
    await reloadThread(conversation_id);
    removeReply(adminId, key);
  } catch (error) {
    const problem = sentenceOf(error as Error);
    if (isKept(adminId, key)) putReply(adminId, { ...reply, problem, outcome: outcomeOf(error) });
    void reloadThread(conversation_id);
  }
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ResponseError)) return 'waiting';
  const { status, code } = error;
  if ([401, 429, 502, 503, 504].includes(status) || code === 'idempotency_key_in_use') return 'waiting';
  return status < 500 ? 'refused' : 'unknown';
}
