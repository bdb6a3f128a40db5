import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../bin/prepare/paths.js';
import { backofficeHere } from '../support/here.ts';

describe('the samples of docs/api.md', async () => {
  const backoffice = backofficeHere();
  const run = promisify(execFile);

  /** The blocks of code of the page, in order: what is run, and what it prints. */
  const blocks = [
    ...(await readFile('docs/api.md', 'utf8')).matchAll(/^```(?<language>\w+)\n(?<source>[\s\S]*?)^```$/gm),
  ].map(({ groups }) => ({ language: groups?.language ?? '', source: groups?.source ?? '' }));
  const shellSamples = blocks.flatMap(({ language, source }, index) => {
    const next = blocks[index + 1];
    return language === 'sh' ? [{ source, answer: next?.language === 'json' ? next.source : undefined }] : [];
  });
  const scripts = blocks.filter(({ language }) => language === 'js').map(({ source }) => source);

  let env: NodeJS.ProcessEnv;
  /** Later samples read what earlier ones write here. */
  let folder: string;

  beforeAll(async () => {
    const { secret } = await backoffice.service.createToken('superadmin');
    env = { PATH: process.env.PATH, BACKOFFICE_SERVER: backoffice.service.url, BACKOFFICE_TOKEN: secret };
    folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Texts that are the same each time. */
  const fixed = 'error,type,title,status,detail,code,param,total,changed,restored'.split(',');

  /** Expects that an answer has the form of the documented one, with equal values where these do not depend on the time. */
  function expectSameForm(actual: unknown, documented: unknown, path: string): void {
    if (Array.isArray(documented) && Array.isArray(actual)) {
      for (const item of actual) expectSameForm(item, documented[0], `${path}[]`);
      if (documented.length === 0) expect(actual, path).toEqual([]);
    } else if (typeof documented === 'object' && documented !== null) {
      expect(Object.keys(actual ?? {}), path).toEqual(Object.keys(documented));
      for (const [name, value] of Object.entries(documented)) {
        const found = (actual as Record<string, unknown>)[name];
        if (fixed.includes(name)) expect(found, `${path}.${name}`).toEqual(value);
        else expectSameForm(found, value, `${path}.${name}`);
      }
    } else {
      const kindOf = (value: unknown) => (value === null ? 'null' : typeof value);
      expect(kindOf(actual), path).toBe(kindOf(documented));
    }
  }

  test('has samples to run', () => {
    expect(shellSamples.length).toBeGreaterThan(10);
    expect(scripts).toHaveLength(2);
  });

  // In their order: later ones change what earlier ones create.
  test.for(shellSamples)('a sample for a shell: $source', async ({ source, answer }) => {
    // The event stream does not end.
    const seconds = source.includes('--no-buffer') ? 3 : 30;
    const quiet = `curl() { command curl --silent --max-time ${seconds} "$@"; }`;
    const { stdout } = await run('bash', ['-ec', `${quiet}\n${source}`], { env, cwd: folder });
    if (answer === undefined) return;
    // A sample that repeats its request prints the same answer each time.
    for (const text of stdout.replaceAll('}{', '}\n{').trim().split('\n')) {
      expectSameForm(JSON.parse(text), JSON.parse(answer), '');
    }
  });

  test('a script for Node that reads all pages', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', scripts[0] ?? ''], {
      env,
    });
    expect(stdout).toMatch(/^1 Checkout button does nothing$/m);
  });

  test('a function that verifies a message', async () => {
    const file = join(folder, 'verify.mjs');
    await writeFile(file, scripts[1] ?? '');
    const { verify } = (await import(pathToFileURL(file).href)) as {
      verify(secret: string, headers: Record<string, string>, body: string): unknown;
    };
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const body = JSON.stringify({ type: 'issue.created', data: { id: 1 } });
    const sign = (at: Date) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,b3RoZXI= ${new Webhook(secret).sign('msg_1', at, body)}`,
    });
    expect(verify(secret, sign(new Date()), body)).toEqual({ id: 1 });
    expect(() => verify(secret, sign(new Date()), body.replace('1', '2'))).toThrow('signature');
    expect(() => verify(secret, sign(new Date(Date.now() - 600_000)), body)).toThrow('too old');
  });
});

describe('paths in the documentation', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })];

  /** The paths from the checkout's root that a page names in backticks. */
  function pathsIn(page: string): string[] {
    const text = readFileSync(join(root, page), 'utf8');
    const paths = text.matchAll(/`((?:bin|src|cli|migrations|test|bench|docs|deploy)\/[\w./-]*)`/g);
    return [...paths].map(([, path]) => path ?? '');
  }

  test.for(pages)('%s names only files and folders that exist', (page) => {
    expect(pathsIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
