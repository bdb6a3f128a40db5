import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A browser to start, and the environments to try it in, the plainest first. */
export interface Chromium {
  readonly executablePath: string;
  readonly environments: readonly Record<string, string>[];
}

/** Chrome or Chromium: the one of `CHROME_PATH`, or else that of the package @sparticuz/chromium. */
export async function findChromium(): Promise<Chromium> {
  const { CHROME_PATH: executablePath } = process.env;
  if (executablePath) return { executablePath, environments: [{}] };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The browser tests need Chrome or Chromium here: set CHROME_PATH to its program.');
  }
  const folder = await unpack();
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts') };
  return {
    executablePath: join(folder, 'chromium'),
    // A system without libnss3 and its kind takes the package's own; another is better off with what it has.
    environments: [fonts, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }],
  };
}

/**
 * Unpacks the package's browser, 209 MB, into a folder beside the packages, which later runs use again and nobody else
 * can put another program into. It becomes visible whole: two workers may unpack at once, and one that is killed leaves
 * no half of a browser behind.
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
  // It unpacks to the temporary folder of its process, and the libraries only where it takes that for AWS Lambda.
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

/** The package's own file looks for its fonts in `/tmp` alone, and without any font the browser ends itself. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
