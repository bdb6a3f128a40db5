import type { ThreadLook } from '../../terminal/thread.ts';
import { statusTone } from '../../terminal/tones.ts';
import { style, toned } from './style.ts';

/** Returns how threads and comments look in the dashboard, in the theme in use. */
export const threadLook = (): ThreadLook => ({
  strong: style.strong,
  quiet: style.quiet,
  alarm: style.alarm,
  warning: style.warning,
  visitor: style.title,
  team: (text) => style.strong(style.good(text)),
  status: (text, status) => toned(statusTone(status))(text),
  showsIds: false,
});
