import { render } from 'ink';
import type { Access } from '../access/access.ts';
import { stopSignal } from '../stop-signal.ts';
import { divertRemarks } from '../terminal.ts';
import { Boundary, Frame } from './components/frame.tsx';
import { createDashboardApp } from './create-app.ts';
import { keepHeapSmall } from './heap.ts';
import type { Keymap } from './keys/keymap.ts';
import { followChanges } from './live.ts';
import { makeScreens } from './screens/index.ts';

export interface DashboardOptions {
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  readonly where: string;
}

/** To the first cell of the screen, and all that is behind it erased. */
const clearScreen = '\u001B[H\u001B[J';

/**
 * Shows the dashboard until it is quit or told to stop. However it ends, the terminal is as it was: the alternate
 * screen is left, the cursor shown and raw mode off.
 *
 * @throws whatever broke it
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
    // Ink writes only what is another than in the frame before, which it forgets so.
    instance.clear();
    process.stdout.write(clearScreen);
    instance.rerender(dashboard());
  };
  const app = createDashboardApp({ access, ...options, onQuit: end, onRedraw: redraw }, makeScreens);
  const dashboard = () => (
    <Boundary onError={fail}>
      <Frame app={app} />
    </Boundary>
  );
  const instance = render(dashboard(), {
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
    maxFps: 60,
  });
  const endDiversion = divertRemarks((text) => app.say(text, 'note'));
  stop.addEventListener('abort', end, { once: true });
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);
  app.start();
  const live = new AbortController();
  const following = followChanges(access, app, live.signal);
  try {
    await instance.waitUntilExit();
  } finally {
    endDiversion();
    app.stop();
    live.abort();
    stop.removeEventListener('abort', end);
    process.removeListener('uncaughtException', fail);
    process.removeListener('unhandledRejection', fail);
    await following;
  }
  if (failure !== undefined) throw failure.error;
}
