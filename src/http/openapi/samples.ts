import { type Operation, readsQuery } from '../../contract/operation.ts';

/** A request in one language, as `x-codeSamples` (https://redocly.com/docs/realm/content/api-docs/openapi-extensions/x-code-samples). */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * Returns the example request of an operation for a shell and for JavaScript. They read the address of the service from
 * `BACKOFFICE_SERVER` and `server`, and an API token from `BACKOFFICE_TOKEN` and `token`.
 */
export function samplesOf(operation: Operation): CodeSample[] {
  const { path, example } = operation;
  const input: object = example?.input ?? {};
  const url = readsQuery(operation) ? path + queryOf(input) : path;
  const body = readsQuery(operation) ? undefined : input;
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation, url, body) },
    { lang: 'JavaScript', label: 'fetch', source: javascript(operation, url, body) },
  ];
}

function queryOf(input: object): string {
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? '' : `?${query}`;
}

function curl({ method, allow, answers, id }: Operation, url: string, body: object | undefined): string {
  const options = [
    ...(answers === 'events' ? ['--no-buffer'] : []),
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...(allow.to === 'anyone' ? [] : ['--header "Authorization: Bearer $BACKOFFICE_TOKEN"']),
    ...(/^session\.(create|verify)$/.test(id) ? ['--cookie-jar cookies.txt'] : []),
    ...(body === undefined
      ? []
      : ['--header "Content-Type: application/json"', `--data ${quote(JSON.stringify(body, null, 2))}`]),
  ];
  return [`curl "$BACKOFFICE_SERVER${url}"`, ...options].join(' \\\n  ');
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function javascript({ method, allow, answers }: Operation, url: string, body: object | undefined): string {
  const headers = [
    ...(allow.to === 'anyone' ? [] : [`Authorization: \`Bearer \${token}\``]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(literal(body))}),`]),
  ];
  const call =
    options.length === 0
      ? `const response = await fetch(\`\${server}${url}\`);`
      : [`const response = await fetch(\`\${server}${url}\`, {`, ...options, '});'].join('\n');
  const answer =
    answers === 'events'
      ? 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);'
      : 'console.log(await response.json());';
  return `${call}\nif (!response.ok) throw new Error((await response.json()).error);\n${answer}`;
}

/** Writes a value as people write it: without quotes around names that need none. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([a-z_]\w*)":/gim, '$1$2:');
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
