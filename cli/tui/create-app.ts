import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { singleFlight } from '../../src/shared/single-flight.ts';
import { sentenceOf } from '../failures.ts';
import type { DashboardAppOptions } from './app-options.ts';
import { askToLeave, commonActions } from './common-actions.ts';
import { createMouseRegions } from './components/region.tsx';
import { confirmDialog } from './dialogs/confirm.tsx';
import { holdKeys } from './held-keys.ts';
import { keepText } from './keep-text.ts';
import type { ActionId } from './keys/actions.ts';
import { type Scope, scopeOf } from './keys/scopes.ts';
import { createSessionLog } from './log/session-log.ts';
import { passingPreferences } from './preferences.ts';
import { pressKey } from './press-key.ts';
import { createCalls, type GuardedCallOptions } from './refresh/calls.ts';
import { watchConnection } from './refresh/connection.ts';
import { createNotifier } from './refresh/notifier.ts';
import { createScreenRefresh } from './refresh/screen-refresh.ts';
import { startTimers } from './refresh/timers.ts';
import { createRefusals } from './refusals.ts';
import { issueViews } from './screens/issues/views.ts';
import { startView as firstView } from './screens/views/view-store.ts';
import type { App, AppState } from './state/app.ts';
import { noHost } from './state/host.ts';
import { type Identity, readIdentity } from './state/identity.ts';
import { type Screen, type ScreenId, screenIds } from './state/screen-types.ts';
import { createStore } from './state/store.ts';

const messageMs = 5_000;

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
    startView = firstView(preferences.get(), issueViews),
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
  let messageTimer: NodeJS.Timeout | undefined;
  let stopTimers = () => {};

  const refusals = createRefusals(readOnly, () => store.get().identity);
  /** Asks the server who the dashboard acts as, which may have changed. Locally, that never changes. */
  const { run: identify } = singleFlight(async () => {
    if (identity === operator) return;
    const found = await readIdentity(access).catch(() => undefined);
    if (found === undefined) return;
    store.set({ identity: found });
    if (!app.offeredScreens().includes(store.get().screen)) app.goTo('issues');
  });
  const currentScreen = () => app.screens[store.get().screen];
  const watch = watchConnection({
    clock,
    retry: () => refreshes.all(),
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

  const drafts = () => screenIds.flatMap((id) => app.screens[id].drafts?.() ?? []);
  const callsWith = (record: GuardedCallOptions['record']) => {
    const { ofChanges: refusal } = refusals;
    return createCalls({ access, refusal, onForbidden: identify, connection: watch, notifier, record });
  };

  const app: App = {
    store,
    keymap,
    get readOnly() {
      return refusals.ofChanges() !== undefined;
    },
    target,
    targetColour,
    refusalOf: refusals.of,
    offeredScreens: refusals.offeredScreens,
    preferences,
    host,
    notifier,
    regions: createMouseRegions(),
    startView,
    screens: undefined as never,
    call: callsWith((id, input) => log.begin(id, input, target, clock(), app.visitorOf)),
    visitorOf: (conversationId) => app.screens.conversations.nameOf?.(conversationId),
    async asOne(what, work) {
      const refusal = refusals.ofChanges();
      if (refusal !== undefined) throw new Error(refusal);
      const group = log.beginGroup(what, target, clock());
      try {
        const result = await work(callsWith(group.begin));
        group.succeeded();
        return result;
      } catch (error) {
        group.failed(sentenceOf(error));
        throw error;
      }
    },
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
      refreshes.entered(screen);
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
      refreshes.affectedBy(events);
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
      refreshes.all();
    },
    log,
    // A new folder: one of a known name in a directory that all share may be somebody else's.
    keepText: async (text) =>
      await keepText(keepFolder ?? (await mkdtemp(join(tmpdir(), 'backoffice-kept-texts-'))), text),
    leftovers: (isForced) => [
      ...screenIds.flatMap((id) => app.screens[id].undecided?.() ?? []),
      ...(isForced ? drafts() : []),
    ],
    unsaved() {
      const texts = [
        ...drafts().map(({ sentence }) => sentence),
        ...screenIds.flatMap((id) => app.screens[id].unfinished?.() ?? []),
      ];
      // A text that is being sent is not saved either, and tells so itself.
      return texts.length > 0 ? texts : log.running(target).map((what) => `Not finished: ${what}.`);
    },
    start() {
      if (store.get().identity === null) void identify();
      app.goTo(store.get().screen);
      stopTimers = startTimers({ store, clock, refresh: refreshes.all });
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
  const refreshes = createScreenRefresh(app);
  const common = commonActions(app, onQuit);
  return Object.assign(app, { screens: makeScreens(app) });
}

/** The screen of each scope that is only a part of one. */
const screenOfScope: Readonly<Partial<Record<Scope, ScreenId>>> = {
  talk: 'conversations',
  thread: 'conversations',
  errors: 'usage',
};
