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
    output,
    exitCodeTable(),
    environmentTable(),
  ];
  return `${sections.join('\n\n')}\n`;
}

function introduction(program: Command): string {
  return `# The command line

${program.description()} In a checkout, run \`./bin/backoffice.js\`. After \`npm run build && npm link\`,
run \`${program.name()}\`.

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
  const rest = ['Global options', 'Output', 'Exit codes', 'Environment'].map(
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

const output = `## Output

On a terminal a list is a table, as wide as the terminal; a long one opens in a pager. In a pipe or a file it is a line of each
row with tabs between the values: without headings, colours and padding, with exact times and plain numbers, and with all
columns. A table on a terminal has the newest 30 rows, \`--limit 0\` shows all; the other forms have all rows.

${codeBlock([
  'backoffice issues list --status Open | cut -f 1,2',
  'backoffice issues list --columns id,title,assignee --include assignee',
  'backoffice issues list --jsonl id,title >> issues.jsonl',
  "backoffice issues list --jq '.issues | group_by(.category) | map({(.[0].category): length}) | add'",
  'backoffice issues list --jsonl --jq \'select(.severity == "Critical").title\'',
  "backoffice issues list --template '{{id | padleft 6}}  {{title | truncate 40 | pad 40}}  {{created_at | ago}}'",
  'backoffice issues list --status Open --quiet | xargs backoffice issues assign --to grace@example.com',
])}

\`--jq\` takes every expression of [jq](https://jqlang.org/manual/) 1.8 and prints texts without quotes, as \`jq -r\`. With
\`--jsonl\` it gets each row by itself, so that the memory stays flat.

In a template, \`{{field}}\` is a field of the row and \`{{assignee.email}}\` a field within it. Helpers follow behind \`|\`:
\`truncate 30\`, \`pad 30\`, \`padleft 8\`, \`ago\`, \`date\`, \`upper\`, \`lower\`, \`line\`, \`default "none"\`. \`\\t\` is a tab, \`\\n\` a line break.

\`--watch\` shows a list again as soon as an event changes it, or every two seconds if there are no events for it. In a pipe it
prints the list again only if it is different.`;

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
