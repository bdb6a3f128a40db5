import type { Argument, Option } from 'commander';
import { argumentsOf, type BackofficeCommand, termOf, wordsOf } from '../verb/command.ts';
import { code, codeBlock, markdownTable, plain, sentence } from './markdown.ts';

/** Returns the visible subcommands, without `help`, which every command has. */
export function childrenOf(command: BackofficeCommand): readonly BackofficeCommand[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((child) => visible.includes(child));
}

/** Renders a command and its subcommands, each under a heading. */
export function commandSections(command: BackofficeCommand, level = 2): string[] {
  const children = childrenOf(command);
  const parts = [`${'#'.repeat(level)} ${wordsOf(command)}`, plain(sentence(command.description()))];
  if (children.length === 0) parts.push(codeBlock([synopsis(command)]), ...takes(command));
  const manual = command.manual.map((part) => (typeof part === 'string' ? part : codeBlock(part)));
  return [...parts, ...manual, ...children.flatMap((child) => commandSections(child, level + 1))];
}

/** Renders a table of options. */
export function optionTable(options: readonly Option[]): string {
  return markdownTable(
    ['option', 'meaning'],
    options.map((option) => [code(option.flags), meaning(option)]),
  );
}

/** Renders the usage: arguments, required options, and whether there are others. */
function synopsis(command: BackofficeCommand): string {
  const { options } = command;
  const required = options.filter(({ mandatory }) => mandatory);
  return [
    wordsOf(command),
    ...argumentsOf(command).map(termOf),
    ...required.map(({ flags }) => flags),
    ...(options.length > required.length ? ['[options]'] : []),
  ].join(' ');
}

function takes(command: BackofficeCommand): string[] {
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
function ownOptions(command: BackofficeCommand): readonly Option[] {
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
