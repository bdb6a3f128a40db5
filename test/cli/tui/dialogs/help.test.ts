import { afterAll, beforeAll, test } from 'vitest';
import { localAccess } from '../../../../cli/access/local.ts';
import { startTestService, type TestService } from '../../../support/http/service.ts';
import { openDashboard } from '../../../support/terminal/dashboard.tsx';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('says of the keys how many follow below, down to the last', async () => {
  const dashboard = openDashboard(localAccess(service.services, 'tui'));
  dashboard.press('?');
  await dashboard.shows(/↓ \d+ more lines/);
  dashboard.press('G');
  await dashboard.hides('more line');
  dashboard.press('k');
  await dashboard.shows('↓ 1 more line ');
  dashboard.close();
});
