import { coalesce } from '../../src/shared/single-flight.ts';
import type { Access } from '../access/access.ts';
import { sentenceOf } from '../failures.ts';
import type { App, AppState } from './app.ts';
import { createCalls, readOnlyRefusal } from './calls.ts';
import { startClocks } from './clocks.ts';
import { commonActions } from './common-actions.ts';
import { watchConnection } from './connection.ts';
import { confirmDialog } from './dialogs/confirm.tsx';
import { type ActionId, type Scope, scopeOf } from './keys/actions.ts';
import { actionOf, type Keymap } from './keys/keymap.ts';
import { pressKey } from './press-key.ts';
import { everything, type Screen, type ScreenId, screenIds } from './screen-types.ts';
import { createStore } from './store.ts';

export interface DashboardAppOptions {
  readonly access: Pick<Access, 'call'>;
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** What it works on, in a word: `local`, or a server. */
  readonly where: string;
  readonly clock?: () => number;
  readonly onQuit: () => void;
  /** Draws the whole screen anew, whatever is on it. */
  readonly onRedraw: () => void;
}

const messageMilliseconds = 5_000;

/** The dashboard without its drawing: what it shows, and what keys, events and time do to it. */
export function createDashboardApp(
  { access, keymap, readOnly, where, clock = Date.now, onQuit, onRedraw }: DashboardAppOptions,
  makeScreens: (app: App) => Readonly<Record<ScreenId, Screen>>,
): App {
  const store = createStore<AppState>({
    screen: 'issues',
    dialogs: [],
    message: null,
    connection: { state: 'up', reason: '', retryAt: 0, live: false },
    now: clock(),
  });
  const stale = new Set<ScreenId>(screenIds);
  let messageTimer: NodeJS.Timeout | undefined;
  let stopClocks = () => {};

  const current = () => app.screens[store.get().screen];
  const refresh = coalesce(async (id: ScreenId) => {
    // Whoever asked for it may have gone on before its turn came.
    if (id === store.get().screen) await app.screens[id].refresh();
    else stale.add(id);
  });
  /** Loads anew what is seen; the other screens are when they are seen. */
  const look = () => {
    for (const id of screenIds) if (id !== store.get().screen) stale.add(id);
    refresh(store.get().screen);
  };
  const link = watchConnection({
    clock,
    retry: look,
    put(change) {
      const { connection } = store.get();
      const isBack = connection.state === 'lost' && change.state === 'up';
      store.set({ connection: { ...connection, ...change }, now: clock() });
      if (isBack) app.say('The connection is back.');
    },
  });
  const perform = (action: ActionId) => {
    const does = common[action];
    if (readOnly && actionOf(action).changes === true) app.say(readOnlyRefusal, 'failed');
    else if (does === undefined) app.layer().perform(action);
    else does();
  };

  const app: App = {
    store,
    keymap,
    readOnly,
    where,
    screens: undefined as never,
    call: createCalls({ access, readOnly, link }),
    now: clock,
    explain: sentenceOf,
    open(dialog) {
      clearTimeout(messageTimer);
      // A message would stand where the keys of the dialog are said.
      const dialogs = [...store.get().dialogs.filter((each) => each !== dialog), dialog];
      store.set({ dialogs, message: null });
    },
    close: (dialog) => store.set({ dialogs: store.get().dialogs.filter((each) => each !== dialog) }),
    say(text, tone = 'done') {
      clearTimeout(messageTimer);
      store.set({ message: { text, tone } });
      // What went wrong stays until the next key.
      if (tone !== 'failed')
        messageTimer = setTimeout(() => store.set({ message: null }), messageMilliseconds);
    },
    async attempt(work) {
      try {
        await work();
      } catch (error) {
        app.say(sentenceOf(error), 'failed');
      }
    },
    confirm: (question, yes) => app.open(confirmDialog(app, question, yes)),
    go(screen) {
      store.set({ screen, dialogs: [] });
      if (stale.delete(screen)) refresh(screen);
    },
    layer: () => store.get().dialogs.at(-1) ?? current(),
    press(stroke) {
      if (store.get().message?.tone === 'failed') store.set({ message: null });
      pressKey(app, stroke, perform);
    },
    paste: (text) => app.layer().write?.(text),
    run(action) {
      const scope = scopeOf(action);
      const owner = screenIds.find((id) => id === scope) ?? partOf[scope];
      if (owner !== undefined && store.get().screen !== owner) app.go(owner);
      perform(action);
    },
    happened(happenings) {
      for (const id of screenIds) {
        if (!happenings.some(({ type }) => type === everything || app.screens[id].minds(type))) continue;
        if (id === store.get().screen) refresh(id);
        else stale.add(id);
      }
    },
    setLive(live) {
      const { connection } = store.get();
      if (connection.live !== live) store.set({ connection: { ...connection, live } });
    },
    redraw: onRedraw,
    unsent: () => screenIds.flatMap((id) => app.screens[id].unsent?.() ?? []),
    start() {
      app.go(store.get().screen);
      stopClocks = startClocks({ store, clock, look });
    },
    stop() {
      stopClocks();
      link.stop();
      clearTimeout(messageTimer);
    },
  };
  const common = commonActions(app, onQuit);
  return Object.assign(app, { screens: makeScreens(app) });
}

/** The screens of the scopes that are open only in a part of one. */
const partOf: Readonly<Partial<Record<Scope, ScreenId>>> = {
  talk: 'conversations',
  thread: 'conversations',
  errors: 'usage',
};
