import type { Command } from 'commander';
import { pages } from '../../src/contract/pages.ts';
import { namedTarget } from '../contexts/named-target.ts';
import { NotConnectedError } from '../errors.ts';
import { type FilterValues, withFilter } from '../input/filter.ts';
import { printable } from '../output/text.ts';
import { hasTerminal, print, remark } from '../terminal.ts';
import { hasBrowser } from '../terminal-environment.ts';

/** The page of the web dashboard that shows what a command shows. */
export interface WebPage {
  readonly page: keyof typeof pages;
  /** The options that the address of the page takes too, each with its name there if that is another. */
  readonly takes?: readonly (string | readonly [option: string, name: string])[];
  /** The parts of the address that the arguments of the command say, or that never change. */
  readonly search?: (args: readonly unknown[]) => Readonly<Record<string, string>>;
  /** Returns the value of an option as the address takes it; undefined for one that the page cannot show. */
  readonly resolve?: (command: Command, name: string, value: string) => Promise<string | undefined>;
  /** Returns the options that `--filter` stands for, as the address takes them; by default as they were typed. */
  readonly resolveFilter?: (filter: FilterValues) => Promise<FilterValues>;
}

/** How long a server on this machine has to answer. */
const timeoutMs = 2_000;

/** Opens the page in the browser. Where there is none, such as over SSH, it prints the address. */
export async function openWebPage(command: Command, page: WebPage, args: readonly unknown[]): Promise<void> {
  const address = `${await findServer(command)}${await pathOf(command, page, args)}`;
  if (!hasTerminal() || !hasBrowser()) return print(printable(address));
  remark(`Opening ${printable(address)} in your browser.`);
  const { openBrowser } = await import('../contexts/open-browser.ts');
  await openBrowser(address);
}

/** Returns the address of the server that the command works through, or of the one on this machine if it runs. */
async function findServer(command: Command): Promise<string> {
  const { readConfig } = await import('../../src/config.ts');
  const { findTarget } = await import('../contexts/target.ts');
  const config = readConfig();
  const target = await findTarget(namedTarget(command), config);
  if (target !== undefined) return target.server;
  const { publicUrl } = config;
  const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  );
  if (answer?.ok) return publicUrl;
  throw new NotConnectedError(
    `No server answers at ${publicUrl}. Start one with \`backoffice up\`, or name one with --server.`,
  );
}

async function pathOf(command: Command, page: WebPage, args: readonly unknown[]): Promise<string> {
  const { takes = [], search, resolve } = page;
  const query = new URLSearchParams(search?.(args));
  const names = new Map(takes.map((each) => (typeof each === 'string' ? [each, each] : each)));
  for (const [option, value] of Object.entries(await givenOptions(command, page))) {
    const name = names.get(option);
    const taken = resolve === undefined ? String(value) : await resolve(command, option, String(value));
    if (name === undefined) remark(`The page has no --${option}.`);
    else if (taken === undefined) remark(printable(`The page has no --${option} ${value}.`));
    else query.set(name, taken);
  }
  return `${pages[page.page].path}${query.size === 0 ? '' : `?${query}`}`;
}

/** Returns the options that the user has typed, with those that a filter stands for. */
async function givenOptions(command: Command, { resolveFilter }: WebPage): Promise<object> {
  const { filter, web: _web, ...others } = command.opts();
  const typed = Object.entries(others).filter(
    ([option]) => command.getOptionValueSource(option) !== 'default' && option !== 'pager',
  );
  const resolved = filter === undefined ? {} : ((await resolveFilter?.(filter)) ?? filter);
  return withFilter(Object.fromEntries(typed), resolved);
}
