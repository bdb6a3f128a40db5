import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { listenOnLoopback } from '../receivers/listen.ts';
import { backoffice } from '../run.ts';
import { executable, spawnOnTerminal, suggestWords, withoutEnvironment } from './process.ts';

/** An interactive shell on a pseudo-terminal, with only the completion loaded. */
export type Shell = Awaited<ReturnType<typeof startShell>>;

/**
 * Answers completions like a process of `backoffice`, in the process of hosted commands. Each connection sends the number
 * of arguments, then the arguments, with a NUL after each.
 */
async function serveSuggestions(env: Record<string, string>) {
  const server = createServer((socket) => {
    let asked = '';
    socket.setEncoding('utf8').on('data', async (text: string) => {
      asked += text;
      const [count, ...args] = asked.split('\0').slice(0, -1);
      if (args.length !== Number(count)) return;
      const { stdout } = await backoffice([...suggestWords, ...args], { env });
      socket.end(stdout);
    });
  });
  return { port: await listenOnLoopback(server), close: () => server.close() };
}

/** What each shell is started with in a folder, and its settings besides the prompt. */
const shells = {
  bash: {
    start: (folder: string) => `bash --noprofile --rcfile '${join(folder, '.rc')}' -i`,
    rcFile: '.rc',
    settings: `PS2='unfinished> '\nbind 'set enable-bracketed-paste off'`,
  },
  zsh: {
    start: (folder: string) => `env ZDOTDIR='${folder}' zsh --no-globalrcs -i`,
    rcFile: '.zshrc',
    settings: `PS2='unfinished> '\nunsetopt prompt_sp zle_bracketed_paste 2>/dev/null\nautoload -Uz compinit && compinit -u -D`,
  },
} as const;

/** Puts a `backoffice` into a new folder that answers completions as the real one does; otherwise it only prints its arguments. */
async function createProgram(env: Record<string, string>) {
  const suggestions = await serveSuggestions(env);
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-shell-'));
  await writeFile(
    join(folder, 'backoffice'),
    `#!/bin/bash
if [[ "$1 $2" == 'completion suggest' ]]; then
  shift 2
  exec 3<>/dev/tcp/127.0.0.1/${suggestions.port}
  printf '%s\\0' "$#" "$@" >&3
  exec cat <&3
fi
if [[ $1 == completion ]]; then exec '${process.execPath}' '${executable}' "$@"; fi
printf 'called:'; printf '<%s>' "$@"; echo :end
`,
    { mode: 0o755 },
  );
  return {
    folder,
    async remove() {
      suggestions.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Completes a line in fish, which needs no terminal for it. Returns the values, each with its description. */
export async function completeInFish(typed: string, env: Record<string, string>): Promise<string[]> {
  const { folder, remove } = await createProgram(env);
  try {
    const script = 'backoffice completion fish | source; complete --do-complete $argv[1]';
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '--command', script, typed], {
      env: { ...withoutEnvironment(), PATH: `${folder}:${process.env.PATH}`, LANG: 'C.UTF-8', ...env },
      cwd: folder,
    });
    return stdout.split('\n').slice(0, -1);
  } finally {
    await remove();
  }
}

/** Starts a shell. */
export async function startShell(name: keyof typeof shells, env: Record<string, string>) {
  const { start, rcFile, settings } = shells[name];
  const { folder, remove } = await createProgram(env);
  await writeFile(
    join(folder, rcFile),
    `PATH='${folder}':$PATH PS1='ready> '\n${settings}\nsource <(backoffice completion ${name})\n`,
  );
  // It is wide enough that no line wraps.
  const child = spawnOnTerminal(`stty cols 500 rows 50; exec ${start(folder)}`, {
    env: { TERM: 'dumb', LANG: 'C.UTF-8', ...env },
    cwd: folder,
  });
  let screen = '';
  let checkScreen = () => {};
  child.stdout.on('data', (text: string) => {
    screen += text;
    checkScreen();
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const shows = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      checkScreen = () => {
        const match = pattern.exec(stripVTControlCharacters(screen));
        if (match !== null) resolve(match);
      };
      checkScreen();
    });

  await shows(/ready> $/);
  return {
    /**
     * Types a line, then presses Tab and Enter. Returns the words that the program was called with; none if a quote stayed
     * open.
     */
    async complete(typed: string) {
      screen = '';
      child.stdin.write(`${typed}\t\r`);
      const [, words] = await shows(/called:<(.*)>:end\s+ready> $|unfinished> $/);
      if (words !== undefined) return words.split('><');
      screen = '';
      child.stdin.write('\u0003');
      await shows(/ready> $/);
      return [];
    },
    async close() {
      child.kill();
      await closed;
      await remove();
    },
  };
}
