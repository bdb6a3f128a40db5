import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { tagDescription, tagOf } from '../../src/http/openapi/parts.ts';
import { createProgram } from '../program.ts';
import type { BackofficeCommand } from '../verb/command.ts';
import { childrenOf, renderCommandPage } from './command-page.ts';
import { renderDashboardKeys } from './dashboard-keys.ts';
import { renderErrorsPage } from './errors-page.ts';
import { code, markdownTable, plain } from './markdown.ts';

/** The pages that `npm run reference` writes, by their paths. Each returns the page as it should be, given what it is now. */
export const generatedPages: Readonly<Record<string, (current: string) => Promise<string>>> = {
  'docs/cli.md': async () => renderCommandPage(await createProgram()),
  'docs/errors.md': async () => renderErrorsPage(),
  'docs/dashboard.md': fillBlocks,
  'README.md': fillBlocks,
  'docs/operations.md': fillBlocks,
};

/** The generated parts of pages that are otherwise written by hand, by their names. */
const blocks: Readonly<Record<string, (program: BackofficeCommand) => string>> = {
  endpoints: () => endpointTable(operations),
  commands: commandTable,
  replica: replicaNouns,
  keys: renderDashboardKeys,
};

/** Returns a page with the text between each pair of markers, `<!-- name -->` and `<!-- /name -->`, replaced. */
async function fillBlocks(page: string): Promise<string> {
  const program = await createProgram();
  return page.replaceAll(
    /(?<open><!-- (?<name>\w+) -->\n*)[\s\S]*?(?<close>\n*<!-- \/\k<name> -->)/g,
    (whole, open: string, name: string, close: string) =>
      blocks[name] === undefined ? whole : `${open}${blocks[name](program)}${close}`,
  );
}

function endpointTable(all: readonly Operation[]): string {
  const rows = [...Map.groupBy(all, ({ path }) => path)].map(([path, there]) => [
    code(path.replace('/api/admin', '')),
    there.map(({ method }) => method).join(', '),
    `${plain(purpose(there))}${audience(there)}`,
  ]);
  return markdownTable(['path under `/api/admin`', 'methods', 'what'], rows);
}

/** Returns the summary of a path's only operation, or describes the tag that its operations share. */
function purpose([first, ...others]: readonly Operation[]): string {
  if (first === undefined) return '';
  return others.length === 0 ? first.summary : tagDescription(tagOf(first)).replace(/\.$/, '');
}

/** Names the roles that an endpoint is for, unless it is for every session. */
function audience(there: readonly Operation[]): string {
  const roles = new Set(
    there.map(({ allow }) =>
      allow.to === 'roles' ? allow.roles.map((role) => `${role}s`).join(' and ') : '',
    ),
  );
  const [only = ''] = roles;
  return roles.size === 1 && only !== '' ? ` (for ${only})` : '';
}

function commandTable(program: BackofficeCommand): string {
  const [nouns, others] = [true, false].map((withVerbs) =>
    childrenOf(program).filter((command) => childrenOf(command).length > 0 === withVerbs),
  );
  const names = (commands: readonly BackofficeCommand[] = []) =>
    commands.map((each) => code(each.name())).join(', ');
  const rows = nouns?.map((noun) => [code(noun.name()), names(childrenOf(noun))]) ?? [];
  return markdownTable(['noun', 'verbs'], [...rows, [names(others), '']]);
}

/** Names what a read replica serves: `issues, conversations and links`. */
function replicaNouns(): string {
  const served = (operations as readonly Operation[]).filter(({ replica }) => replica === true);
  const nouns = new Set(served.map(({ id }) => words(id.slice(0, id.indexOf('.')))));
  return new Intl.ListFormat('en-GB').format(nouns);
}

/** Spells a name in camel case as words. */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
