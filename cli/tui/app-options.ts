import type { Access } from '../access/access.ts';
import type { BadgeColour } from './colours/palettes.ts';
import type { Keymap } from './keys/keymap.ts';
import type { SessionLog } from './log/session-log.ts';
import type { PreferenceStore } from './preferences.ts';
import type { NotifierOptions, NotifyMode } from './refresh/notifier.ts';
import type { View } from './screens/views/saved-view.ts';
import type { Host } from './state/host.ts';
import type { Identity } from './state/identity.ts';
import type { Workplaces } from './state/workplace.ts';

/** What a dashboard is created with. */
export interface DashboardAppOptions {
  readonly access: Pick<Access, 'call'>;
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** What the dashboard works on: `local`, or the host of a server. */
  readonly target: string;
  /** By default, choices end with the dashboard. */
  readonly preferences?: PreferenceStore;
  /** By default, the one of the preferences. */
  readonly startView?: View;
  /** By default, the dashboard reaches nothing of the machine. */
  readonly host?: Host;
  readonly targetColour?: BadgeColour | undefined;
  readonly workplaces?: Pick<Workplaces, 'all'>;
  /** What was changed before, on other workplaces. By default, nothing. */
  readonly log?: SessionLog;
  /** Where texts are kept that would be lost. By default, in a new folder for temporary files. */
  readonly keepFolder?: string;
  /** Who the dashboard acts as: the operator of this machine by default, or null if the server must be asked. */
  readonly identity?: Identity | null;
  /** How to notify about something new; by default, not at all. */
  readonly notify?: NotifyMode | undefined;
  readonly onNotify?: NotifierOptions['tell'];
  readonly clock?: () => number;
  readonly onQuit: () => void;
  /** Draws the whole screen again, for a terminal that may show something else. */
  readonly onRedraw: () => void;
  /** Goes back to the shell until it continues the dashboard. */
  readonly onSuspend?: () => void;
  /** Changes to another workplace. */
  readonly onMove?: (target: string) => Promise<void>;
}
