import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError } from '../errors.ts';
import type { Access } from './access.ts';

export type ThreadPage = OutputOf<'messages.list'>;
export type ThreadMessage = ThreadPage['messages'][number];
/** A thread that is there. */
export type FoundThread = ThreadPage & { readonly conversation: NonNullable<ThreadPage['conversation']> };

const largestPage = 1_000;

/**
 * Reads the latest messages of a conversation, page by page where they are many.
 *
 * @param limit - how many; 0 for all
 * @param before - the `nextCursor` of what was read before: only what is older
 * @throws NotFoundError where there is no such conversation
 */
export async function readThread(
  access: Access,
  id: string,
  limit: number,
  before?: string | null,
): Promise<FoundThread> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let thread: FoundThread | undefined;
  do {
    const cursor: string | null | undefined = thread?.nextCursor ?? before;
    const page = await access.call('messages.list', {
      conversation_id: id,
      limit: Math.min(left, largestPage),
      cursor: cursor ?? undefined,
    });
    if (thread === undefined) thread = found(id, page);
    else
      thread = { ...thread, messages: [...page.messages, ...thread.messages], nextCursor: page.nextCursor };
    left -= page.messages.length;
  } while (thread.nextCursor !== null && left > 0);
  return thread;
}

function found(id: string, thread: ThreadPage): FoundThread {
  const { conversation } = thread;
  if (conversation !== null) return { ...thread, conversation };
  throw new NotFoundError(`There is no conversation ${id}: see backoffice conversations list.`);
}
