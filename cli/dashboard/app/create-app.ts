import { BackofficeError } from '../../../src/contract/errors.ts';
import { shareNext, wait } from '../../../src/shared/waiting.ts';
import type { Access } from '../../access/access.ts';
import { isNotConnected, sentenceOf } from '../../failures.ts';
import { confirmDialog } from '../dialogs/confirm.ts';
import type { App, Message, MessageTone } from './app.ts';
import { createBell, type NotifyMode } from './bell.ts';
import { watchConnection } from './connection.ts';
import { drafts } from './drafts.ts';
import { followEvents } from './follow.ts';
import { readIdentity, refusalOf } from './identity.ts';
import type { OwnKeys } from './keys.ts';
import { presses } from './press.ts';
import type { Action, Dialog, Layer, Screen } from './types.ts';
import { undoStack } from './undo.ts';
import { type ViewStore, viewStore } from './view-store.ts';

export interface AppOptions
  extends Pick<App, 'target' | 'targetColour' | 'isReadOnly' | 'preferences' | 'host'> {
  readonly access: Access;
  readonly identity: ReturnType<App['identity']>;
  /** By default, those of the server once they are read. */
  readonly views?: ViewStore;
  readonly ownKeys?: OwnKeys;
  /** By default, as the preferences say. */
  readonly notify?: NotifyMode | undefined;
  /** The screen that opens first. */
  readonly first?: string;
  readonly makeScreens: (app: App) => readonly Screen[];
  readonly makeCommon: (app: App) => readonly Action[];
}

const pollMs = 5_000;
/** While events arrive, polls find what changes without one, such as SQL by hand. */
const livePollMs = 30_000;
/** Batches of events within this time cost one refresh. */
const refreshPauseMs = 1_000;
const messageMs: Readonly<Record<MessageTone, number>> = { done: 6_000, note: 6_000, failed: 600_000 };

