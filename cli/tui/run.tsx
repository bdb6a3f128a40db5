import { type Instance, render } from 'ink';
import { sentenceOf } from '../failures.ts';
import { readTerminalColours, terminalMultiplexer } from '../terminal/environment.ts';
import { stopSignal } from '../terminal/stop-signal.ts';
import { divertRemarks, remark } from '../terminal/terminal.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Frame } from './components/frame.tsx';
import { createDashboardApp } from './create-app.ts';
import { createHost } from './create-host.ts';
import { keepHeapSmall } from './heap.ts';
import type { Keymap } from './keys/keymap.ts';
import { createSessionLog } from './log/session-log.ts';
import type { PreferenceStore } from './preferences.ts';
import { type NotifierOptions, type NotifyMode, notificationSequence } from './refresh/notifier.ts';
import { makeScreens } from './screens/index.ts';
import type { View } from './screens/views/saved-view.ts';
import { createSession } from './session.ts';
import type { App } from './state/app.ts';
import type { Workplace, Workplaces } from './state/workplace.ts';
import { createBackgroundQuestion } from './terminal/ask-background.ts';
import { createJobControl } from './terminal/job-control.ts';
import { createMouseReader, leaveMouse, takeMouse } from './terminal/mouse.ts';
import { pageOutput } from './terminal/page-output.ts';
import { openTerminalInput } from './terminal/terminal-input.ts';
import { createTerminalLoan } from './terminal/terminal-loan.tsx';
import { changeLook, depthOf, pageCode, type ThemeName } from './theme.ts';

export interface DashboardOptions {
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** Where the user can change to; nowhere by default. */
  readonly workplaces?: Workplaces;
  /** Where texts are kept that would be lost. */
  readonly keepFolder?: string;
  /** By default, choices end with the dashboard. */
  readonly preferences?: PreferenceStore;
  /** Whether the dashboard takes the mouse; otherwise it is the terminal's. */
  readonly hasMouse?: boolean;
  /** The view of the issues that opens first, if it is not the one of the preferences. */
  readonly startView?: View;
  /** The theme of this dashboard, if it is not the one of the preferences. */
  readonly theme?: ThemeName | undefined;
  /** How this dashboard notifies about something new, if not as the preferences say. */
  readonly notify?: NotifyMode | undefined;
}

/** Moves to the first cell of the screen and erases everything after it. */
const clearScreen = '\u001B[H\u001B[J';

/**
 * Shows the dashboard until the user quits, a signal stops it or the terminal disappears. However it ends, it restores the
 * terminal: it leaves the alternate screen, shows the cursor and turns off raw mode.
 *
 * @throws the error that ended it
 */
