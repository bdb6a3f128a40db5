import { describe, expect, test } from 'vitest';
import { parseAuditFilter } from '../../../../cli/tui/screens/audit/filter.ts';
import { parseConversationFilter } from '../../../../cli/tui/screens/conversations/filter.ts';
import { parseIssueFilter } from '../../../../cli/tui/screens/issues/filter.ts';

test.each([
  ['event:issue.updated door:tui', { event: 'issue.updated', door: 'tui' }],
  ['subject:7', { subject_id: '7' }],
  ['id:7', { subject_id: '7' }],
  ['wrong:7 grace', { q: 'wrong:7 grace' }],
])('a filter of the audit trail: %s', (text, filter) => {
  expect(parseAuditFilter(text)).toEqual(filter);
});

test.each([
  ['status:op is:unread invoice march', { status: 'open', unread: true, q: 'invoice march' }, undefined],
  ['assignee:none older:2026-01-31', { assignee: 'none', until: '2026-01-31T00:00:00.000Z' }, undefined],
  ['status: is:', {}, undefined],
  ['is:read', { unread: true }, 'No is “read”. Use unread.'],
])('a filter of conversations: %s', (text, search, problem) => {
  expect(parseConversationFilter(text)).toEqual({ search, problem });
});

const used = {
  severities: ['Low', 'Critical', 'Blocker'],
  categories: ['Payments', 'Performance', 'Carrier pigeons', 'Pay'],
};

describe('a filter of issues', () => {
  test.each([
    ['severity:crit checkout', { severity: 'Critical', q: 'checkout' }],
    ['severity:BLO', { severity: 'Blocker' }],
    ['status:inprog', { status: 'In Progress' }],
    ['status:open,res', { status: 'Open,Resolved' }],
    ['category:carrierp', { category: 'Carrier pigeons' }],
    // The whole word of two that start with it.
    ['category:pay', { category: 'Pay' }],
    // Still being typed.
    ['severity: words', { q: 'words' }],
    ['wrong:crit', { q: 'wrong:crit' }],
    ['assignee:none older:2026-01-31 newer:', { assignee: 'none', until: '2026-01-31T00:00:00.000Z' }],
  ])('understands %s', (text, search) => {
    expect(parseIssueFilter(text, used)).toEqual({ search, problem: undefined });
  });

  test.each([
    ['severity:crix', 'No severity “crix”. Use Critical, High, Medium, Low or Blocker.'],
    ['status:done', 'No status “done”. Use Open, In Progress, Resolved or Closed.'],
    ['older:someday', 'No time “someday”. Use 30d, yesterday or 2026-01-31.'],
    ['category:p', 'category:p can be Payments, Performance or Pay. Type more of it.'],
  ])('says what is wrong with %s', (text, problem) => {
    expect(parseIssueFilter(text, used).problem).toBe(problem);
  });

  test('takes any word until the words in use are known', () => {
    expect(parseIssueFilter('severity:Blocker', null)).toEqual({
      search: { severity: 'Blocker' },
      problem: undefined,
    });
  });
});
