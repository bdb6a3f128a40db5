import type { App } from '../app.ts';
import type { Screen, ScreenId } from '../screen-types.ts';
import { adminsScreen } from './admins/screen.tsx';
import { auditScreen } from './audit/screen.tsx';
import { chartsScreen } from './charts/screen.tsx';
import { conversationsScreen } from './conversations/screen.ts';
import { issuesScreen } from './issues/screen.ts';
import { settingsScreen } from './settings/screen.tsx';
import { usageScreen } from './usage/screen.tsx';

/** Every screen, in the order of their numbers. */
export function makeScreens(app: App): Readonly<Record<ScreenId, Screen>> {
  return {
    issues: issuesScreen(app),
    charts: chartsScreen(app),
    conversations: conversationsScreen(app),
    settings: settingsScreen(app),
    admins: adminsScreen(app),
    usage: usageScreen(app),
    audit: auditScreen(app),
  };
}
