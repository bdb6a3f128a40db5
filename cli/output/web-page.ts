import type { Command } from 'commander';
import { pages } from '../../src/contract/pages.ts';
import type { Access } from '../access/access.ts';
import { targetOf } from '../access/with-access.ts';
import { NotConnectedError } from '../errors.ts';
import { type FilterValues, withFilter } from '../input/filter.ts';
import { hasBrowser, openBrowser } from '../terminal/environment.ts';
import { hasTerminal, print, remark } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import type { Parameters } from '../verb/parameters.ts';
import { resolveAssignee } from '../verb/people.ts';
import type { Call } from '../verb/verb.ts';

/** The page of the web dashboard that shows what a command shows. */
export interface WebPage {
  readonly page: keyof typeof pages;
  /** The options that the address of the page takes too, each with its name there if that is another. */
  readonly takes?: readonly (string | readonly [option: string, name: string])[];
  /** The parts of the address that the arguments of the command say, or that never change. */
  readonly search?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  /** Returns the value of an option as the address takes it; undefined for one that the page cannot show. */
  readonly resolve?: (option: string, value: string, access: Access) => Promise<string | undefined>;
}

/** How long a server on this machine has to answer. */
const timeoutMs = 2_000;

/** Opens the page in the browser. Where there is none, such as over SSH, it prints the address. */
export async function openWebPage(call: Call, params: Parameters, page: WebPage): Promise<void> {
  const address = `${await findServer(call.command)}${await pathOf(call, params, page)}`;
  if (!hasTerminal() || !hasBrowser()) return print(printable(address));
  remark(`Opening ${printable(address)} in your browser.`);
  await openBrowser(address);
}

/** Returns the address of the server that the command works on, or of the one on this machine if it runs. */
async function findServer(command: Command): Promise<string> {
  const target = await targetOf(command);
  if (target !== undefined) return target.server;
  const { readConfig } = await import('../../src/config.ts');
  const { publicUrl } = readConfig();
  const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  );
  if (answer?.ok) return publicUrl;
  throw new NotConnectedError(
    `No server answers at ${publicUrl}. Start one with \`backoffice up\`, or name one with --server.`,
  );
}

async function pathOf(call: Call, params: Parameters, page: WebPage): Promise<string> {
  const { takes = [], search, resolve } = page;
  const query = new URLSearchParams(search?.(call.given));
  const names = new Map(takes.map((each) => (typeof each === 'string' ? [each, each] : each)));
  for (const [option, value] of Object.entries(await typedOptions(call, params))) {
    const name = names.get(option);
    const text = String(value);
    const taken = resolve === undefined ? text : await call.open((access) => resolve(option, text, access));
    if (name === undefined) remark(`The page has no --${option}.`);
    else if (taken === undefined) remark(printable(`The page has no --${option} ${text}.`));
    else query.set(name, taken);
  }
  return `${pages[page.page].path}${query.size === 0 ? '' : `?${query}`}`;
}

/** Returns the options that the user has typed, with those that a filter stands for, as the API takes them. */
async function typedOptions({ given, command, open }: Call, params: Parameters): Promise<object> {
  const isTyped = (name: string) =>
    params[name]?.place === 'option' && command.getOptionValueSource(name) === 'cli';
  const { filter, ...others } = Object.fromEntries(Object.entries(given).filter(([name]) => isTyped(name)));
  const typed = withFilter(others, filter as FilterValues | undefined);
  return 'assignee' in typed ? await open((access) => resolveAssignee(access, typed)) : typed;
}
