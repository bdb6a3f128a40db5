import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { client } from '../app/client.ts';
import { sentenceOf } from '../parts/failure.tsx';
import { reloadConversations } from './conversation-queries.ts';

/** A reply on its way. The browser keeps it until the service has confirmed it, also over a closed tab. */
export interface UnsentReply {
  /** The service runs a key once, so that a reply that is sent again is never there twice. */
  readonly key: string;
  readonly content: string;
  /** Why it could not be sent. */
  readonly problem?: string;
}

const none: readonly UnsentReply[] = [];
const listeners = new Set<() => void>();
/** What was read last of each conversation, so that unchanged replies are the same objects. */
const parsed = new Map<string, { readonly text: string; readonly replies: readonly UnsentReply[] }>();

function storageKey(conversationId: string): string {
  return `backoffice.outbox.${conversationId}`;
}

function repliesOf(conversationId: string): readonly UnsentReply[] {
  const text = localStorage.getItem(storageKey(conversationId));
  if (text === null) return none;
  const known = parsed.get(conversationId);
  if (known?.text === text) return known.replies;
  const replies = JSON.parse(text) as readonly UnsentReply[];
  parsed.set(conversationId, { text, replies });
  return replies;
}

function store(conversationId: string, replies: readonly UnsentReply[]): void {
  if (replies.length === 0) localStorage.removeItem(storageKey(conversationId));
  else localStorage.setItem(storageKey(conversationId), JSON.stringify(replies));
  for (const listener of listeners) listener();
}

function put(conversationId: string, reply: UnsentReply): void {
  const others = repliesOf(conversationId).filter(({ key }) => key !== reply.key);
  store(conversationId, [...others, reply]);
}

/** Forgets a reply: it was sent, or is edited. */
export function removeReply(conversationId: string, key: string): void {
  store(
    conversationId,
    repliesOf(conversationId).filter((reply) => reply.key !== key),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Other tabs of this browser send too.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** Returns the replies of a conversation that the service has not confirmed. */
export function useUnsentReplies(conversationId: string): readonly UnsentReply[] {
  return useSyncExternalStore(subscribe, () => repliesOf(conversationId));
}

/** Sends a reply, or sends it again with the key that it has. */
export function useSendReply(conversationId: string) {
  return useMutation({
    mutationKey: ['conversations', 'reply', conversationId],
    mutationFn: async ({ content, key }: UnsentReply) =>
      await client.call('messages.create', { conversation_id: conversationId, content }, undefined, key),
    onMutate: ({ key, content }) => put(conversationId, { key, content }),
    onSuccess: async (_answer, { key }) => {
      await reloadConversations(conversationId);
      removeReply(conversationId, key);
    },
    onError: (error, { key, content }) => put(conversationId, { key, content, problem: sentenceOf(error) }),
  });
}

/** Returns a reply with a key of its own. */
export function newReply(content: string): UnsentReply {
  return { key: newIdempotencyKey(), content };
}
