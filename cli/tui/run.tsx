import { render } from 'ink';
import { readTerminalColours } from '../../src/config.ts';
import type { Access } from '../access/access.ts';
import { stopSignal } from '../stop-signal.ts';
import { divertRemarks } from '../terminal.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Frame } from './components/frame.tsx';
import { createDashboardApp } from './create-app.ts';
import { keepHeapSmall } from './heap.ts';
import type { Keymap } from './keys/keymap.ts';
import type { PreferenceStore } from './preferences.ts';
import { followChanges } from './refresh/follow-changes.ts';
import { makeScreens } from './screens/index.ts';
import type { App } from './state/app.ts';
import { createBackgroundQuestion } from './terminal/ask-background.ts';
import { createJobControl } from './terminal/job-control.ts';
import { findLauncher } from './terminal/launcher.ts';
import { pageOutput } from './terminal/page-output.ts';
import { openTerminalInput } from './terminal/terminal-input.ts';
import { createTerminalLoan } from './terminal/terminal-loan.tsx';
import { changeLook, depthOf, pageCode, type ThemeName } from './theme.ts';

export interface DashboardOptions {
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** What the dashboard works on: `local`, or the host of a server. */
  readonly target: string;
  /** By default, choices end with the dashboard. */
  readonly preferences?: PreferenceStore;
  /** The theme of this dashboard, if it is not the one of the preferences. */
  readonly theme?: ThemeName | undefined;
}

/** Moves to the first cell of the screen and erases everything after it. */
const clearScreen = '\u001B[H\u001B[J';

/**
 * Shows the dashboard until the user quits, a signal stops it or the terminal disappears. However it ends, it restores the
 * terminal: it leaves the alternate screen, shows the cursor and turns off raw mode.
 *
 * @throws the error that ended it
 */
export async function runDashboard(access: Access, options: DashboardOptions): Promise<void> {
  keepHeapSmall(process.stdout.columns * process.stdout.rows);
  const stop = stopSignal();
  let failure: { readonly error: unknown } | undefined;
  const end = () => instance.unmount();
  const fail = (error: unknown) => {
    failure ??= { error };
    end();
  };
  const loan = createTerminalLoan();
  const launcher = findLauncher(end);
  const redraw = () => {
    if (loan.isLent()) return;
    // Ink writes only what differs from the previous frame. This makes it forget that frame.
    instance.clear();
    output.write(clearScreen);
    instance.rerender(dashboard());
  };
  const suspend = async () => {
    if (!(await jobs.suspend())) app.showMessage('There is no shell to go back to.', 'note');
  };
  const app = createDashboardApp(
    { access, ...options, onQuit: end, onRedraw: redraw, onSuspend: suspend },
    makeScreens,
  );
  const dashboard = () => (
    <ErrorBoundary onError={fail}>
      <loan.Lender />
      <Frame app={app} />
    </ErrorBoundary>
  );
  launcher.take();
  // Before Ink does: the terminal would write keys that are pressed meanwhile onto the alternate screen.
  const output = pageOutput(process.stdout, pageCode);
  const background = createBackgroundQuestion(
    (text) => process.stdout.write(text),
    (colour) => {
      changeLook({ background: colour });
      redraw();
    },
  );
  const input = openTerminalInput(process.stdin, background.receive);
  input.stream.setRawMode(true);
  const { has256, isLight } = readTerminalColours();
  changeLook({
    theme: options.theme ?? options.preferences?.get().theme ?? 'auto',
    depth: depthOf(process.stdout, has256),
    ...(isLight === undefined ? {} : { isLightHint: isLight }),
    background: await background.ask(),
  });
  const instance = render(dashboard(), {
    stdin: input.stream,
    stdout: output,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
    maxFps: 60,
  });
  const endDiversion = divertRemarks((text) => app.showMessage(text, 'note'));
  stop.addEventListener('abort', end, { once: true });
  // It may have arrived while the terminal was asked.
  if (stop.aborted) end();
  endWithTerminal(end);
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);
  app.start();
  let stopFollowing = startFollowing(access, app);
  const jobs = createJobControl({
    lend: loan.lend,
    isLent: loan.isLent,
    launcher,
    async onResumed() {
      app.refreshAll();
      // The connection may have ended without a sign while this process was stopped.
      await stopFollowing();
      stopFollowing = startFollowing(access, app);
    },
  });
  try {
    await instance.waitUntilExit();
  } finally {
    jobs.end();
    endDiversion();
    app.stop();
    stop.removeEventListener('abort', end);
    process.removeListener('uncaughtException', fail);
    process.removeListener('unhandledRejection', fail);
    await stopFollowing();
    await background.settle();
    input.stream.setRawMode(false);
    input.close();
    launcher.leave();
  }
  if (failure !== undefined) throw failure.error;
}

/** Ends the dashboard when its terminal disappears, of which no signal need tell. There is nobody to report it to. */
function endWithTerminal(end: () => void): void {
  for (const event of ['end', 'error', 'close']) process.stdin.on(event, end);
  for (const event of ['error', 'close']) process.stdout.on(event, end);
}

/** Passes the service's events to the dashboard. Returns a function that stops it, and resolves when it has stopped. */
function startFollowing(access: Access, app: App): () => Promise<void> {
  const stopped = new AbortController();
  const following = followChanges(access, app, stopped.signal);
  return async () => {
    stopped.abort();
    await following;
  };
}
