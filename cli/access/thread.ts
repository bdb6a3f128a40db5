import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError } from '../errors.ts';
import type { Access } from './access.ts';

export type ThreadPage = OutputOf<'messages.list'>;
export type ThreadMessage = ThreadPage['messages'][number];
/** A thread of an existing conversation. */
export type FoundThread = ThreadPage & { readonly conversation: NonNullable<ThreadPage['conversation']> };

const maxPageSize = 1_000;

/**
 * Reads the latest messages of a conversation, in pages if there are many.
 *
 * @param limit - the number of messages; 0 for all
 * @param options - `before` is the `nextCursor` of an earlier read, to continue with older messages; `include` names
 *   fields to add to the conversation, such as `assignee,labels`
 * @throws NotFoundError if there is no such conversation
 */
export async function readThread(
  access: Pick<Access, 'call'>,
  id: string,
  limit: number,
  { before, include }: { readonly before?: string | null | undefined; readonly include?: string } = {},
): Promise<FoundThread> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let thread: FoundThread | undefined;
  do {
    const cursor: string | null | undefined = thread?.nextCursor ?? before;
    const page = await access.call('messages.list', {
      conversation_id: id,
      limit: Math.min(left, maxPageSize),
      cursor: cursor ?? undefined,
      include,
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
  throw new NotFoundError(`No conversation ${id}. Run \`backoffice conversations list\` to see all.`);
}
