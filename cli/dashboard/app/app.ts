import { BackofficeError } from '../../../src/contract/errors.ts';
import { shareNext, wait } from '../../../src/shared/waiting.ts';
import type { Access } from '../../access/access.ts';
import { isNotConnected, sentenceOf } from '../../failures.ts';
import { confirmDialog } from '../dialogs/confirm.ts';
import type { BadgeColour } from '../draw/style.ts';
import type { Host } from '../terminal/host.ts';
import type { Stroke } from '../terminal/strokes.ts';
import { type Bell, createBell, type NotifyMode } from './bell.ts';
import { type Connection, watchConnection } from './connection.ts';
import { type Drafts, drafts } from './drafts.ts';
import { type Follower, followEvents } from './follow.ts';
import { type Identity, readIdentity } from './identity.ts';
import type { OwnKeys } from './keys.ts';
import { refusalOf } from './permissions.ts';
import type { PreferenceStore } from './preferences.ts';
import { presses } from './press.ts';
import type { Action, Dialog, Layer, Screen } from './types.ts';
import { type Undo, undoStack } from './undo.ts';

/** What a message says: that something is done, that it failed, or something to know. */
export type MessageTone = 'done' | 'failed' | 'note';

export interface Message {
  readonly text: string;
  readonly tone: MessageTone;
}

/** The dashboard without its drawing. State lives here and in what the screens are made of, never in React. */
export interface App {
  /** `local`, or the name of the context, or the host of the server; and the colour of the context. */
  readonly target: string;
  readonly targetColour: BadgeColour | undefined;
  readonly isReadOnly: boolean;
  readonly preferences: PreferenceStore;
  readonly host: Host;
  readonly drafts: Drafts;
  readonly undo: Undo;
  readonly connection: Connection;
  readonly follower: Follower;
  readonly bell: Bell;
  /** Who the dashboard acts as; null until the server has told. */
  readonly identity: () => Identity | null;
  readonly call: Access['call'];
  explain(error: unknown): string;
  say(text: string, tone?: MessageTone): void;
  message(): Message | undefined;
  /** Runs work of a key, and says why it failed. */
  attempt(work: () => unknown): Promise<void>;
  /** Loads what a dialog needs, then opens it. Any key cancels. */
  openAfter<T>(load: () => Promise<T>, open: (loaded: T) => unknown): Promise<void>;
  isOpening(): boolean;
  open(dialog: Dialog): void;
  close(dialog: Dialog): void;
  confirm(question: string, yes: () => unknown): void;
  dialog(): Dialog | undefined;
  allScreens(): readonly Screen[];
  /** The screens that the role may see. */
  screens(): readonly Screen[];
  screen(): Screen;
  goTo(screen: Screen): void;
  /** Goes to a row of another screen. Esc leads back. */
  visit(screenId: string, key: string | number): void;
  /** Goes back one step: in the dialog, in the screen, or to the screen that one came from. */
  back(): void;
  /** The actions that keys reach now, the most specific first. */
  actions(): readonly Action[];
  /** The actions that every screen has. */
  common(): readonly Action[];
  /** Returns why an action is not offered, in a sentence. */
  refusalOf(action: Pick<Action, 'calls' | 'title'>): string | undefined;
  keysOf(action: Pick<Action, 'id' | 'keys'>): readonly string[];
  perform(action: Action): void;
  press(stroke: Stroke): void;
  /** The strokes of a key that is not complete, such as `S`. */
  pending(): string;
  paste(text: string): void;
  /** A change of many rows that is running, in a sentence. */
  running(): string | undefined;
  setRunning(sentence: string | undefined): void;
  /** A sentence for each thing that quitting would lose. */
  unfinished(): readonly string[];
  /** Loads again what the screen shows, soon: calls within a second share one. */
  refresh(): void;
  /** Says that something may look different. Keys, events and answers say so themselves. */
  changed(): void;
  onChange(listener: () => void): () => void;
  version(): number;
  start(): void;
  stop(): void;
}

export interface AppOptions {
  readonly access: Access;
  readonly target: string;
  readonly targetColour?: BadgeColour | undefined;
  readonly identity: Identity | null;
  readonly isReadOnly: boolean;
  readonly preferences: PreferenceStore;
  readonly host: Host;
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
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<() => void>();

  const identify = async () => {
    // The operator of this machine has no account that could change.
    if (options.identity !== null && options.identity.email === null) return;
    identity = await readIdentity(access).catch(() => identity);
    app.changed();
  };
  // Whoever asks during a refresh gets the next one, which sees what they know of.
  const refresh = shareNext(
    () => app.attempt(() => screen?.refresh()),
    () => wait(refreshPauseMs),
  );
  const ping = () => app.call('issues.list', { limit: 1 }).catch(() => {});
  const enter = (to: Screen) => {
    screen = to;
    dialogs = [];
    void app.attempt(() => to.refresh());
  };

  const app: App = {
    ...{ target, targetColour, isReadOnly, preferences, host },
    drafts: drafts(),
    connection: watchConnection(ping, (isBack) => {
      if (isBack) app.say('Connection restored.');
      if (isBack) app.refresh();
      app.changed();
    }),
    follower: followEvents(access, {
      onEvents(events) {
        app.bell.receive(events);
        for (const each of screens) each.onEvents(events);
        app.changed();
      },
      onGap: () => app.refresh(),
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
        try {
          const loaded = await load();
          if (opening === mine) open(loaded);
        } finally {
          if (opening === mine) opening = undefined;
        }
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
    confirm: (question, yes) => app.open(confirmDialog(app, question, yes)),
    dialog: () => dialogs.at(-1),
    allScreens: () => screens,
    screens: () => screens.filter((each) => app.refusalOf(each) === undefined),
    screen: () => screen as Screen,
    goTo(to) {
      trail = [];
      enter(to);
    },
    visit(screenId, key) {
      const to = app.screens().find(({ id }) => id === screenId);
      if (to === undefined) return;
      trail = [...trail, app.screen()];
      enter(to);
      void app.attempt(() => to.reveal?.(key));
    },
    back() {
      if (top().back()) return;
      const before = trail.at(-1);
      trail = trail.slice(0, -1);
      if (before !== undefined) enter(before);
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
      app.goTo(app.screen());
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
