import type { App } from './app.ts';
import { confirmDialog } from './dialogs/confirm.tsx';
import { helpDialog } from './dialogs/help.tsx';
import { paletteDialog } from './dialogs/palette.tsx';
import type { ActionId } from './keys/actions.ts';
import { type Dialog, screenIds } from './screen-types.ts';

/**
 * What the actions of the scopes `everywhere` and `global` do; those of a layer are its own.
 *
 * @param onQuit - ends the dashboard, whatever is lost
 */
export function commonActions(app: App, onQuit: () => void): Readonly<Partial<Record<ActionId, () => void>>> {
  const goBy = (screens: number) => {
    const at = screenIds.indexOf(app.store.get().screen) + screens + screenIds.length;
    app.go(screenIds[at % screenIds.length] ?? 'issues');
  };
  const current = () => app.screens[app.store.get().screen];
  const dialog = () => app.store.get().dialogs.at(-1);
  let leaving: Dialog | undefined;
  const quit = () => {
    const [question, ...others] = app.unsent();
    if (question === undefined) return onQuit();
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    leaving = confirmDialog(app, `${question}${more} Quit and lose it?`, onQuit);
    app.open(leaving);
  };
  return {
    'everywhere.back'() {
      if (dialog() === undefined) current().back();
      else dialog()?.perform('everywhere.back');
    },
    'everywhere.leave'() {
      // Pressed again at the question, it is the answer.
      if (leaving !== undefined && dialog() === leaving) onQuit();
      else quit();
    },
    'everywhere.redraw': app.redraw,
    'global.next': () => goBy(1),
    'global.previous': () => goBy(-1),
    'global.help': () => app.open(helpDialog(app)),
    'global.palette': () => app.open(paletteDialog(app)),
    async 'global.refresh'() {
      const screen = current();
      await screen.refresh();
      // What failed is told by the screen, and a lost connection by the frame.
      const { connection, message } = app.store.get();
      if (connection.state === 'lost' || message?.tone === 'failed' || app.layer() !== screen) return;
      app.say('Loaded anew.', 'note');
    },
    'global.quit': quit,
    ...Object.fromEntries(screenIds.map((id) => [`global.${id}`, () => app.go(id)])),
  };
}
