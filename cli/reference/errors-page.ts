import {
  BackofficeError,
  type DocumentedError,
  type ErrorCode,
  errorCodes,
} from '../../src/contract/errors.ts';
import { type Operation, readsQuery } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { errorsOf } from '../../src/http/openapi/responses.ts';
import { statusOf } from '../../src/http/responses/problem.ts';
import { exitCodeOf } from '../failures.ts';
import { anchor, code, markdownTable, plain } from './markdown.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];

/** Renders docs/errors.md from the operations: every error code and text, and where they occur. */
export function renderErrorsPage(): string {
  const documented = operations.flatMap((operation) =>
    errorsOf(operation).map((error) => ({ ...error, operation: operation.id })),
  );
  const sections = codes.map((each) =>
    codeSection(
      each,
      documented.filter((error) => error.code === each),
    ),
  );
  return `${[introduction(), codeTable(), ...sections].join('\n\n')}\n`;
}

function introduction(): string {
  return `# Errors

An error response of the HTTP API is \`{ "error": "<text>" }\`, and its code decides the HTTP status. With
\`Accept: application/problem+json\` the response is a problem document (RFC 9457), which has the code. A command prints the
text on standard error, and the code decides its exit code. \`npm run reference\` generates this page from the
operations in \`src/contract\`.`;
}

function codeTable(): string {
  const rows = codes.map((each) => [
    `[${code(each)}](${anchor(each)})`,
    String(statusOf[each]),
    String(exitCodeOf(new BackofficeError({ code: each, text: '' }))),
    errorCodes[each],
  ]);
  return markdownTable(['code', 'HTTP status', 'exit code', 'when'], rows);
}

function codeSection(
  each: ErrorCode,
  errors: readonly (DocumentedError & { readonly operation: string })[],
): string {
  const heading = `## ${each}`;
  if (errors.length === 0) return `${heading}\n\n${errorCodes[each]} No operation answers with it.`;
  const rows = [...Map.groupBy(errors, ({ text }) => text)].map(([text, same]) => [
    plain(text),
    operationList(new Set(same.map(({ operation }) => operation))),
  ]);
  return `${heading}\n\n${errorCodes[each]}\n\n${markdownTable(['text', 'operations'], rows)}`;
}

const withSession = (operations as readonly Operation[]).filter(({ allow }) => allow.to !== 'anyone');

/** Groups of operations that share errors, by what to call them. */
const groups: Readonly<Record<string, readonly Operation[]>> = {
  all: operations,
  'all that need a session': withSession,
  'every POST that needs a session': withSession.filter(({ method }) => method === 'POST'),
  'every POST': operations.filter(({ method }) => method === 'POST'),
  'all that write': operations.filter(({ method }) => method !== 'GET'),
  'all with a request body': operations.filter((operation) => !readsQuery(operation)),
  'all without a request body': operations.filter(readsQuery),
};

/** Names a group, with at most three exceptions, or else each operation. */
function operationList(ids: ReadonlySet<string>): string {
  for (const [name, members] of Object.entries(groups)) {
    const others = members.map(({ id }) => id).filter((id) => !ids.has(id));
    if (members.length - others.length < ids.size || others.length > 3) continue;
    return others.length === 0 ? name : `${name} except ${others.map(code).join(', ')}`;
  }
  return [...ids].map(code).join(', ');
}
