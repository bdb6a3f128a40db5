/** Reports whether COLORFGBG says that the background of the terminal is light. */
export function hasLightBackground({ COLORFGBG = '' } = process.env): boolean {
  // The last number is the background: of the sixteen colours, white and the bright ones without grey are light.
  const background = /(?:^|;)(\d{1,2})$/.exec(COLORFGBG)?.[1];
  return background !== undefined && (background === '7' || Number(background) > 8);
}

/** Reports whether the terminal only appends lines, such as a shell within an editor. */
export function isDumbTerminal(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.TERM === 'dumb';
}

/**
 * Reports whether a browser that is opened here appears before the user: not over SSH, and only with a display, or where
 * BROWSER names a program, which may open it on another machine.
 */
export function hasBrowser(env: NodeJS.ProcessEnv = process.env): boolean {
  if ((env.BROWSER ?? '') !== '') return true;
  if ([env.SSH_CONNECTION, env.SSH_CLIENT, env.SSH_TTY].some((value) => (value ?? '') !== '')) return false;
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return [env.DISPLAY, env.WAYLAND_DISPLAY, env.WSL_DISTRO_NAME].some((value) => (value ?? '') !== '');
}

/** Opens a page. Without a browser, nothing happens: the person opens the printed address somewhere else. */
export async function openBrowser(address: string): Promise<void> {
  const { default: open } = await import('open');
  await open(address).then(
    (browser) => browser.on('error', () => {}),
    () => {},
  );
}

/** Returns the program between this one and the terminal that passes control sequences on only if they are wrapped. */
export function terminalMultiplexer(env: NodeJS.ProcessEnv = process.env): 'tmux' | 'screen' | undefined {
  if ((env.TMUX ?? '') !== '') return 'tmux';
  return (env.STY ?? '') === '' ? undefined : 'screen';
}

/** Returns the command that opens the user's editor, which may have options, as git finds it. */
export function editorCommand(env: NodeJS.ProcessEnv = process.env): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi';
}

/** Returns the command line of the pager: BACKOFFICE_PAGER, otherwise PAGER, otherwise `less`. */
export function pagerCommand(env: NodeJS.ProcessEnv = process.env): string {
  const [asked] = [env.BACKOFFICE_PAGER, env.PAGER].filter((each) => each !== undefined && each !== '');
  // As git does: `less` ends at once if all fits, keeps colours, and leaves what it showed on the screen.
  if (asked === undefined || asked === 'less') return env.LESS === undefined ? 'less -FRX' : 'less';
  return asked;
}

/** Returns the environment of the pager: `less` shows the bytes of `…` where no language is set, such as in a container. */
export function pagerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { LESSCHARSET: 'utf-8', ...env };
}
