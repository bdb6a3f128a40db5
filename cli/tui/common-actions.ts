import { counted } from '../output/number.ts';
import { chooseTheme } from './dialogs/choose-theme.ts';
import { confirmDialog } from './dialogs/confirm.tsx';
import { helpDialog } from './dialogs/help.tsx';
import { paletteDialog } from './dialogs/palette.tsx';
import type { ActionId } from './keys/actions.ts';
import type { App } from './state/app.ts';
import { screenIds } from './state/screen-types.ts';

/**
 * Returns the handlers of the scopes `everywhere` and `global`. The layers handle all other actions.
 *
 * @param onQuit - ends the dashboard without asking
 */
export function commonActions(app: App, onQuit: () => void): Readonly<Partial<Record<ActionId, () => void>>> {
  const goBy = (step: number) => {
    const index = screenIds.indexOf(app.store.get().screen) + step + screenIds.length;
    app.goTo(screenIds[index % screenIds.length] ?? 'issues');
  };
  const currentScreen = () => app.screens[app.store.get().screen];
  const currentDialog = () => app.store.get().dialogs.at(-1);
  const quit = () => {
    const [first, ...others] = app.unsaved();
    if (first === undefined) return onQuit();
    const question =
      others.length === 0
        ? `${first} Discard it and quit?`
        : `${first} ${counted(others.length, 'more unsaved text')}. Discard all and quit?`;
    app.open(confirmDialog(app, question, onQuit, { asks: 'quit' }));
  };
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
    'global.quit': quit,
    ...Object.fromEntries(screenIds.map((id) => [`global.${id}`, () => app.goTo(id)])),
  };
}
