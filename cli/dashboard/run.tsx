import { setFlagsFromString } from 'node:v8';
import { render } from 'ink';
import { sentenceOf } from '../failures.ts';
import { hasLightBackground } from '../terminal/environment.ts';
import { divertRemarks, remark, stopSignal } from '../terminal/terminal.ts';
import type { App } from './app/app.ts';
import type { Size } from './app/types.ts';
import type { Workplace } from './app/workplace.ts';
import { createDashboard, type DashboardOptions } from './dashboard.ts';
import { frame, isTooSmall } from './draw/frame.ts';
import { chooseTheme, type Theme } from './draw/style.ts';
import { createHost, type Lend } from './terminal/host.ts';
import { createJobControl } from './terminal/job-control.ts';
import { createLoan } from './terminal/lend.ts';
import { Screen } from './terminal/screen.tsx';
import type { Stroke } from './terminal/strokes.ts';

export interface RunOptions
  extends Omit<DashboardOptions, 'access' | 'target' | 'targetColour' | 'identity' | 'host'> {
  /** Where texts are kept that would be lost. */
  readonly keepFolder: string;
  /** By default, as the preferences or the environment say. */
  readonly theme?: Theme | undefined;
}

/** Keys that act although nothing is drawn. */
const unseenKeys: readonly string[] = ['q', 'ctrl+c', 'ctrl+l', 'ctrl+z'];

/**
 * Shows the dashboard until the user quits, a signal stops it or the terminal disappears. However it ends, it restores the
 * terminal: it leaves the alternate screen, shows the cursor and turns off raw mode.
 *
 * @throws the error that ended it
 */
export async function runDashboard(
  { webUrl, place: _place, ...place }: Workplace,
  { keepFolder, theme, ...options }: RunOptions,
): Promise<void> {
  // Keeps the memory of a long-running dashboard small, at the price of more frequent collections.
  setFlagsFromString('--heap-growing-percent=10');
  chooseTheme(theme ?? preferredTheme(options.preferences.get().theme));
  const stop = stopSignal();
  let failure: { readonly error: unknown } | undefined;
  let suspendTerminal: Lend = (work) => work();
  let redraw = () => {};
  // Nobody was asked about what is not saved.
  let isForced = true;
  const end = () => instance.unmount();
  const quit = () => {
    isForced = false;
    end();
  };
  const fail = (error: unknown) => {
    failure ??= { error };
    end();
  };
  const loan = createLoan(
    (work) => suspendTerminal(work),
    () => redraw(),
  );
  const suspend = async () => {
    if (!(await jobs.suspend())) app.say('There is no shell to go back to.', 'note');
  };
  const app = createDashboard(
    { ...options, ...place, host: createHost(webUrl, keepFolder, loan.lend) },
    { quit, redraw: () => redraw(), suspend },
  );
  const onReady = (lend: Lend, draw: () => void) => {
    suspendTerminal = lend;
    redraw = draw;
  };
  const press = (stroke: Stroke, size: Size) => {
    if (!isTooSmall(size) || unseenKeys.includes(stroke.key) || app.dialog() !== undefined) app.press(stroke);
  };
  const draw = (size: Size) => {
    try {
      return frame(app, size);
    } catch (error) {
      // A defect in a screen: the terminal must be restored before it is told.
      setImmediate(fail, error);
      return [];
    }
  };
  const instance = render(
    <Screen app={app} press={press} draw={draw} onReady={onReady} isLent={loan.isLent} />,
    {
      alternateScreen: true,
      exitOnCtrlC: false,
      interactive: true,
      patchConsole: false,
    },
  );
  const endDiversion = divertRemarks((text) => app.say(text, 'note'));
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  // The terminal may disappear without a signal. Nobody is left to report it to.
  for (const event of ['end', 'error', 'close']) process.stdin.on(event, end);
  for (const event of ['error', 'close']) process.stdout.on(event, end);
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);
  const onResumed = () => {
    app.follower.restart();
    app.refresh();
  };
  const jobs = createJobControl({ ...loan, onResumed });
  app.start();
  try {
    await instance.waitUntilExit();
  } finally {
    jobs.end();
    endDiversion();
    stop.removeEventListener('abort', end);
    process.removeListener('uncaughtException', fail);
    process.removeListener('unhandledRejection', fail);
    app.stop();
    if (isForced) await keepTexts(app);
  }
  if (failure !== undefined) throw failure.error;
}

/** Keeps what was typed and not saved, and says where. What no file takes, it shows. */
async function keepTexts(app: App): Promise<void> {
  for (const text of app.drafts.unsaved()) {
    await app.host.keep(text).then(
      (file) => remark(`Kept the ${text.title} in ${file}.`),
      (error: unknown) => remark(`Cannot keep the ${text.title}: ${sentenceOf(error)}\n\n${text.text}\n`),
    );
  }
}

/** Returns the colours that somebody has chosen, or those for the background that the environment tells. */
function preferredTheme(chosen: string | undefined): Theme {
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return hasLightBackground() ? 'light' : 'dark';
}
