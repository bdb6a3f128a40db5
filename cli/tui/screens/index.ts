import type { App } from '../state/app.ts';
import type { Screen, ScreenId } from '../state/screen-types.ts';
import { adminsScreen } from './admins/screen.ts';
import { auditScreen } from './audit/screen.ts';
import { chartsScreen } from './charts/screen.ts';
import { conversationsScreen } from './conversations/screen.ts';
import { issuesScreen } from './issues/screen.ts';
import { overviewScreen } from './overview/screen.ts';
import { settingsScreen } from './settings/screen.ts';
import { usageScreen } from './usage/screen.ts';

/** Creates every screen, in the order of their numbers. */
export function makeScreens(app: App): Readonly<Record<ScreenId, Screen>> {
  return {
    overview: overviewScreen(app),
    issues: issuesScreen(app),
    charts: chartsScreen(app),
    conversations: conversationsScreen(app),
    settings: settingsScreen(app),
    admins: adminsScreen(app),
    usage: usageScreen(app),
    audit: auditScreen(app),
  };
}
