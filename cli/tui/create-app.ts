import { operationOf } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Access } from '../access/access.ts';
import { isNotConnected, sentenceOf } from '../failures.ts';
import type { App, AppState } from './app.ts';
import { watchConnection } from './connection.ts';
import { confirmDialog } from './dialogs/confirm.tsx';
import { helpDialog } from './dialogs/help.tsx';
import { paletteDialog } from './dialogs/palette.tsx';
import { type ActionId, chains, type Scope, scopeOf } from './keys/actions.ts';
import { actionOf, type Keymap } from './keys/keymap.ts';
import { everything, type Screen, type ScreenId, screenIds } from './layer.ts';
import { createStore } from './store.ts';

export interface AppOptions {
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

const pollMilliseconds = 5_000;
const secondMilliseconds = 1_000;
const secondsBetweenLooks = 10;
const messageMilliseconds = 5_000;

/** The dashboard without its drawing: what it shows, and what keys, events and time do to it. */
export function createApp(
  options: AppOptions,
  makeScreens: (app: App) => Readonly<Record<ScreenId, Screen>>,
): App {
  const { access, keymap, readOnly, where, clock = Date.now, onQuit, onRedraw } = options;
  const store = createStore<AppState>({
    screen: 'issues',
    dialogs: [],
    message: null,
    connection: { state: 'up', reason: '', retryAt: 0, live: false },
    now: clock(),
  });
  const timers = new Set<NodeJS.Timeout>();
  const stale = new Set<ScreenId>(screenIds);
  let messageTimer: NodeJS.Timeout | undefined;

  const link = watchConnection({
    clock,
    put(change) {
      const { connection } = store.get();
      const isBack = connection.state === 'lost' && change.state === 'up';
      store.set({ connection: { ...connection, ...change }, now: clock() });
      if (isBack) app.say('The connection is back.');
    },
    retry() {
      forgetOthers();
      void current().refresh();
    },
  });
  /** The screens that are not seen are loaded anew when they are. */
  const forgetOthers = () => {
    for (const id of screenIds) if (id !== store.get().screen) stale.add(id);
  };

  const call: Access['call'] = async (id, input) => {
    if (readOnly && (operationOf(id) as Operation).method !== 'GET') throw new Error(readOnlyRefusal);
    try {
      const output = await access.call(id, input);
      link.works();
      return output;
    } catch (error) {
      if (isNotConnected(error)) link.failed(sentenceOf(error));
      else link.works();
      throw error;
    }
  };
  const current = () => app.screens[store.get().screen];

  const app: App = {
    store,
    keymap,
    readOnly,
    where,
    screens: undefined as never,
    call,
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
      if (stale.delete(screen)) void current().refresh();
    },
    layer: () => store.get().dialogs.at(-1) ?? current(),
    press(stroke) {
      if (store.get().message?.tone === 'failed') store.set({ message: null });
      const layer = app.layer();
      const action = keymap.find(layer.chain(), stroke.key);
      // Where a text is written, a character is one, whatever it does elsewhere.
      const isWritten = action === undefined || (chains[layer.chain()] as readonly string[]).includes('text');
      if (layer.write !== undefined && stroke.text !== undefined && isWritten) layer.write(stroke.text);
      else if (action !== undefined) perform(action);
      else if (stroke.key.startsWith('alt+')) {
        // Esc and a key that came in one piece look like Alt and that key, which means nothing here.
        const key = stroke.key.slice('alt+'.length);
        perform('everywhere.back');
        app.press(key.length === 1 ? { key, text: key } : { key });
      }
    },
    paste(text) {
      app.layer().write?.(text);
    },
    run(action) {
      const scope = scopeOf(action);
      const owner = screenIds.find((id) => id === scope) ?? partOf[scope];
      if (owner !== undefined && store.get().screen !== owner) app.go(owner);
      perform(action);
    },
    happened(happenings) {
      for (const id of screenIds) {
        if (!happenings.some(({ type }) => type === everything || app.screens[id].minds(type))) continue;
        if (id === store.get().screen) void current().refresh();
        else stale.add(id);
      }
    },
    setLive(live) {
      const { connection } = store.get();
      if (connection.live !== live) store.set({ connection: { ...connection, live } });
    },
    redraw: onRedraw,
    unsent: () => screenIds.flatMap((id) => app.screens[id].unsent?.() ?? []),
    quit() {
      const losses = app.unsent();
      const [question] = losses;
      if (question === undefined) return onQuit();
      const others = losses.length > 1 ? ` (and ${losses.length - 1} more)` : '';
      app.confirm(`${question}${others} Quit and lose it?`, onQuit);
    },
    start() {
      app.go(store.get().screen);
      timers.add(setInterval(tick, secondMilliseconds));
      timers.add(setInterval(poll, pollMilliseconds));
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      link.stop();
      clearTimeout(messageTimer);
    },
  };

  let seconds = 0;
  /** The ages on the screen go on now and then, the seconds to the next try each one. */
  const tick = () => {
    seconds += 1;
    const isLost = store.get().connection.state === 'lost';
    if (isLost || seconds % secondsBetweenLooks === 0) store.set({ now: clock() });
  };

  let polls = 0;
  /** What does not tell its changes, such as SQL by hand, is looked at too, the seldomer where the others are told. */
  const poll = () => {
    polls += 1;
    if (store.get().connection.state === 'lost' || (store.get().connection.live && polls % 6 !== 0)) return;
    forgetOthers();
    void current().refresh();
  };

  const perform = (action: ActionId) => {
    if (readOnly && actionOf(action).changes === true) return app.say(readOnlyRefusal, 'failed');
    const layer = app.layer();
    switch (action) {
      case 'everywhere.back':
        if (layer === current()) current().back();
        else layer.perform(action);
        return;
      case 'everywhere.leave':
        // Pressed again at the question, it is the answer.
        return store.get().dialogs.at(-1)?.title() === leaving ? onQuit() : app.quit();
      case 'everywhere.redraw':
        return app.redraw();
      case 'global.next':
      case 'global.previous': {
        const at =
          screenIds.indexOf(store.get().screen) + (action === 'global.next' ? 1 : screenIds.length - 1);
        return app.go(screenIds[at % screenIds.length] ?? 'issues');
      }
      case 'global.help':
        return app.open(helpDialog(app));
      case 'global.palette':
        return app.open(paletteDialog(app));
      case 'global.refresh':
        void current().refresh();
        return app.say('Loaded anew.', 'note');
      case 'global.quit':
        return app.quit();
      default: {
        const screen = screenIds.find((id) => action === `global.${id}`);
        if (screen !== undefined) app.go(screen);
        else layer.perform(action);
      }
    }
  };

  return Object.assign(app, { screens: makeScreens(app) });
}

/** The screens of the scopes that are open only in a part of one. */
const partOf: Readonly<Partial<Record<Scope, ScreenId>>> = {
  talk: 'conversations',
  thread: 'conversations',
  errors: 'usage',
};

const leaving = 'Sure?';
const readOnlyRefusal = 'This dashboard is read-only: start it without --read-only to change data.';
