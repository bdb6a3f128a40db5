import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { callTool, connectAgent, errorOf } from '../../support/here/requests.ts';
import { backoffice } from '../../support/run/process.ts';
import { commandsHere } from '../commands-here.ts';

const here = commandsHere();

describe('backoffice mcp', () => {
  /** Starts the command as an agent does. */
  async function start(args: readonly string[], env: Record<string, string>) {
    return await connectAgent(
      new StdioClientTransport({
        command: process.execPath,
        args: ['bin/backoffice.js', 'mcp', ...args],
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
        stderr: 'pipe',
      }),
    );
  }

  test('on the database: lists and calls tools, and changes only what is allowed', async () => {
    const env = here.env('on the database');
    const reader = await start([], env);
    const { tools } = await reader.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(errorOf(await callTool(reader, 'issues_create', { title: 'Broken' }))).toBe(
      'issues.create is not allowed to agents. Restart `backoffice mcp` with --allow issues.create.',
    );
    await reader.close();

    const writer = await start(['--allow', 'issues.create,comments.create'], env);
    const created = await callTool(writer, 'issues_create', { title: 'Broken' });
    const { id } = created.structuredContent as { id: number };
    expect((await callTool(writer, 'issues_list', { id })).structuredContent).toMatchObject({
      issues: [{ id, title: 'Broken' }],
    });
    await writer.close();
    const { audit } = await here.client.call('audit.list', { door: 'mcp' });
    expect(audit).toMatchObject([
      { operation: 'issues.create', subject_id: String(id), actor_kind: 'operator' },
    ]);
  });

  test('through a server: has the rights of its token', async () => {
    const agent = await start(['--allow', 'admins.create'], await here.envOf('user'));
    expect((await callTool(agent, 'issues_list')).structuredContent).toHaveProperty('issues');
    expect(errorOf(await callTool(agent, 'admins_create', { email: 'a@b.c', password: '123456' }))).toBe(
      'Insufficient permissions.',
    );
    await agent.close();
  });

  test('answers what it was sent before the input ends, then exits', async () => {
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '0' } },
      },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'webhooks_list', arguments: {} } },
    ];
    const stdin = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const { code, stdout } = await backoffice(['mcp'], { stdin, env: here.env('on the database') });
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([{ id: 1 }, { id: 2, result: { structuredContent: { webhooks: [] } } }]);
  });

  test.for([
    [
      'issues.updat',
      'backoffice: --allow is wrong: there is no operation issues.updat. Did you mean issues.update?',
    ],
    ['session.create', 'backoffice: --allow is wrong: session.create cannot be a tool.'],
  ])('refuses --allow %s', async ([name, sentence]) => {
    const { code, stderr } = await backoffice(['mcp', '--allow', name ?? '']);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
