import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * A host name that the browser resolves to this machine. Browsers trust loopback addresses like HTTPS, but treat this
 * name like any other plain-HTTP host.
 */
export const plainHost = 'backoffice.test';

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this process. All test files that it runs share it, because a browser takes seconds to start. Each
 * test opens windows of its own, which share no cookies, cache or storage with others, and closes them.
 */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= launchShared();
  return await shared;
}

async function launchShared(): Promise<Browser> {
  try {
    const browser = await launchBrowser(shortLived);
    // The next test gets another one if it crashes.
    browser.once('disconnected', forget);
    // Vitest ends its workers by this signal. A browser that is closed also removes its profile.
    process.once('SIGTERM', () => void browser.close().finally(() => process.kill(process.pid, 'SIGKILL')));
    return browser;
  } catch (error) {
    forget();
    throw error;
  }
}

function forget(): void {
  shared = undefined;
}

/** Pages of tests live for seconds: to compile their scripts well takes half of the processor time, and saves less. */
const shortLived = '--js-flags=--no-maglev --no-turbofan --single-threaded-gc';

/** Starts a real, headless browser. The caller closes it. */
export async function launchBrowser(...options: readonly string[]): Promise<Browser> {
  const { executablePath, environments } = await findChromium();
  const args = [
    // Chromium's sandbox does not work as root or in many containers.
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
    ...options,
  ];
  let failure: unknown;
  for (const extra of environments) {
    try {
      return await chromium.launch({ executablePath, args, env: { ...process.env, ...extra } });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Collects problems on a page: console errors and warnings (including violations of the content security policy),
 * uncaught errors, failed requests, and error statuses.
 *
 * @param expected - error statuses that are not a problem
 */
export function watchPage(page: Page, expected: readonly number[] = []): readonly string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    const isExpected = expected.some((status) => text.includes(`status of ${status} `));
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => {
    problems.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 400 && !expected.includes(status)) problems.push(`${status} ${response.url()}`);
  });
  return problems;
}

/** A browser's program, and the environments to try it in, in this order. */
interface Chromium {
  readonly executablePath: string;
  readonly environments: readonly Record<string, string>[];
}

/** Returns the Chrome or Chromium of `CHROME_PATH`, or else of the package @sparticuz/chromium. */
export async function findChromium(): Promise<Chromium> {
  const { CHROME_PATH: executablePath } = process.env;
  if (executablePath) return { executablePath, environments: [{}] };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('Chrome not found. Set CHROME_PATH to the program of Chrome or Chromium.');
  }
  const folder = await unpack();
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts') };
  return {
    executablePath: join(folder, 'chromium'),
    // The package's libraries are only for systems that lack libnss3 and the like.
    environments: [fonts, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }],
  };
}

/**
 * Unpacks the package's browser (209 MB) into node_modules/.cache, where later runs find it and no other user can
 * replace it. The folder appears in one step, so that two workers may unpack at once and a killed one leaves no partial
 * browser behind.
 */
async function unpack(): Promise<string> {
  const packageJson = findPackageJSON('@sparticuz/chromium', import.meta.url) ?? '';
  const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string };
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });

  const making = await mkdtemp(`${folder}-`);
  const script = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();`;
  // The package unpacks into TMPDIR, and unpacks its libraries only if it detects AWS Lambda.
  const env = { ...process.env, TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const run = promisify(execFile);
  await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname, env });
  await writeFile(join(making, 'fonts', 'fonts.conf'), fontsOf(folder));
  try {
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Returns a font configuration. The package's own only finds fonts in `/tmp`, and without fonts the browser exits. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
