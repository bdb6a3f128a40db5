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
import { createBackgroundQuestion } from './terminal/ask-background.ts';
import { pageOutput } from './terminal/page-output.ts';
import { openTerminalInput } from './terminal/terminal-input.ts';
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
    output.write(clearScreen);
    instance.rerender(dashboard());
  };
  const app = createDashboardApp({ access, ...options, onQuit: end, onRedraw: redraw }, makeScreens);
  const dashboard = () => (
    <ErrorBoundary onError={fail}>
      <Frame app={app} />
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
    await background.settle();
    input.stream.setRawMode(false);
    input.close();
  }
  if (failure !== undefined) throw failure.error;
}
