import { expect, test } from 'vitest';
import { parseAuditFilter } from '../../../../../cli/tui/screens/audit/filter.ts';

test.each([
  ['event:issue.updated door:tui', { event: 'issue.updated', door: 'tui' }],
  ['subject:7', { subject_id: '7' }],
  ['id:7', { subject_id: '7' }],
  ['wrong:7 grace', { q: 'wrong:7 grace' }],
])('parses the filter %s', (text, filter) => {
  expect(parseAuditFilter(text)).toEqual(filter);
});
