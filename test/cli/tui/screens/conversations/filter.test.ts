import { expect, test } from 'vitest';
import { parseConversationFilter } from '../../../../../cli/tui/screens/conversations/filter.ts';

test.each([
  ['status:op is:unread invoice march', { status: 'open', unread: true, q: 'invoice march' }, undefined],
  ['assignee:none older:2026-01-31', { assignee: 'none', until: '2026-01-31T00:00:00.000Z' }, undefined],
  ['status: is:', {}, undefined],
  ['is:read', { unread: true }, 'No is “read”. Use unread.'],
])('a filter of conversations: %s', (text, search, problem) => {
  expect(parseConversationFilter(text)).toEqual({ search, problem });
});
