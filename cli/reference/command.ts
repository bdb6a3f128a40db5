import type { Argument, Command, Option } from 'commander';
import { argumentsOf, termOf } from '../verb/command.ts';
import { code, codeBlock, markdownTable, plain, sentence } from './markdown.ts';

/** Returns the visible subcommands, without `help`, which every command has. */
export function childrenOf(command: Command): readonly Command[] {
  const help = command.createHelp();
  return help.visibleCommands(command).filter((child) => command.commands.includes(child));
}

/** Returns the words of a command, such as `backoffice issues list`. */
export function wordsOf(command: Command): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;
}

/** Renders a command and its subcommands, each under a heading. */
export function commandSections(command: Command, level = 2): string[] {
  const children = childrenOf(command);
  const parts = [`${'#'.repeat(level)} ${wordsOf(command)}`, plain(sentence(command.description()))];
  if (children.length === 0) parts.push(codeBlock([synopsis(command)]), ...takes(command));
  return [...parts, ...addedHelp(command), ...children.flatMap((child) => commandSections(child, level + 1))];
}

/** Renders a table of options. */
export function optionTable(options: readonly Option[]): string {
  return markdownTable(
    ['option', 'meaning'],
    options.map((option) => [code(option.flags), meaning(option)]),
  );
}

/** Renders the usage: arguments, required options, and whether there are others. */
export function synopsis(command: Command): string {
  const { options } = command;
  const required = options.filter(({ mandatory }) => mandatory);
  return [
    wordsOf(command),
    ...argumentsOf(command).map(termOf),
    ...required.map(({ flags }) => flags),
    ...(options.length > required.length ? ['[options]'] : []),
  ].join(' ');
}

function takes(command: Command): string[] {
  const taken = argumentsOf(command);
  const options = ownOptions(command);
  const argumentTable = markdownTable(
    ['argument', 'meaning'],
    taken.map((argument) => [code(termOf(argument)), meaning(argument)]),
  );
  return [
    ...(taken.length > 0 ? [argumentTable] : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
  ];
}

/** Returns the options of a command without those of its parents. */
export function ownOptions(command: Command): readonly Option[] {
  const help = command.createHelp();
  return help.visibleOptions(command).filter((option) => command.options.includes(option));
}

/** Describes an argument or option, with its choices and its default. */
function meaning({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
}: Argument | Option): string {
  const choices = argChoices === undefined ? [] : [`one of ${argChoices.map(code).join(', ')}`];
  const fallback = defaultValueDescription ?? String(defaultValue);
  return [
    plain(description),
    ...choices,
    ...(defaultValue === undefined ? [] : [`by default ${code(fallback)}`]),
  ].join('; ');
}

/** Renders the text below the options in `--help`. */
function addedHelp(command: Command): string[] {
  return addedParts(command).map((part) => (typeof part === 'string' ? part : codeBlock(part)));
}

/** Returns the text below the options in `--help`: paragraphs, and the lines of code between them. */
export function addedParts(command: Command): (string | readonly string[])[] {
  let shown = '';
  command.configureOutput({
    writeOut: (text) => {
      shown += text;
    },
  });
  command.outputHelp();
  const added = shown.slice(command.helpInformation().length).trimEnd();
  const runs = added.matchAll(/^(?<code>(?: {2}.*(?:\n|$))+)|^(?<text>(?:\S.*(?:\n|$))+)/gm);
  return [...runs].map(({ groups }) => {
    const lines = (groups?.code ?? '').trimEnd().split('\n');
    return groups?.text?.trimEnd() ?? lines.map((line) => line.slice(2));
  });
}
