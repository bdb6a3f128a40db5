import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../../bin/prepare/paths.js';
import { installTestPackage } from '../../../support/packages.ts';
import type { Report } from './programs/report.ts';

/** The generators, by the name of the program that uses their client. */
export const generators = ['openapi-typescript', 'hey-api', 'orval'] as const;
type Generator = (typeof generators)[number];

const source = join(root, 'test', 'http', 'openapi', 'client-generators');
const execute = promisify(execFile);

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/**
 * Generates a client of a document with each generator.
 *
 * @param document - the OpenAPI document as JSON
 * @param baseUrl - the address of the service, which some clients contain
 */
export async function generateClients(folder: string, document: string, baseUrl: string) {
  const modules = await installTestPackage(source, 'client-generators');
  await cp(join(source, 'programs'), folder, { recursive: true });
  await symlink(modules, join(folder, 'node_modules'));
  await mkdir(join(folder, 'generated'));
  await writeFile(join(folder, 'openapi.json'), document);

  const node = (program: string, ...args: string[]) =>
    execute(process.execPath, [join(modules, program), ...args], { cwd: folder });
  const config = async (name: string, content: object) => {
    await writeFile(join(folder, name), `export default ${JSON.stringify(content)};`);
    return name;
  };

  const generate: Record<Generator, () => Promise<unknown>> = {
    'openapi-typescript': () =>
      node('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'generated/openapi-typescript.ts'),
    async 'hey-api'() {
      const options = { input: './openapi.json', output: './generated/hey-api', logs: { file: false } };
      await node('@hey-api/openapi-ts/bin/run.js', '--file', await config('hey-api.config.mjs', options));
    },
    async orval() {
      const output = { target: './generated/orval.ts', client: 'fetch', headers: true, baseUrl };
      const options = { backoffice: { input: './openapi.json', output } };
      await node('orval/dist/bin/orval.mjs', '--config', await config('orval.config.mjs', options));
    },
  };
  for (const name of generators) await generate[name]();

  return {
    /** Type-checks clients and programs. Returns what the compiler reports. */
    async compile(): Promise<string> {
      const project = { compilerOptions, include: ['*.ts', 'generated'] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
      // The compiler exits with 1 or 2 if it finds errors, and still prints them.
      const { stdout } = await node('typescript/bin/tsc', '--project', '.').catch(
        (error: { stdout: string }) => error,
      );
      return stdout;
    },
    /** Runs a program in a process of its own. */
    async run(name: Generator, url: string, token: string): Promise<Report> {
      const main = `import { run } from './${name}.ts';
        console.log(JSON.stringify(await run(...process.argv.slice(2))));
        process.exit();`;
      await writeFile(join(folder, `${name}-main.js`), main);
      const bundle = `${name}-bundle.mjs`;
      const flags = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning'];
      await node('esbuild/bin/esbuild', `${name}-main.js`, `--outfile=${bundle}`, ...flags);
      const { stdout } = await execute(process.execPath, [join(folder, bundle), url, token]);
      return JSON.parse(stdout);
    },
  };
}
