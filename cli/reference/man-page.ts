import type { Argument, Command, Option } from 'commander';
import { environmentVariables } from '../../src/environment.ts';
import { packageVersion } from '../../src/version.ts';
import { examples, exitCodes } from '../manual.ts';
import { argumentsOf } from '../verb/command.ts';
import { addedParts, childrenOf, ownOptions, synopsis, wordsOf } from './command.ts';
import { sentence } from './markdown.ts';
import { bold, definitions, literal, paragraph, roff, section, subsection, title } from './roff.ts';

/** A manual page, as `man` shows it. */
export interface ManPage {
  /** Such as `backoffice-issues`. */
  readonly name: string;
  readonly text: string;
}

/** Renders the manual: one page about the program, and one for each of its commands with their subcommands. */
export function renderManPages(program: Command): ManPage[] {
  return [program, ...childrenOf(program)].map((command) => renderManPage(command));
}

/** Renders the page of the program or of a top-level command. */
export function renderManPage(command: Command): ManPage {
  const name = wordsOf(command).replaceAll(' ', '-');
  const body = command.parent === null ? programSections(command) : commandSections(command);
  const summary = command.description().replace(/\.$/, '');
  const head = [
    // Without a date: the page of a version is always the same.
    title(name, '', packageVersion()),
    section('Name'),
    `${roff(name)} \\- ${roff(summary)}`,
  ];
  return { name, text: `${[...head, ...body].join('\n')}\n` };
}

function programSections(program: Command): string[] {
  const name = program.name();
  const groups = Map.groupBy(childrenOf(program), (command) => command.helpGroup());
  return [
    section('Synopsis'),
    `${bold(name)} ${roff('<noun> <verb> [options]')}`,
    section('Description'),
    paragraph(
      'Results go to standard output, everything else to standard error. A command asks questions only on a terminal, ' +
        'never in a script. Each command has a page of its own.',
    ),
    section('Commands'),
    ...[...groups].flatMap(([heading, commands]) => [
      subsection(heading.replace(/:$/, '')),
      definitions(
        commands.map((each) => [bold(`${name}-${each.name()}(1)`), roff(sentence(each.description()))]),
      ),
    ]),
    section('Options'),
    optionList(program.createHelp().visibleOptions(program)),
    section('Exit status'),
    definitions(exitCodes.map(([code, meaning]) => [bold(String(code)), roff(sentence(meaning))])),
    section('Environment'),
    definitions(
      environmentVariables().map(({ name: variable, description, fallback }) => [
        bold(variable),
        roff(sentence(`${description}${fallback === undefined ? '' : `; by default ${fallback}`}`)),
      ]),
    ),
    section('Examples'),
    literal(examples),
  ];
}

function commandSections(command: Command): string[] {
  const leaves = leavesOf(command);
  const program = command.parent ?? command;
  return [
    section('Synopsis'),
    leaves.map((leaf) => `.nf\n${bold(synopsis(leaf))}\n.fi`).join('\n'),
    section('Description'),
    paragraph(sentence(command.description())),
    ...(leaves.includes(command)
      ? details(command)
      : [...added(command), section('Commands'), ...leaves.flatMap(leafSections)]),
    section('Global options'),
    optionList(program.createHelp().visibleOptions(program)),
    section('See also'),
    bold(`${program.name()}(1)`),
  ];
}

/** Returns the commands that do something: the command itself, or those below it. */
function leavesOf(command: Command): readonly Command[] {
  const children = childrenOf(command);
  return children.length === 0 ? [command] : children.flatMap(leavesOf);
}

function leafSections(leaf: Command): string[] {
  return [subsection(synopsis(leaf)), paragraph(sentence(leaf.description())), ...details(leaf)];
}

function details(command: Command): string[] {
  const taken = argumentsOf(command);
  const options = ownOptions(command).filter(({ long }) => long !== '--help');
  return [
    ...(taken.length > 0 ? [definitions(taken.map((each) => [bold(each.name()), meaning(each)]))] : []),
    ...(options.length > 0 ? [optionList(options)] : []),
    ...added(command),
  ];
}

const optionList = (options: readonly Option[]) =>
  definitions(options.map((option) => [bold(option.flags), meaning(option)]));

function added(command: Command): string[] {
  return addedParts(command).map((part) => (typeof part === 'string' ? paragraph(part) : literal(part)));
}

function meaning({ description, argChoices, defaultValue }: Argument | Option): string {
  const choices = argChoices === undefined ? '' : `; one of ${argChoices.join(', ')}`;
  const fallback = defaultValue === undefined ? '' : `; by default ${defaultValue}`;
  return roff(sentence(`${description}${choices}${fallback}`));
}
