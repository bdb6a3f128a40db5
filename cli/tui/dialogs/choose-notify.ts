import { type NotifyMode, notifyModes } from '../refresh/notifier.ts';
import type { App } from '../state/app.ts';
import { choiceDialog } from './choice.tsx';

const confirmations: Readonly<Record<NotifyMode, string>> = {
  off: 'The dashboard does not notify you.',
  bell: 'New Critical issues and messages of visitors ring the bell.',
  desktop: 'New Critical issues and messages of visitors show a notification, if your terminal can.',
};

/** Asks how to notify about new Critical issues and messages, and remembers it. */
export function chooseNotify(app: App): void {
  app.open(
    choiceDialog(app, {
      title: 'Notify of new Critical issues and messages of visitors',
      options: notifyModes,
      current: app.notifier.mode(),
      async onChoose(option) {
        const notify = option as NotifyMode;
        app.notifier.change(notify);
        await app.preferences.change((before) => ({ ...before, notify }));
        app.showMessage(confirmations[notify]);
      },
    }),
  );
}
