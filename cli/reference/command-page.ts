import type { Command } from 'commander';
import { environmentVariables } from '../../src/environment.ts';
import { secretVariables } from '../../src/secret-files.ts';
import { examples, exitCodes } from '../manual.ts';
import { childrenOf, commandSections, optionTable, wordsOf } from './command.ts';
import { anchor, code, codeBlock, markdownTable, plain } from './markdown.ts';

/** Renders docs/cli.md from the commands. */
export function renderCommandPage(program: Command): string {
  const sections = [
    introduction(program),
    contents(program),
    ...childrenOf(program).flatMap((command) => commandSections(command)),
    globalOptions(program),
    exitCodeTable(),
    environmentTable(),
  ];
  return `${sections.join('\n\n')}\n`;
}

function introduction(program: Command): string {
  return `# The command line

${program.description()} In a checkout, run \`./bin/backoffice.js\`. After \`npm link\`, run \`${program.name()}\`.

${codeBlock([`${program.name()} <noun> <verb> [options]`])}

Results go to standard output, everything else to standard error. A command asks questions only on a terminal, never in
a script. \`npm run reference\` generates this page from the commands.

${codeBlock(examples)}`;
}

function contents(program: Command): string {
  const groups = Map.groupBy(childrenOf(program), (command) => command.helpGroup());
  const lines = [...groups].flatMap(([heading, commands]) => [
    `- ${heading.replace(/:$/, '')}`,
    ...commands.map((command) => `  - ${entry(command)}`),
  ]);
  const rest = ['Global options', 'Exit codes', 'Environment'].map(
    (heading) => `[${heading}](${anchor(heading)})`,
  );
  return ['## Contents', '', ...lines, `- ${rest.join(', ')}`].join('\n');
}

/** Links to a command, followed by links to its subcommands or by its description. */
function entry(command: Command): string {
  const children = childrenOf(command);
  return `${link(command)}: ${children.length > 0 ? children.map(link).join(', ') : plain(command.description())}`;
}

function link(command: Command): string {
  return `[${command.name()}](${anchor(wordsOf(command))})`;
}

function globalOptions(program: Command): string {
  const options = optionTable(program.createHelp().visibleOptions(program));
  return `## Global options

Every command accepts these. A command that works only on the database rejects \`--server\`.

${options}`;
}

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
