import { Command, Option } from 'commander';
import { BackofficeError } from '../../src/contract/errors.ts';
import { runs } from '../access/operations.ts';
import { serverAddress } from '../access/server-address.ts';
import { type Context, type Contexts, contextColours } from '../contexts/contexts-file.ts';
import { UsageError } from '../errors.ts';
import { serverUrl } from '../input/arguments.ts';
import { readInputText } from '../input/standard-input.ts';
import { printable } from '../output/text.ts';
import { stopSignal } from '../stop-signal.ts';
import { hasTerminal, print } from '../terminal.ts';
import { hasBrowser } from '../terminal-environment.ts';

interface LoginOptions {
  readonly name?: string;
  readonly withToken?: true;
  readonly browser: boolean;
  readonly color?: Context['color'];
}

/** `backoffice login`. */
export function loginCommand(): Command {
  const command = new Command('login')
    .argument('<url>', 'the address of the server', serverUrl)
    .option('--name <context>', 'the name of the new context; by default, the host of the server')
    .addOption(new Option('--color <color>', "the colour of the dashboard's header").choices(contextColours))
    .option('--with-token', 'read an API token from standard input, and ask nobody')
    .option('--no-browser', 'only print the page on which to sign in')
    .addHelpText(
      'after',
      `
Commands work through the server from then on, as you. What they may do, you choose in the browser. The token is kept
in contexts.json in the configuration directory, which only you can read. \`backoffice context\` changes between servers.

Examples:
  backoffice login https://backoffice.example.com
  backoffice login https://staging.example.com --name staging --color green
  backoffice login https://backoffice.example.com --with-token < token.txt`,
    );
  return runs(command, 'device.create', 'device.token', 'session.show').action(
    async (url: string, { name, withToken, browser, color: chosen }: LoginOptions) => {
      const { readConfig } = await import('../../src/config.ts');
      const { changeContexts, readContexts } = await import('../contexts/contexts-file.ts');
      const { remoteAccess } = await import('../access/remote.ts');
      const { warnOfPlainHttp } = await import('../access/with-access.ts');
      const { warnOfOverride } = await import('../contexts/override.ts');
      const config = readConfig();
      const { contextsFile: file } = config;
      const server = serverAddress(url);
      const context = name ?? new URL(server).host;
      checkName(context, server, await readContexts(file));
      warnOfPlainHttp(server);
      const token = withToken ? await readToken() : await askInBrowser(server, browser);
      const { admin } = await remoteAccess(server, token).call('session.show').catch(explainRefusal);
      const email = admin?.email ?? null;
      await changeContexts(file, ({ contexts, current }) => {
        checkName(context, server, { contexts, current });
        const color = chosen ?? (Object.hasOwn(contexts, context) ? contexts[context]?.color : undefined);
        const added = { server, token, email, ...(color && { color }) };
        return { current: context, contexts: { ...contexts, [context]: added } };
      });
      const who = admin === null ? 'with a token without an owner' : `as ${admin.email} (${admin.role})`;
      print(printable(`Signed in to ${server} ${who}. The context ${context} is in use.`));
      warnOfOverride(config, context);
    },
  );
}

/** The general advice for a wrong token is to sign in, which this does. */
async function explainRefusal(error: unknown): Promise<never> {
  const { isSignedOut } = await import('../failures.ts');
  if (!isSignedOut(error)) throw error;
  const text = 'The server does not accept this token. It may be revoked or expired, or from another server.';
  throw new BackofficeError({ code: 'forbidden', text });
}

/** A context must not silently become another server. */
function checkName(name: string, server: string, { contexts }: Contexts): void {
  const taken = Object.hasOwn(contexts, name) ? contexts[name]?.server : undefined;
  if (name === '' || (taken !== undefined && taken !== server)) {
    const problem = name === '' ? 'A context needs a name.' : `The context ${name} is ${taken}.`;
    throw new UsageError(`${problem} Choose another name with --name.`);
  }
}

async function readToken(): Promise<string> {
  const token = (await readInputText()).trim();
  if (token.startsWith('bo_')) return token;
  throw new UsageError('Standard input is not an API token, bo_….');
}

async function askInBrowser(server: string, opens: boolean): Promise<string> {
  const { remoteAccess } = await import('../access/remote.ts');
  const { signInByBrowser } = await import('../contexts/sign-in-by-browser.ts');
  const canOpen = opens && hasTerminal() && hasBrowser();
  return await signInByBrowser(remoteAccess(server, undefined), canOpen, stopSignal());
}
