import type { Command } from 'commander';
import { printableLines } from '../src/shared/text.ts';
import { moreExamples } from './manual.ts';
import { explainMistakes } from './usage-errors.ts';
import { aliasesOf, shortOptions } from './verb/aliases.ts';
import { argumentsOf, help } from './verb/command.ts';

/** Configures a command that is no data yet, and all its subcommands. */
export function finish(command: Command, words: readonly string[]): void {
  const example = moreExamples[words.join(' ')];
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`);
  addAliases(command);
  explainMistakes(command);
  command
    .exitOverride()
    .showHelpAfterError('Run with --help to see how it is used.')
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(printableLines(text)) })
    .configureHelp({ ...help, visibleArguments: (shown) => [...argumentsOf(shown)] });
  for (const child of command.commands) finish(child, [...words, child.name()]);
}

function addAliases(command: Command): void {
  const names = aliasesOf(command.name());
  if (names.length > 0 && command.aliases().length === 0) {
    command.aliases([...names]).addHelpText('after', `\nAliases: ${names.join(', ')}`);
    Object.defineProperty(command, 'alias', { value: () => undefined });
  }
  for (const option of command.options) {
    const short = shortOptions[option.long ?? ''];
    if (short === undefined || option.short !== undefined) continue;
    option.short = short;
    option.flags = `${short}, ${option.flags}`;
  }
}
