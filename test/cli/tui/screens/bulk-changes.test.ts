import { expect, test } from 'vitest';
import { screenIds } from '../../../../cli/tui/state/screen-types.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

const tests = dashboardHere();

test.each([
  ['issues.updated', ['issue.updated']],
  ['issues.deleted', ['issue.updated', 'link.deleted']],
  ['conversations.updated', ['conversation.updated']],
])('%s refreshes every screen that %j refresh', async (bulk, single) => {
  const { screens } = tests.open().app;
  const refreshedBy = (...types: readonly string[]) =>
    screenIds.filter((id) => types.some((type) => screens[id].isAffectedBy(type)));
  expect(refreshedBy(bulk)).toEqual(refreshedBy(...single));
  expect(refreshedBy(bulk).length).toBeGreaterThan(1);
});
