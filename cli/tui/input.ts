import { commonActions } from './common-actions.ts';
import { holdKeys } from './held-keys.ts';
import type { ActionId } from './keys/actions.ts';
import { type Scope, scopeOf } from './keys/scopes.ts';
import { pressKey } from './press-key.ts';
import type { App } from './state/app.ts';
import type { Messages } from './state/messages.ts';
import { type ScreenId, screenIds } from './state/screen-types.ts';

/** What a person does with the keyboard and the mouse. */
export type Input = Pick<App, 'openAfter' | 'press' | 'pressUnseen' | 'paste' | 'point' | 'runAction'>;

/**
 * Creates what takes keys, pasted texts and the mouse, and performs actions.
 *
 * @param onQuit - ends the dashboard without asking
 */
export function createInput(
  app: App,
  messages: Messages,
  onQuit: () => void,
): { readonly input: Input; stop(): void } {
  const held = holdKeys(app);
  const common = commonActions(app, onQuit);
  const perform = (action: ActionId) => {
    const handler = common[action];
    const refusal = app.refusalOf(action);
    if (refusal !== undefined) app.showMessage(refusal, 'failed');
    else if (handler === undefined) app.layer().perform(action);
    else handler();
  };
  const input: Input = {
    openAfter: held.openAfter,
    press(stroke) {
      messages.hideFailure();
      if (!held.take(stroke)) pressKey(app, stroke, perform);
    },
    pressUnseen({ key }) {
      const action = app.keymap.find(app.isAskingToQuit() ? 'confirm' : 'issues', key);
      if (action === 'global.quit' || action === 'everywhere.leave') common['everywhere.leave']?.();
      else if (action === 'everywhere.redraw') app.redraw();
      else if (action === 'everywhere.suspend') app.suspend();
      else if (app.isAskingToQuit() && action === 'everywhere.back') common['everywhere.back']?.();
    },
    paste(text) {
      if (!held.takePaste(text)) app.layer().write?.(text);
    },
    point(event) {
      if (held.isOpening()) return;
      messages.hideFailure();
      app.regions.handle(event, app.store.get().dialogs.length > 0);
    },
    runAction(action) {
      const scope = scopeOf(action);
      const owner = screenIds.find((id) => id === scope) ?? screenOfScope[scope];
      if (owner !== undefined && app.store.get().screen !== owner) app.goTo(owner);
      perform(action);
    },
  };
  return { input, stop: held.stop };
}

/** The screen of each scope that is only a part of one. */
const screenOfScope: Readonly<Partial<Record<Scope, ScreenId>>> = {
  talk: 'conversations',
  thread: 'conversations',
  errors: 'usage',
};
