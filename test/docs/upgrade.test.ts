import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../bin/prepare/paths.js';
import { queryRows } from '../support/postgres/seeded.ts';
import {
  asOwner,
  asRuntime,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../support/postgres.ts';
import { type RunningCommand, startBackoffice, withoutEnvironment } from '../support/run/process.ts';
import { isSlowRun } from '../support/slow-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const [, section = ''] = /^## Upgrade$(.*?)^## /ms.exec(await readFile('docs/operations.md', 'utf8')) ?? [];
const [upgrade = '', goBack = ''] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, steps]) => steps);

/** What is copied, with the times by which the build knows that it is current. */
const files = [
  ...['bin', 'cli', 'src', 'web', 'migrations', 'dist'],
  ...['package.json', 'package-lock.json', 'tsconfig.json'],
];

/** Makes the service of an operator, whose commands read this environment, in a checkout within a folder. */
function installationIn(folder: string, env: Record<string, string>) {
  const checkout = join(folder, 'checkout');
  let service: RunningCommand | undefined;
  let url = '';
  onTestFinished(async () => void (await service?.stop('SIGKILL')));

  /** Runs a script, and returns what it prints. */
  async function run(script: string, cwd = checkout): Promise<string> {
    const options = { cwd, env: { ...env, HOME: folder } };
    return (await promisify(execFile)('bash', ['-ec', script], options)).stdout;
  }

  /**
   * Makes the checkout of an older version, whose repository has the newer one too. Their sources are the same, so that nothing
   * is compiled, which takes 20 s of processor time. The newer one has one more migration.
   */
  async function install(): Promise<void> {
    const copied = files.map((name) => `'${join(root, name)}'`).join(' ');
    await run(`mkdir checkout; cp --archive ${copied} checkout`, folder);
    await run(`
      # One by one, so that it has a cache of its own.
      mkdir node_modules; ln --symbolic '${join(root, 'node_modules')}'/{*,.bin,.package-lock.json} node_modules
      # The sources are the same in both versions, so git need not read them.
      printf '%s\\n' node_modules dist cli src web > .gitignore
      sed --in-place 's/^  "version": .*/  "version": "0.1.0",/' package.json
      git init --quiet; git add .; git commit --quiet --message Older
      node bin/prepare.js
      ./bin/backoffice.js migrate create newer
      cp --archive '${join(root, 'package.json')}' .
      git add .; git commit --quiet --message Newer; git tag v${version}
      git clone --quiet --bare . ../origin; git remote add origin ../origin
      git reset --quiet --hard HEAD~; git tag --delete v${version}`);
  }

  /** Starts it as in production: without the owner of the tables, so it waits for `migrate up`. */
  async function start(): Promise<void> {
    const program = join(checkout, 'bin/backoffice.js');
    const started = { ...env, DATABASE_OWNER_URL: '', BACKOFFICE_DATA: folder };
    service = startBackoffice(['up'], { program, env: started });
    [, url = ''] = await service.shows(/Backoffice API +(http:\S+)\/api\/admin/);
  }

  /** Follows a block of the page line by line, in the place of systemd. Returns what each line prints. */
  async function follow(block: string): Promise<ReadonlyMap<string, string>> {
    const printed = new Map<string, string>();
    for (const line of block.trim().split('\n')) {
      const step = line.replace(/ +# .*/, '');
      if (step === 'systemctl start backoffice') await start();
      else if (step === 'systemctl stop backoffice') await service?.stop();
      else printed.set(step, await run(step.replace('http://127.0.0.1:3000', url)));
    }
    return printed;
  }

  return {
    install,
    start,
    follow,
    stop: () => service?.stop('SIGINT'),
    commitOf: async (name: string) => (await run(`git rev-parse ${name}`)).trim(),
    health: async () => await (await fetch(`${url}/healthz`)).json(),
  };
}

const urlsOf = ({ url }: TestDatabase) => ({
  DATABASE_URL: asRuntime(url),
  DATABASE_OWNER_URL: asOwner(url),
});

const titles = (database: TestDatabase) => queryRows(database, 'select title from issues order by id');

// Takes as long as a hundred other tests, and few changes concern it.
test.runIf(isSlowRun)(
  'the steps lead to the new version with all data, and those to go back to the older one',
  { timeout: 300_000 },
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const folder = await temporaryFolder();
    const email = 'a@example.com';
    const env = {
      ...(withoutEnvironment() as Record<string, string>),
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: email,
      GIT_CONFIG_NOSYSTEM: '1',
      ...urlsOf(database),
    };
    const installation = installationIn(folder, env);
    await installation.install();
    const older = { version: '0.1.0', commit: await installation.commitOf('HEAD') };
    await installation.start();
    await queryRows(database, "insert into issues (title) values ('Before the upgrade')");
    expect(await installation.health()).toEqual({ status: 'ok', ...older });

    const printed = await installation.follow(upgrade);
    const newer = { version, commit: await installation.commitOf(`v${version}`) };
    expect(await installation.health()).toEqual({ status: 'ok', ...newer });
    expect(printed.get('./bin/backoffice.js migrate up')).toMatch(/^Applied \d+_newer\n$/);
    expect(printed.get('./bin/backoffice.js doctor')).toMatch(/^ok +migrations +all \d+ are applied$/m);
    expect(await titles(database)).toEqual([{ title: 'Before the upgrade' }]);
    const backup = gunzipSync(await readFile(join(folder, `before-${version}.gz`))).toString('utf8');
    const header = JSON.parse(backup.slice(0, backup.indexOf('\n')));
    expect(header).toMatchObject({ backoffice: older.version, commit: older.commit });

    await queryRows(database, "insert into issues (title) values ('After the upgrade')");
    await installation.stop();
    const another = await createEmptyDatabase();
    onTestFinished(() => another.drop());
    Object.assign(env, urlsOf(another));
    await installation.follow(goBack);
    expect(await installation.health()).toEqual({ status: 'ok', ...older });
    expect(await titles(another)).toEqual([{ title: 'Before the upgrade' }]);
    await installation.stop();
  },
);
