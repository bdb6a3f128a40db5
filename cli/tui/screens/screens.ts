import type { App } from '../app.ts';
import type { Screen, ScreenId } from '../layer.ts';
import { adminsScreen } from './admins.tsx';
import { auditScreen } from './audit.tsx';
import { chartsScreen } from './charts.tsx';
import { conversationsScreen } from './conversations.ts';
import { issuesScreen } from './issues.ts';
import { settingsScreen } from './settings.tsx';
import { usageScreen } from './usage.tsx';

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
