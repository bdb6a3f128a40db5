import { counted } from '../terminal/number.ts';
import { chooseNotify } from './dialogs/choose-notify.ts';
import { chooseTheme } from './dialogs/choose-theme.ts';
import { confirmDialog } from './dialogs/confirm.tsx';
import { helpDialog } from './dialogs/help.tsx';
import { paletteDialog } from './dialogs/palette.tsx';
import type { ActionId } from './keys/actions.ts';
import { logDialog } from './log/log-dialog.tsx';
import { rowActions } from './row-actions.ts';
import type { App } from './state/app.ts';
import { type Dialog, screenIds } from './state/screen-types.ts';

/** Leaves, after a question if that would lose something. */
export function askToLeave(
  app: App,
  what: string,
  leave: () => Promise<void> | void,
  asks?: Dialog['asks'],
): void {
  const [first, ...others] = app.unsaved();
  if (first === undefined) return void app.attempt(async () => leave());
  const question =
    others.length === 0
      ? `${first} Discard it and ${what}?`
      : `${first} ${counted(others.length, 'more unsaved text')}. Discard all and ${what}?`;
  app.open(confirmDialog(app, question, leave, asks === undefined ? {} : { asks }));
}

/**
 * Returns the handlers of the scopes `everywhere` and `global`. The layers handle all other actions.
 *
 * @param onQuit - ends the dashboard without asking
 */
export function commonActions(app: App, onQuit: () => void): Readonly<Partial<Record<ActionId, () => void>>> {
  const goBy = (step: number) => {
    const offered = app.offeredScreens();
    const index = offered.indexOf(app.store.get().screen) + step + offered.length;
    app.goTo(offered[index % offered.length] ?? 'issues');
  };
  const currentScreen = () => app.screens[app.store.get().screen];
  const currentDialog = () => app.store.get().dialogs.at(-1);
  const quit = () => askToLeave(app, 'quit', onQuit, 'quit');
  return {
    'everywhere.back'() {
      const dialog = currentDialog();
      if (dialog === undefined) currentScreen().back();
      else dialog.perform('everywhere.back');
    },
    'everywhere.leave'() {
      // Pressed a second time, it answers the question with yes.
      if (app.isAskingToQuit()) onQuit();
      else quit();
    },
    'everywhere.redraw': app.redraw,
    'everywhere.suspend': app.suspend,
    'global.next': () => goBy(1),
    'global.previous': () => goBy(-1),
    'global.help': () => app.open(helpDialog(app)),
    'global.log': () => app.open(logDialog(app)),
    'global.palette': () => app.open(paletteDialog(app)),
    async 'global.refresh'() {
      const screen = currentScreen();
      await screen.refresh();
      // The screen reports a failure, and the frame a lost connection.
      const { connection, message } = app.store.get();
      if (connection.state === 'lost' || message?.tone === 'failed' || app.layer() !== screen) return;
      app.showMessage('Refreshed.', 'note');
    },
    'global.theme': () => chooseTheme(app),
    'global.notify': () => chooseNotify(app),
    'global.quit': quit,
    ...rowActions(app, () => currentScreen().subject?.()),
    ...Object.fromEntries(screenIds.map((id) => [`global.${id}`, () => app.goTo(id)])),
  };
}
