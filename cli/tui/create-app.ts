import { singleFlight } from '../../src/shared/waiting.ts';
import { sentenceOf } from '../failures.ts';
import type { DashboardAppOptions } from './app-options.ts';
import { askToLeave } from './common-actions.ts';
import { createMouseRegions } from './components/region.tsx';
import { confirmDialog } from './dialogs/confirm.tsx';
import { createInput, type Input } from './input.ts';
import { actionOf } from './keys/keymap.ts';
import { createRecordedCalls, type RecordedCalls } from './log/recorded-calls.ts';
import { createSessionLog } from './log/session-log.ts';
import { passingPreferences } from './preferences.ts';
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
import { createMessages } from './state/messages.ts';
import { type Screen, type ScreenId, screenIds } from './state/screen-types.ts';
import { createStore } from './state/store.ts';
import { collectUnsaved, type Unsaved } from './unsaved.ts';

/** Works on the database of this machine. */
const operator: Identity = { email: null, role: 'superadmin', isReadOnly: false };

/** What is added to the dashboard once the rest is there. */
type Later = RecordedCalls & Input & Unsaved & Pick<App, 'screens'>;

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
  let stopTimers = () => {};

  const messages = createMessages(store);
  const refusals = createRefusals(readOnly, () => store.get().identity);
  /** Asks the server who the dashboard acts as, which may have changed. Locally, that never changes. */
  const { run: identify } = singleFlight(async () => {
    if (identity === operator) return;
    const found = await readIdentity(access).catch(() => undefined);
    if (found === undefined) return;
    store.set({ identity: found });
    if (!app.offeredScreens().includes(store.get().screen)) app.goTo('issues');
  });
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
  const notifier = createNotifier({
    mode: notify,
    tell: onNotify,
    emailOf: () => store.get().identity?.email ?? undefined,
  });

  const base: Omit<App, keyof Later> = {
    store,
    keymap,
    get readOnly() {
      return refusals.ofChanges() !== undefined;
    },
    target,
    targetColour,
    refusalOf: (action) => refusals.of(action) ?? (actionOf(action).changesRow && app.rowRefusal()),
    rowRefusal: () => app.screens[store.get().screen].rowRefusal?.(),
    offeredScreens: refusals.offeredScreens,
    preferences,
    host,
    notifier,
    regions: createMouseRegions(),
    startView,
    log,
    visitorOf: (conversationId) => app.screens.conversations.nameOf?.(conversationId),
    now: clock,
    explain: sentenceOf,
    open(dialog) {
      messages.stop();
      // A message would hide the footer's hints for the dialog.
      const dialogs = [...store.get().dialogs.filter((each) => each !== dialog), dialog];
      store.set({ dialogs, message: null });
    },
    close: (dialog) => store.set({ dialogs: store.get().dialogs.filter((each) => each !== dialog) }),
    layer: () => store.get().dialogs.at(-1) ?? app.screens[store.get().screen],
    confirm: (question, onYes, quoted = '') => app.open(confirmDialog(app, question, onYes, { quoted })),
    isAskingToQuit: () => store.get().dialogs.at(-1)?.asks === 'quit',
    showMessage: messages.show,
    async attempt(work) {
      try {
        await work();
      } catch (error) {
        app.showMessage(sentenceOf(error), 'failed');
      }
    },
    goTo(screen) {
      store.set({ screen, dialogs: [] });
      refreshes.entered(screen);
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
    refreshAll() {
      store.set({ now: clock() });
      refreshes.all();
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
    start() {
      if (store.get().identity === null) void identify();
      app.goTo(store.get().screen);
      stopTimers = startTimers({ store, clock, refresh: refreshes.all });
    },
    stop() {
      stopTimers();
      stopInput();
      notifier.stop();
      watch.stop();
      messages.stop();
    },
  };
  // The parts use it when something happens. It has all of them then.
  const app = base as App;
  const refreshes = createScreenRefresh(app);
  const { input, stop: stopInput } = createInput(app, messages, onQuit);
  const calls = createRecordedCalls(app, {
    access,
    refusal: refusals.ofChanges,
    onForbidden: identify,
    connection: watch,
    notifier,
  });
  const parts: Omit<Later, 'screens'> = { ...calls, ...input, ...collectUnsaved(app, keepFolder) };
  Object.assign(app, parts);
  return Object.assign(app, { screens: makeScreens(app) });
}
