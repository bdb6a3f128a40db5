import type { AnsweredId } from '../../src/contract/registry.ts';
import type { McpServerOptions } from '../../src/mcp/server.ts';
import { withAccess } from '../access/with-access.ts';
import { UsageError } from '../errors.ts';
import { stopSignal } from '../terminal/terminal.ts';
import { text } from '../verb/parameters.ts';
import { verb } from '../verb/verb.ts';

/** Serves the operations as tools to an AI agent, which starts this command. */
export const mcp = verb({
  params: {
    allow: text(
      'changes that the agent may make, such as issues.update, separated by commas; by default, it only reads',
      'operations',
    ),
  },
  output: 'nothing',
  notes: [
    'The agent starts this command. Its configuration names it, for example:',
    [
      '{ "mcpServers": { "backoffice": { "command": "backoffice", "args": ["mcp", "--allow", "issues.update"] } } }',
    ],
  ],
  examples: ['backoffice mcp --allow issues.update,comments.create'],
  async run({ given: { allow }, command }) {
    const allowed = await operationIds(allow);
    const stop = stopSignal();
    await withAccess(
      command,
      async (access) => {
        const { packageVersion } = await import('../../src/version.ts');
        const { serveStdio } = await import('../../src/mcp/server.ts');
        const { sentenceOf } = await import('../failures.ts');
        const options = {
          version: packageVersion(),
          allowed,
          howToAllow: (id: string) => `Restart \`backoffice mcp\` with --allow ${id}.`,
          explain: sentenceOf,
          run: async ({ id }, input, write) => await access.stream(id as AnsweredId, input as never, write),
        } satisfies McpServerOptions;
        await serveStdio(options, stop);
      },
      'mcp',
    );
  },
});

/** Parses the names of operations that may be allowed. */
async function operationIds(text: string | undefined): Promise<ReadonlySet<string>> {
  const { problemOfAllowed } = await import('../../src/mcp/exposed-tools.ts');
  const ids = new Set(text?.split(',').map((id) => id.trim()));
  for (const id of ids) {
    const problem = problemOfAllowed(id);
    if (problem !== undefined) throw new UsageError(`--allow is wrong: ${problem}`);
  }
  return ids;
}
