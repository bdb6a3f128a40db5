import type { SeenDraft } from './use-draft.ts';

/** A reply on its way. The browser keeps it until the service has confirmed it, also over a closed tab. */
export interface UnsentReply {
  /** The service runs a key once, so that a reply that is sent again is never there twice. */
  readonly key: string;
  readonly conversationId: string;
  readonly content: string;
  /** When it was written, in milliseconds. */
  readonly writtenAt: number;
  /** The proposed reply that it is an edited form of. */
  readonly approves?: SeenDraft;
  /** Why it could not be sent. */
  readonly problem?: string;
  /** Whether the cause passes by itself, such as a lost connection. */
  readonly isWaiting?: boolean;
  /** Whether the same request would be refused each time. */
  readonly isRefused?: boolean;
}

const listeners = new Set<() => void>();
/** What was read last, so that unchanged replies are the same objects. */
let read: { readonly text: string | null; readonly replies: readonly UnsentReply[] } = {
  text: null,
  replies: [],
};
/** Holds the replies of a browser that refuses to store them. */
const unstored = new Map<string, string>();

/** The replies belong to who wrote them: another admin who signs in with this browser neither sees nor sends them. */
function storageKey(adminId: string): string {
  return `backoffice.kept.${adminId}.outbox`;
}

/** Returns the replies of an admin that the service has not confirmed. */
export function outboxOf(adminId: string): readonly UnsentReply[] {
  const key = storageKey(adminId);
  const text = unstored.get(key) ?? localStorage.getItem(key);
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
  const key = storageKey(adminId);
  unstored.delete(key);
  try {
    if (replies.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(replies));
  } catch {
    // The storage is full or refused. This page still has them.
    unstored.set(key, JSON.stringify(replies));
  }
  for (const listener of listeners) listener();
}

/** Keeps a reply, in the place that it has. */
export function putReply(adminId: string, reply: UnsentReply): void {
  const replies = outboxOf(adminId);
  const isKnown = replies.some(({ key }) => key === reply.key);
  store(
    adminId,
    isKnown ? replies.map((each) => (each.key === reply.key ? reply : each)) : [...replies, reply],
  );
}

/** Forgets a reply: it was sent, or is edited. */
export function removeReply(adminId: string, key: string): void {
  store(
    adminId,
    outboxOf(adminId).filter((reply) => reply.key !== key),
  );
}

/** Calls a function whenever the replies change, in this tab or in another one of this browser. */
export function subscribeToOutbox(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
