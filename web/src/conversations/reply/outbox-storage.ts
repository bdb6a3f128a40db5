import { keepText, keptText } from '../../app/kept/kept-texts.ts';
import type { SeenDraft } from './use-draft.ts';

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

/** What was read last, so that unchanged replies are the same objects. */
let read: { readonly text: string | null; readonly replies: readonly UnsentReply[] } = {
  text: null,
  replies: [],
};
/** The replies belong to who wrote them: another admin who signs in with this browser neither sees nor sends them. */
function storageKey(adminId: string): string {
  return `backoffice.kept.${adminId}.outbox`;
}

/** Returns the replies of an admin that the service has not confirmed. */
export function outboxOf(adminId: string): readonly UnsentReply[] {
  const text = keptText(storageKey(adminId));
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
  keepText(storageKey(adminId), replies.length === 0 ? null : JSON.stringify(replies));
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
