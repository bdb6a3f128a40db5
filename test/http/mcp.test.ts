import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { toolSchemaOf } from '../../src/mcp/call-tool.ts';
import { exposedTools } from '../../src/mcp/exposed-tools.ts';
import { ask, bearer, callTool, connectOverHttp, errorOf } from '../support/here/requests.ts';
import { backofficeHere, startInstance } from '../support/here.ts';

const allowed = 'https://agents.example.com';
const backoffice = backofficeHere({
  BACKOFFICE_MCP_ALLOW: 'issues.changeStatus, admins.create',
  BACKOFFICE_CORS_ORIGINS: allowed,
});
let agent: Client;
let secret: string;

beforeAll(async () => {
  ({ secret } = await backoffice.service.createToken('user'));
  agent = await connectOverHttp(backoffice.service.url, secret);
});

afterAll(() => agent?.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '0' } },
};

/** Sends a message without the official client. */
async function post(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const request = { method, as: bearer(secret), headers: { ...accept, ...headers }, body };
  return await ask(backoffice.service, '/api/mcp', request);
}

const errorFor = async (tool: string, args?: object) => errorOf(await callTool(agent, tool, args));

describe('an agent over HTTP', () => {
  test('sees the tools that read, and the changes that are allowed', async () => {
    const { tools } = await agent.listTools();
    const changes = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(changes.toSorted()).toEqual(['admins_create', 'issues_changeStatus']);
    expect(tools.find(({ name }) => name === 'issues_list')).toMatchObject({
      title: 'List issues, or aggregate them for charts',
      inputSchema: { type: 'object', properties: { limit: { default: 50 } } },
    });
    expect(tools.map(({ name }) => name)).not.toContain('session_show');
  });

  test('reads a list, page by page', async () => {
    await backoffice.sql("insert into issues (title) select 'Broken ' || n from generate_series(1, 60) as n");
    const first = await callTool(agent, 'issues_list');
    const { issues, nextCursor } = first.structuredContent as { issues: unknown[]; nextCursor: string };
    expect(issues).toHaveLength(50);
    expect(first.content).toEqual([{ type: 'text', text: JSON.stringify(first.structuredContent) }]);
    const second = await callTool(agent, 'issues_list', { cursor: nextCursor, limit: 20 });
    expect(second.structuredContent).toMatchObject({ issues: { length: 10 }, nextCursor: null });
    expect((await callTool(agent, 'admins_list')).structuredContent).toMatchObject({
      pagination: { limit: 10 },
    });
  });

  test('makes an allowed change, which the audit trail records with its door', async () => {
    const { id } = await backoffice.superadmin.client.call('issues.create', { title: 'Broken' });
    const change = { id, status: 'Resolved', expected: { status: 'Open' } };
    const changed = await callTool(agent, 'issues_changeStatus', change);
    expect(changed.structuredContent).toEqual({ success: true });
    expect(await errorFor('issues_changeStatus', change)).toBe('Changed meanwhile: status is now Resolved.');
    const { audit } = await backoffice.superadmin.client.call('audit.list', { door: 'mcp' });
    expect(audit).toMatchObject([
      { operation: 'issues.changeStatus', subject_id: String(id), actor_kind: 'token', door: 'mcp' },
    ]);
  });

  test('is refused a change that is not allowed, what its role may not do, and invalid input', async () => {
    const before = await backoffice.sql('select count(*) from issues');
    const refused = await callTool(agent, 'issues_create', { title: 'x' });
    expect(errorOf(refused)).toBe(
      'issues.create is not allowed to agents. To allow it, the operator of the service sets BACKOFFICE_MCP_ALLOW=issues.create.',
    );
    expect(refused.structuredContent).toMatchObject({ code: 'forbidden' });
    expect(await backoffice.sql('select count(*) from issues')).toEqual(before);
    const account = { email: 'a@b.c', password: '123456' };
    expect(await errorFor('admins_create', account)).toBe('Insufficient permissions.');
    expect(await errorFor('issues_changeStatus', { id: 1, status: 'x' })).toMatch(/^Invalid status/);
    expect(await errorFor('issues_list', { limit: 'x' })).toMatch(/^limit must be/);
    expect(await errorFor('issues_list', { category: 'a\0b' })).toMatch(/NUL/);
    const unknown = 'Unknown parameter: "stauts". Did you mean status?';
    expect(await errorFor('issues_list', { stauts: 'Open' })).toBe(unknown);
    expect(await errorFor('issues_list', { limit: {} })).toBe('limit must be a string or a number.');
  });

  test('has no other tools', async () => {
    for (const name of ['session_create', 'issues.list', '__proto__', ''])
      await expect(callTool(agent, name)).rejects.toThrow(`There is no tool named ${name}.`);
  });

  test('may send null or an empty text for a parameter that it leaves out', async () => {
    const all = (await callTool(agent, 'issues_list')).structuredContent;
    for (const absent of [null, '']) {
      const args = { status: absent, cursor: absent, limit: absent, q: absent };
      expect((await callTool(agent, 'issues_list', args)).structuredContent).toEqual(all);
    }
  });

  test('gets an error for arguments that are nested too deep, and instead of an answer of more than 4 MiB', async () => {
    const args = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const { status, body } = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"issues_list","arguments":{"q":${args}}}}`,
    );
    expect(status).toBe(200);
    const { result } = body as { result: CallToolResult };
    expect(errorOf(result)).toBe('The request must not be nested deeper than 32 levels.');
    await backoffice.sql(
      "insert into issues (title, description) select 'Long', repeat('x', 200000) from generate_series(1, 30)",
    );
    const tooLarge = 'The answer is larger than 4 MiB. Ask for fewer rows with limit.';
    expect(await errorFor('issues_list')).toBe(tooLarge);
    expect((await callTool(agent, 'issues_list', { limit: 2 })).isError).toBeUndefined();
    // One after the other would be 9 MiB.
    const calls = Array.from({ length: 3 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'issues_list', arguments: { limit: 15 } },
    }));
    const answers = (await post(calls)).body as { result: CallToolResult }[];
    const refused = answers.flatMap(({ result }) => (result.isError ? [errorOf(result)] : []));
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(new Set(refused)).toEqual(
      new Set([
        'The answers of the request are larger than 4 MiB together. Ask for fewer rows with limit, or in several requests.',
      ]),
    );
  });
});

describe('/api/mcp', () => {
  test('answers a client without a session id, in JSON', async () => {
    const { status, headers, body } = await post(initialize);
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const result = { serverInfo: { name: 'backoffice' }, capabilities: { tools: {} } };
    expect(body).toMatchObject({ result });
  });

  test('needs an API token; a session is not enough', async () => {
    const { cookie } = backoffice.superadmin;
    for (const headers of [{ authorization: '' }, { authorization: '', cookie }, bearer('bo_x')]) {
      const answer = await post(initialize, headers);
      expect(answer).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('refuses pages of any origin that is not allowed, even of its own, which another name may point to', async () => {
    const body = { error: 'Requests from another origin are not allowed.' };
    for (const origin of ['https://evil.example', 'null', backoffice.service.url])
      expect(await post(initialize, { origin })).toMatchObject({ status: 403, body });
    const answer = await post(initialize, { origin: allowed });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
  });

  test('takes only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await post(undefined, {}, method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('answers a wrong body with an error of the protocol, and one of more than 1 MiB with 413', async () => {
    const count = 'A request must have 1 to 20 messages.';
    const notMessage =
      'Send messages of JSON-RPC 2.0. An id is a text or an integer of at most 9007199254740991.';
    for (const [sent, message] of [
      ['{', 'The request body must be JSON.'],
      [[], count],
      [Array(21).fill({ jsonrpc: '2.0', id: 1, method: 'ping' }), count],
      [{ any: 'object' }, notMessage],
      [{ jsonrpc: '2.0', id: 2 ** 53, method: 'ping' }, notMessage],
    ]) {
      const body = { jsonrpc: '2.0', error: { code: expect.any(Number), message } };
      expect(await post(sent)).toMatchObject({ status: 400, body });
    }
    expect((await post({ ...initialize, extra: 'x'.repeat(1024 * 1024) })).status).toBe(413);
  });
});

test.for([
  ['issues.updat', 'there is no operation issues.updat'],
  ['session.create', 'session.create cannot be a tool'],
] as const)('the service does not start if agents may run %s', async ([allowed, problem]) => {
  const started = startInstance(backoffice, { BACKOFFICE_MCP_ALLOW: allowed });
  await expect(started).rejects.toThrow(`BACKOFFICE_MCP_ALLOW is wrong: ${problem}.`);
});

test.for(exposedTools(new Set(operations.map(({ id }) => id))))(
  'the tool $name has a name that clients accept, and a schema without references that accepts its examples',
  ({ name, operation }) => {
    const schema = toolSchemaOf(operation);
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(schema.type).toBe('object');
    expect(Object.keys(schema).filter((keyword) => /^(any|one|all)Of$/.test(keyword))).toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('$ref');
    // Parameters of a query may be texts.
    const options = { strict: false, validateFormats: false, coerceTypes: true };
    const validate = new Ajv2020(options).compile(schema);
    const { example, otherExamples = {} } = operation as Operation;
    for (const each of [example, ...Object.values(otherExamples)]) {
      validate(structuredClone(each?.input ?? {}));
      expect(each?.input === undefined ? [] : (validate.errors ?? [])).toEqual([]);
    }
  },
);