export function createApp(options: AppOptions): App {
  const { access, target, targetColour, isReadOnly, preferences, host, ownKeys = {}, notify } = options;
  let { identity } = options;
  let screen: Screen | undefined;
  let trail: readonly Screen[] = [];
  let dialogs: readonly Dialog[] = [];
  let message: Message | undefined;
  let messageTimer: NodeJS.Timeout | undefined;
  let opening: symbol | undefined;
  let running: string | undefined;
  let version = 0;
  let isDrawing = false;
  /** Events may have been lost since the last refresh. */
  let mayHaveMissed = false;
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<() => void>();

  const identify = async () => {
    // The operator of this machine has no account that could change.
    if (options.identity !== null && options.identity.email === null) return;
    identity = await readIdentity(access).catch(() => identity);
    app.changed();
  };
  // A caller that asks during a refresh gets the next one: it loads what the caller has just changed.
  const refresh = shareNext(
    async () => {
      const hasMissed = mayHaveMissed || !app.follower.isLive();
      mayHaveMissed = false;
      // What could not be refreshed says so where it is, as long as that is so.
      await screen?.refresh(hasMissed).catch(() => {});
      app.changed();
    },
    () => wait(refreshPauseMs),
  );
  const ping = () => app.call('issues.list', { limit: 1 }).catch(() => {});
  const enter = (to: Screen) => {
    screen = to;
    dialogs = [];
    return app.attempt(() => to.refresh(true));
  };
  const visit = (screenId: string, show: (to: Screen) => unknown) => {
    const to = app.screens().find(({ id }) => id === screenId);
    if (to === undefined) return;
    trail = [...trail, app.screen()];
    void enter(to);
    void app.attempt(() => show(to));
  };

  const app: App = {
    target,
    targetColour,
    isReadOnly,
    preferences,
    host,
    views: options.views ?? viewStore({ access, preferences, place: () => undefined, isReadOnly }),
    drafts: drafts(),
    connection: watchConnection(ping, (isBack) => {
      if (isBack) {
        app.say('Connection restored.');
        app.refresh();
        void app.views.reload().catch(() => {});
        if (identity === null) void identify();
      }
      app.changed();
    }),
    follower: followEvents(access, {
      onEvents(events) {
        app.bell.receive(events);
        // The others load when one goes to them.
        screen?.onEvents(events);
        if (events.some(({ type }) => type.startsWith('view.'))) void app.views.reload().catch(() => {});
        app.changed();
      },
      onGap() {
        mayHaveMissed = true;
        void app.views.reload().catch(() => {});
        app.refresh();
      },
      onLive: () => app.changed(),
    }),
    bell: createBell(
      () =>
        notify ??
        (preferences.get().notify === 'off' || preferences.get().notify === undefined ? 'off' : 'bell'),
      (actor) => actor === identity?.email,
      () => host.ring(),
    ),
    identity: () => identity,
    async call(id, input, idempotencyKey) {
      const refusal = refusalOf({ calls: id, title: 'Change anything' }, isReadOnly, null);
      if (refusal !== undefined) throw new Error(refusal);
      try {
        const output = await access.call(id, input, idempotencyKey);
        app.connection.succeeded();
        return output;
      } catch (error) {
        if (isNotConnected(error)) app.connection.failed(sentenceOf(error));
        else app.connection.succeeded();
        if (error instanceof BackofficeError && error.code === 'forbidden') void identify();
        throw error;
      }
    },
    explain: sentenceOf,
    say(text, tone = 'done') {
      message = { text, tone };
      clearTimeout(messageTimer);
      messageTimer = setTimeout(() => {
        message = undefined;
        app.changed();
      }, messageMs[tone]);
      messageTimer.unref();
      app.changed();
    },
    message: () => message,
    async attempt(work) {
      try {
        await work();
      } catch (error) {
        app.say(sentenceOf(error), 'failed');
      }
      app.changed();
    },
    async openAfter(load, open) {
      const mine = Symbol('opening');
      opening = mine;
      app.changed();
      await app.attempt(async () => {
        let isWanted = false;
        const loaded = await load().finally(() => {
          isWanted = opening === mine;
          if (isWanted) opening = undefined;
        });
        if (isWanted) await open(loaded);
      });
    },
    isOpening: () => opening !== undefined,
    open(dialog) {
      message = undefined;
      dialogs = [...dialogs.filter((each) => each !== dialog), dialog];
      app.changed();
    },
    close(dialog) {
      dialogs = dialogs.filter((each) => each !== dialog);
      app.changed();
    },
    confirm(question, yes, no) {
      const dialog = confirmDialog(app, question, yes, no);
      app.open(dialog);
      return dialog;
    },
    dialog: () => dialogs.at(-1),
    allScreens: () => screens,
    screens: () => screens.filter((each) => app.refusalOf(each) === undefined),
    screen: () => screen as Screen,
    goTo(to) {
      trail = [];
      return enter(to);
    },
    visit: (screenId, key) => visit(screenId, (to) => to.reveal?.(key)),
    visitAll: (screenId, text) => visit(screenId, (to) => text !== undefined && to.filter?.(text)),
    back() {
      if (top().back()) return;
      const before = trail.at(-1);
      trail = trail.slice(0, -1);
      if (before !== undefined) void enter(before);
    },
    actions: () => [
      ...top().actions(),
      ...common.filter(({ everywhere }) => everywhere || dialogs.length === 0),
    ],
    common: () => common,
    refusalOf: (action) => refusalOf(action, isReadOnly, identity),
    keysOf: ({ id, keys }) => ownKeys[id] ?? keys,
    perform(action) {
      const refusal = app.refusalOf(action);
      if (refusal !== undefined) app.say(refusal, 'failed');
      else void app.attempt(() => action.run());
    },
    press(stroke) {
      if (message?.tone === 'failed') message = undefined;
      if (opening === undefined) keys.press(stroke);
      else opening = undefined;
      app.changed();
    },
    pending: () => keys.pending(),
    paste(text) {
      top().write?.(text);
      app.changed();
    },
    running: () => running,
    setRunning(sentence) {
      running = sentence;
      app.changed();
    },
    unfinished: () => [
      ...screens.flatMap((each) => each.unfinished()),
      ...(running === undefined ? [] : [running]),
      ...app.drafts.unsaved().map(({ title }) => `Not saved: ${title}.`),
    ],
    refresh: () => void refresh(),
    changed() {
      version += 1;
      if (isDrawing) return;
      // All that one key changes is one frame.
      isDrawing = true;
      queueMicrotask(() => {
        isDrawing = false;
        for (const listener of listeners) listener();
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    start() {
      if (identity === null) void identify();
      void app.goTo(app.screen());
      app.follower.restart();
      let polledAt = Date.now();
      timer = setInterval(() => {
        if (app.connection.lost() !== undefined) return app.changed();
        if (Date.now() - polledAt < (app.follower.isLive() ? livePollMs : pollMs)) return;
        polledAt = Date.now();
        app.refresh();
      }, 1_000);
    },
    stop() {
      clearInterval(timer);
      clearTimeout(messageTimer);
      app.follower.stop();
      app.connection.stop();
      app.bell.stop();
    },
    get undo() {
      return undo;
    },
  };
  const undo = undoStack(app);
  const top = (): Layer => dialogs.at(-1) ?? app.screen();
  const keys = presses({ top, actions: app.actions, keysOf: app.keysOf, perform: app.perform });
  const screens = options.makeScreens(app);
  const common = options.makeCommon(app);
  screen = screens.find(({ id }) => id === options.first) ?? screens[0];
  return app;
}