export async function runDashboard(workplace: Workplace, options: DashboardOptions): Promise<void> {
  keepHeapSmall();
  const stop = stopSignal();
  let failure: { readonly error: unknown } | undefined;
  let instance: Instance | undefined;
  /** It may have to end while the terminal is asked, before anything is drawn. */
  let isEnding = false;
  const end = () => {
    isEnding = true;
    instance?.unmount();
  };
  /** Nobody was asked about what is not saved. */
  let isForced = true;
  const quit = () => {
    isForced = false;
    end();
  };
  const fail = (error: unknown) => {
    failure ??= { error };
    end();
  };
  const hasMouse = options.hasMouse === true;
  const loan = createTerminalLoan({
    onLend: () => hasMouse && process.stdout.write(leaveMouse),
    onReturn() {
      if (hasMouse) process.stdout.write(takeMouse);
      // A program that was killed has not cleared the screen.
      redraw();
    },
  });
  const redraw = () => {
    if (loan.isLent() || instance === undefined) return;
    // Ink writes only what differs from the previous frame. This makes it forget that frame.
    instance.clear();
    output.write(clearScreen);
    instance.rerender(dashboard());
  };
  const suspend = async () => {
    if (!(await jobs.suspend())) session.app.showMessage('There is no shell to go back to.', 'note');
  };
  const move = async (target: string) => {
    const place = await options.workplaces?.open(target);
    if (place === undefined) return;
    const before = session;
    session = openSession(place);
    redraw();
    session.start();
    session.app.showMessage(`Now on ${target}.`);
    await keepLeftovers(before.app, false);
    await before.stop();
  };
  const log = createSessionLog();
  const openSession = ({ access, webUrl, ...place }: Workplace) => {
    const handlers = { onQuit: quit, onRedraw: redraw, onSuspend: suspend, onMove: move };
    const notify = options.notify ?? options.preferences?.get().notify;
    const host = createHost({ webUrl, lend: loan.lend });
    const app = createDashboardApp(
      { access, ...options, ...place, ...handlers, host, log, notify, onNotify },
      makeScreens,
    );
    return createSession(app, access);
  };
  const onNotify: NotifierOptions['tell'] = (mode, sentence) => {
    if (!loan.isLent()) process.stdout.write(notificationSequence(mode, sentence, terminalMultiplexer()));
  };
  let session = openSession(workplace);
  const dashboard = () => (
    <ErrorBoundary onError={fail}>
      <loan.Lender />
      <Frame key={session.app.target} app={session.app} />
    </ErrorBoundary>
  );
  // Before Ink does: the terminal would write keys that are pressed meanwhile onto the alternate screen.
  const output = pageOutput(process.stdout, pageCode);
  const background = createBackgroundQuestion(
    (text) => process.stdout.write(text),
    (colour) => {
      changeLook({ background: colour });
      redraw();
    },
  );
  const readMouse = createMouseReader();
  const input = openTerminalInput(process.stdin, (reply) => {
    if (reply.kind !== 'mouse') return background.receive(reply);
    const event = readMouse(reply.report);
    if (event !== undefined) session.app.point(event);
  });
  input.stream.setRawMode(true);
  const { has256, isLight } = readTerminalColours();
  changeLook({
    theme: options.theme ?? options.preferences?.get().theme ?? 'auto',
    depth: depthOf(process.stdout, has256),
    ...(isLight === undefined ? {} : { isLightHint: isLight }),
    background: await background.ask(),
  });
  instance = render(dashboard(), {
    stdin: input.stream,
    stdout: output,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
    maxFps: 60,
  });
  if (hasMouse) process.stdout.write(takeMouse);
  const endDiversion = divertRemarks((text) => session.app.showMessage(text, 'note'));
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted || isEnding) end();
  endWithTerminal(end);
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);
  session.start();
  const jobs = createJobControl({
    lend: loan.lend,
    isLent: loan.isLent,
    onResumed: () => void session.resume(),
  });
  try {
    await instance.waitUntilExit();
  } finally {
    jobs.end();
    endDiversion();
    stop.removeEventListener('abort', end);
    process.removeListener('uncaughtException', fail);
    process.removeListener('unhandledRejection', fail);
    await session.stop();
    if (hasMouse) process.stdout.write(leaveMouse);
    // Ink has stopped reading, and an answer may still be due.
    input.stream.ref().setRawMode(true);
    await background.settle();
    input.stream.setRawMode(false);
    input.close();
    await keepLeftovers(session.app, isForced);
  }
  if (failure !== undefined) throw failure.error;
}

/** Keeps what would be lost, and says where. A remark reaches the user even if the dashboard goes on. */
async function keepLeftovers(app: App, isForced: boolean): Promise<void> {
  for (const text of app.leftovers(isForced)) {
    await app.keepText(text).then(
      (file) => remark(`The ${text.title} is in ${file}.`),
      (error: unknown) => remark(`Cannot keep the ${text.title}: ${sentenceOf(error)}`),
    );
  }
}

/** Ends the dashboard when its terminal disappears, which may happen without a signal. Nobody is left to report it to. */
function endWithTerminal(end: () => void): void {
  for (const event of ['end', 'error', 'close']) process.stdin.on(event, end);
  for (const event of ['error', 'close']) process.stdout.on(event, end);
}
