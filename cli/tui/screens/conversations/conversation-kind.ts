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
  titleOf: ({ visitor_name, subject }) => (subject === '' ? visitor_name : `${visitor_name}, ${subject}`),
  send: (call, ids, { set, expected }) =>
    call('conversations.update', {
      ids: [...ids],
      set,
      // The list does not say who was assigned.
      ...(expected?.status === undefined ? {} : { expected: { status: expected.status } }),
    } as ConversationUpdate),
};
