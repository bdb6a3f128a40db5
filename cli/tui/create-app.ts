import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coalesce, singleFlight } from '../../src/shared/single-flight.ts';
import type { Access } from '../access/access.ts';
import { sentenceOf } from '../failures.ts';
import type { BadgeColour } from './colours/palettes.ts';
import { askToLeave, commonActions } from './common-actions.ts';
import { createMouseRegions } from './components/region.tsx';
import { confirmDialog } from './dialogs/confirm.tsx';
import { holdKeys } from './held-keys.ts';
import { keepText } from './keep-text.ts';
import type { ActionId } from './keys/actions.ts';
import { actionOf, type Keymap } from './keys/keymap.ts';
import { roleRefusal } from './keys/permissions.ts';
import { type Scope, scopeOf } from './keys/scopes.ts';
import { createSessionLog, type SessionLog } from './log/session-log.ts';
import { type PreferenceStore, passingPreferences } from './preferences.ts';
import { pressKey } from './press-key.ts';
import { createCalls } from './refresh/calls.ts';
import { watchConnection } from './refresh/connection.ts';
import { createNotifier, type NotifierOptions, type NotifyMode } from './refresh/notifier.ts';
import { startTimers } from './refresh/timers.ts';
import type { IssueView } from './screens/issues/saved-view.ts';
import { startView as firstView } from './screens/issues/view-store.ts';
import type { App, AppState } from './state/app.ts';
import { type Host, noHost } from './state/host.ts';
import { type Identity, readIdentity } from './state/identity.ts';
import { anyEventType, type Screen, type ScreenId, screenIds } from './state/screen-types.ts';
import { createStore } from './state/store.ts';
import type { Workplaces } from './state/workplace.ts';

export interface DashboardAppOptions {
  readonly access: Pick<Access, 'call'>;
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** What the dashboard works on: `local`, or the host of a server. */
  readonly target: string;
  /** By default, choices end with the dashboard. */
  readonly preferences?: PreferenceStore;
  /** By default, the one of the preferences. */
  readonly startView?: IssueView;
  /** By default, the dashboard reaches nothing of the machine. */
  readonly host?: Host;
  readonly targetColour?: BadgeColour | undefined;
  readonly workplaces?: Pick<Workplaces, 'all'>;
  /** What was changed before, on other workplaces. By default, nothing. */
  readonly log?: SessionLog;
  /** Where texts are kept that would be lost. By default, in a new folder for temporary files. */
  readonly keepFolder?: string;
  /** Who the dashboard acts as: the operator of this machine by default, or null if the server must be asked. */
  readonly identity?: Identity | null;
  /** How to notify about something new; by default, not at all. */
  readonly notify?: NotifyMode | undefined;
  readonly onNotify?: NotifierOptions['tell'];
  readonly clock?: () => number;
  readonly onQuit: () => void;
  /** Draws the whole screen again, for a terminal that may show something else. */
  readonly onRedraw: () => void;
  /** Goes back to the shell until it continues the dashboard. */
  readonly onSuspend?: () => void;
  /** Changes to another workplace. */
  readonly onMove?: (target: string) => Promise<void>;
}

const messageMs = 5_000;

const readOnlyRefusal = 'This dashboard is read-only. Start it without --read-only to make changes.';
const readOnlyTokenRefusal =
  'Your token is only for reading. Sign in again with `backoffice login` to make changes.';
/** Works on the database of this machine. */
const operator: Identity = { email: null, role: 'superadmin', isReadOnly: false };

