import type { InputOf } from '../../../../src/contract/registry.ts';
import type { RowKind } from '../rows/row-change.ts';
import type { ConversationRow } from './row.ts';

type ConversationUpdate = InputOf<'conversations.update'>;

export const conversationKind: RowKind<ConversationRow, string> = {
  noun: 'conversation',
  operation: 'conversations.update',
  undo: 'talk.undo',
  keyOf: ({ id }) => id,
  nameOf: ({ visitor_name }) => `the conversation with ${visitor_name}`,
  async send(call, ids, { set, expected }) {
    const [id] = ids;
    if (id === undefined || set.status === undefined || expected?.status === undefined)
      return await call('conversations.update', { ids: [...ids], set } as ConversationUpdate);
    // Only this operation compares with what the user saw.
    const [before, after] = [expected.status, set.status];
    await call('conversations.changeStatus', { id, status: after, expected: { status: before } });
    return {
      unknown: [],
      change_id: null,
      async putBack(laterCall) {
        await laterCall('conversations.changeStatus', { id, status: before, expected: { status: after } });
      },
    };
  },
};
