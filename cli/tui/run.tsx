import { render } from 'ink';
import type { Access } from '../access/access.ts';
import { stopSignal } from '../stop-signal.ts';
import { divertRemarks } from '../terminal.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Frame } from './components/frame.tsx';
import { createDashboardApp } from './create-app.ts';
import { keepHeapSmall } from './heap.ts';
import type { Keymap } from './keys/keymap.ts';
import { followChanges } from './refresh/follow-changes.ts';
import { makeScreens } from './screens/index.ts';

export interface DashboardOptions {
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** What the dashboard works on: `local`, or the host of a server. */
  readonly target: string;
}

/** Moves to the first cell of the screen and erases everything after it. */
const clearScreen = '\u001B[H\u001B[J';

/**
 * Shows the dashboard until the user quits or a signal stops it. However it ends, it restores the terminal: it leaves
 * the alternate screen, shows the cursor and turns off raw mode.
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
  const redraw = () => {
    // Ink writes only what differs from the previous frame. This makes it forget that frame.
    instance.clear();
    process.stdout.write(clearScreen);
    instance.rerender(dashboard());
  };
  const app = createDashboardApp({ access, ...options, onQuit: end, onRedraw: redraw }, makeScreens);
  const dashboard = () => (
    <ErrorBoundary onError={fail}>
      <Frame app={app} />
    </ErrorBoundary>
  );
  // Before Ink does: the terminal would write keys that are pressed meanwhile onto the alternate screen.
  process.stdin.setRawMode(true);
  const instance = render(dashboard(), {
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
    maxFps: 60,
  });
  const endDiversion = divertRemarks((text) => app.showMessage(text, 'note'));
  stop.addEventListener('abort', end, { once: true });
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);
  app.start();
  const stopFollowing = new AbortController();
  const following = followChanges(access, app, stopFollowing.signal);
  try {
    await instance.waitUntilExit();
  } finally {
    endDiversion();
    app.stop();
    stopFollowing.abort();
    stop.removeEventListener('abort', end);
    process.removeListener('uncaughtException', fail);
    process.removeListener('unhandledRejection', fail);
    await following;
    process.stdin.setRawMode(false);
  }
  if (failure !== undefined) throw failure.error;
}