/** Creates the dashboard without its drawing: its state, and how keys, events and time change it. */
export function createDashboardApp(
  {
    access,
    keymap,
    readOnly,
    target,
    preferences = passingPreferences(),
    targetColour,
    identity = operator,
    startView = firstView(preferences.get()),
    host = noHost,
    notify = 'off',
    onNotify = () => {},
    clock = Date.now,
    onQuit,
    onRedraw,
    onSuspend = () => {},
    onMove = async () => {},
    workplaces = { all: [] },
    log = createSessionLog(),
    keepFolder,
  }: DashboardAppOptions,
  makeScreens: (app: App) => Readonly<Record<ScreenId, Screen>>,
): App {
  const store = createStore<AppState>({
    screen: 'issues',
    dialogs: [],
    message: null,
    connection: { state: 'up', reason: '', retryAt: 0, live: false },
    identity,
    now: clock(),
    strokes: '',
    isOpening: false,
  });
  const stale = new Set<ScreenId>(screenIds);
  let messageTimer: NodeJS.Timeout | undefined;
  let stopTimers = () => {};

  const changeRefusal = () => {
    if (readOnly) return readOnlyRefusal;
    return store.get().identity?.isReadOnly === true ? readOnlyTokenRefusal : undefined;
  };
  /** Asks the server who the dashboard acts as, which may have changed. Locally, that never changes. */
  const { run: identify } = singleFlight(async () => {
    if (identity === operator) return;
    const found = await readIdentity(access).catch(() => undefined);
    if (found === undefined) return;
    store.set({ identity: found });
    if (!app.offeredScreens().includes(store.get().screen)) app.goTo('issues');
  });
  const currentScreen = () => app.screens[store.get().screen];
  const refresh = coalesce(async (id: ScreenId) => {
    // The user may have left the screen before the refresh starts.
    if (id === store.get().screen) await app.screens[id].refresh();
    else stale.add(id);
  });
  /** Refreshes the current screen now, and every other screen when the user goes to it. */
  const refreshAll = () => {
    for (const id of screenIds) if (id !== store.get().screen) stale.add(id);
    refresh(store.get().screen);
  };
  const watch = watchConnection({
    clock,
    retry: refreshAll,
    onChange(change) {
      const { connection } = store.get();
      const isBack = connection.state === 'lost' && change.state === 'up';
      store.set({ connection: { ...connection, ...change }, now: clock() });
      if (isBack) app.showMessage('Connection restored.');
      if (isBack) void identify();
    },
  });
  const perform = (action: ActionId) => {
    const handler = common[action];
    const refusal = app.refusalOf(action);
    if (refusal !== undefined) app.showMessage(refusal, 'failed');
    else if (handler === undefined) app.layer().perform(action);
    else handler();
  };

  const notifier = createNotifier({
    mode: notify,
    tell: onNotify,
    emailOf: () => store.get().identity?.email ?? undefined,
  });

  const app: App = {
    store,
    keymap,
    get readOnly() {
      return changeRefusal() !== undefined;
    },
    target,
    targetColour,
    refusalOf(action) {
      const refusal = actionOf(action).changes === true ? changeRefusal() : undefined;
      const role = store.get().identity?.role;
      return refusal ?? (role === undefined ? undefined : roleRefusal(action, role));
    },
    offeredScreens: () => screenIds.filter((id) => app.refusalOf(`global.${id}`) === undefined),
    preferences,
    host,
    notifier,
    regions: createMouseRegions(),
    startView,
    screens: undefined as never,
    call: createCalls({
      access,
      refusal: changeRefusal,
      onForbidden: identify,
      connection: watch,
      notifier,
      record: (id, input) => log.begin(id, input, target, clock()),
    }),
    now: clock,
    explain: sentenceOf,
    open(dialog) {
      clearTimeout(messageTimer);
      // A message would hide the footer's hints for the dialog.
      const dialogs = [...store.get().dialogs.filter((each) => each !== dialog), dialog];
      store.set({ dialogs, message: null });
    },
    close: (dialog) => store.set({ dialogs: store.get().dialogs.filter((each) => each !== dialog) }),
    openAfter: (load, open, options) => held.openAfter(load, open, options),
    showMessage(text, tone = 'done') {
      clearTimeout(messageTimer);
      store.set({ message: { text, tone } });
      if (tone !== 'failed') messageTimer = setTimeout(() => store.set({ message: null }), messageMs);
    },
    async attempt(work) {
      try {
        await work();
      } catch (error) {
        app.showMessage(sentenceOf(error), 'failed');
      }
    },
    confirm: (question, onYes, quoted = '') => app.open(confirmDialog(app, question, onYes, { quoted })),
    goTo(screen) {
      store.set({ screen, dialogs: [] });
      if (stale.delete(screen)) refresh(screen);
    },
    layer: () => store.get().dialogs.at(-1) ?? currentScreen(),
    press(stroke) {
      if (store.get().message?.tone === 'failed') store.set({ message: null });
      if (!held.take(stroke)) pressKey(app, stroke, perform);
    },
    pressUnseen({ key }) {
      const action = keymap.find(app.isAskingToQuit() ? 'confirm' : 'issues', key);
      if (action === 'global.quit' || action === 'everywhere.leave') common['everywhere.leave']?.();
      else if (action === 'everywhere.redraw') onRedraw();
      else if (action === 'everywhere.suspend') onSuspend();
      else if (app.isAskingToQuit() && action === 'everywhere.back') common['everywhere.back']?.();
    },
    isAskingToQuit: () => store.get().dialogs.at(-1)?.asks === 'quit',
    point(event) {
      if (held.isOpening()) return;
      if (store.get().message?.tone === 'failed') store.set({ message: null });
      app.regions.handle(event, store.get().dialogs.length > 0);
    },
    paste(text) {
      if (!held.takePaste(text)) app.layer().write?.(text);
    },
    runAction(action) {
      const scope = scopeOf(action);
      const owner = screenIds.find((id) => id === scope) ?? screenOfScope[scope];
      if (owner !== undefined && store.get().screen !== owner) app.goTo(owner);
      perform(action);
    },
    onEvents(events) {
      for (const id of screenIds) for (const event of events) app.screens[id].receive?.(event);
      for (const { event } of events) if (event !== undefined) notifier.receive(event);
      for (const id of screenIds) {
        const isAffected = events.some(
          ({ type }) => type === anyEventType || app.screens[id].isAffectedBy(type),
        );
        if (!isAffected) continue;
        if (id === store.get().screen) refresh(id);
        else stale.add(id);
      }
    },
    setLive(live) {
      const { connection } = store.get();
      if (connection.live !== live) store.set({ connection: { ...connection, live } });
    },
    redraw: onRedraw,
    suspend: onSuspend,
    workplaces: workplaces.all.filter((each) => each.target !== target),
    moveTo(place) {
      askToLeave(app, `go to ${place}`, () => {
        app.showMessage(`Connecting to ${place}…`, 'note');
        return onMove(place);
      });
    },
    refreshAll() {
      store.set({ now: clock() });
      refreshAll();
    },
    log,
    // A new folder: one of a known name in a directory that all share may be somebody else's.
    keepText: async (text) =>
      await keepText(keepFolder ?? (await mkdtemp(join(tmpdir(), 'backoffice-kept-texts-'))), text),
    leftovers: (isForced) => screenIds.flatMap((id) => app.screens[id].leftovers?.(isForced) ?? []),
    unsaved() {
      const texts = screenIds.flatMap((id) => app.screens[id].unsaved?.() ?? []);
      // A text that is being sent is not saved either, and tells so itself.
      return texts.length > 0 ? texts : log.running(target).map((what) => `Not finished: ${what}.`);
    },
    start() {
      if (store.get().identity === null) void identify();
      app.goTo(store.get().screen);
      stopTimers = startTimers({ store, clock, refresh: refreshAll });
    },
    stop() {
      stopTimers();
      held.stop();
      notifier.stop();
      watch.stop();
      clearTimeout(messageTimer);
    },
  };
  const held = holdKeys(app);
  const common = commonActions(app, onQuit);
  return Object.assign(app, { screens: makeScreens(app) });
}

/** The screen of each scope that is only a part of one. */
const screenOfScope: Readonly<Partial<Record<Scope, ScreenId>>> = {
  talk: 'conversations',
  thread: 'conversations',
  errors: 'usage',
};
