import type { Argument, Option } from 'commander';
import { environmentVariables } from '../../src/environment.ts';
import { secretVariables } from '../../src/secret-files.ts';
import { examples, exitCodes } from '../program.ts';
import { argumentsOf, type BackofficeCommand, termOf, wordsOf } from '../verb/command.ts';
import { anchor, code, codeBlock, markdownTable, plain, sentence } from './markdown.ts';

/** Renders docs/cli.md from the commands. */
export function renderCommandPage(program: BackofficeCommand): string {
  const sections = [
    introduction(program),
    contents(program),
    ...childrenOf(program).flatMap((command) => commandSections(command)),
    globalOptions(program),
    output,
    exitCodeTable(),
    environmentTable(),
  ];
  return `${sections.join('\n\n')}\n`;
}

function introduction(program: BackofficeCommand): string {
  return `# The command line

${program.description()} In a checkout, run \`./bin/backoffice.js\`. After \`npm run build && npm link\`,
run \`${program.name()}\`.

${codeBlock([`${program.name()} <noun> <verb> [options]`])}

Results go to standard output, everything else to standard error. A command asks questions only on a terminal, never in
a script. \`npm run reference\` generates this page from the commands.

${codeBlock(examples)}`;
}

function contents(program: BackofficeCommand): string {
  const groups = Map.groupBy(childrenOf(program), (command) => command.helpGroup());
  const lines = [...groups].flatMap(([heading, commands]) => [
    `- ${heading.replace(/:$/, '')}`,
    ...commands.map((command) => `  - ${entry(command)}`),
  ]);
  const rest = ['Global options', 'Output', 'Exit codes', 'Environment'].map(
    (heading) => `[${heading}](${anchor(heading)})`,
  );
  return ['## Contents', '', ...lines, `- ${rest.join(', ')}`].join('\n');
}

/** Links to a command, followed by links to its subcommands or by its description. */
function entry(command: BackofficeCommand): string {
  const children = childrenOf(command);
  return `${link(command)}: ${children.length > 0 ? children.map(link).join(', ') : plain(command.description())}`;
}

function link(command: BackofficeCommand): string {
  return `[${command.name()}](${anchor(wordsOf(command))})`;
}

function globalOptions(program: BackofficeCommand): string {
  const options = takenTable('option', program.createHelp().visibleOptions(program));
  return `## Global options

Every command accepts these. A command that works only on the database rejects \`--server\`.

${options}`;
}

const output = `## Output

On a terminal a list is a table, as wide as the terminal; a long one opens in a pager. In a pipe or a file it is a line of each
row with tabs between the values: without headings, colours and padding, with exact times and plain numbers, and with all
columns. A table on a terminal has the newest 30 rows, \`--limit 0\` shows all; the other forms have all rows.

${codeBlock([
  'backoffice issues list --status Open | cut -f 1,2',
  'backoffice issues list --columns id,title,assignee',
  'backoffice issues list --jsonl id,title >> issues.jsonl',
  "backoffice issues list --jq '.issues | group_by(.category) | map({(.[0].category): length}) | add'",
  'backoffice issues list --jsonl --jq \'select(.severity == "Critical").title\'',
  'backoffice issues list --status Open --quiet | xargs backoffice issues assign --to grace@example.com',
])}

\`--jq\` takes every expression of [jq](https://jqlang.org/manual/) 1.8 and prints texts without quotes, as \`jq -r\`. With
\`--jsonl\` it gets each row by itself, so that the memory stays flat.`;

function exitCodeTable(): string {
  const rows = exitCodes.map(([number, meaning]) => [String(number), meaning]);
  return `## Exit codes\n\n[errors.md](errors.md) lists the errors behind them.\n\n${markdownTable(['code', 'meaning'], rows)}`;
}

function environmentTable(): string {
  const readFromFiles = new Intl.ListFormat('en-GB').format(secretVariables.map(code));
  const rows = environmentVariables().map(({ name, description, fallback }) => [
    code(name),
    description,
    fallback === undefined ? '' : code(fallback),
  ]);
  return `## Environment

All variables are optional, and an empty one counts as absent. With an invalid value, the command exits with one line
that names the variable. ${readFromFiles} can be in a file instead: set the name
with \`_FILE\` behind it to the file's path, such as \`SESSION_SECRET_FILE=/run/secrets/session_secret\`.

${markdownTable(['variable', 'meaning', 'default'], rows)}`;
}

/** Returns the visible subcommands, without `help`, which every command has. */
export function childrenOf(command: BackofficeCommand): readonly BackofficeCommand[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((child) => visible.includes(child));
}

/** Renders a command and its subcommands, each under a heading. */
function commandSections(command: BackofficeCommand, level = 2): string[] {
  const children = childrenOf(command);
  const parts = [`${'#'.repeat(level)} ${wordsOf(command)}`, plain(sentence(command.description()))];
  if (children.length === 0)
    parts.push(
      codeBlock([synopsis(command)]),
      ...takenTable('argument', argumentsOf(command)),
      ...takenTable('option', ownOptions(command)),
    );
  const manual = command.manual.map((part) => (typeof part === 'string' ? part : codeBlock(part)));
  return [...parts, ...manual, ...children.flatMap((child) => commandSections(child, level + 1))];
}

/** Renders a table of arguments or options, if there are any. */
function takenTable(what: string, taken: readonly (Argument | Option)[]): string[] {
  const rows = taken.map((each) => [code('flags' in each ? each.flags : termOf(each)), meaning(each)]);
  return rows.length === 0 ? [] : [markdownTable([what, 'meaning'], rows)];
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
