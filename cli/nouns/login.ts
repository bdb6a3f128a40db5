import { hostname, userInfo } from 'node:os';
import { BackofficeError } from '../../src/contract/errors.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { wait } from '../../src/shared/waiting.ts';
import { type Access, contextColours, timeLimitOf } from '../access/access.ts';
import type { Context, Contexts, Target } from '../access/contexts.ts';
import { FailedError, NotConnectedError, NotFoundError, StoppedError, UsageError } from '../errors.ts';
import { serverUrl } from '../input/arguments.ts';
import { readInputText } from '../input/standard-input.ts';
import { emit } from '../output/emit.ts';
import { hasBrowser, openBrowser } from '../terminal/environment.ts';
import { hasTerminal, print, remark, stopSignal } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import type { BackofficeCommand } from '../verb/command.ts';
import { argument, flag, maybe, text, word } from '../verb/parameters.ts';
import { calling } from '../verb/verb.ts';

/** Signs in to a server, which becomes a context. */
export const login = calling(['device.create', 'device.token', 'session.show'], {
  params: {
    url: { ...argument(text('the address of the server', 'url')), parse: serverUrl },
    name: text('the name of the new context; by default, the host of the server', 'context'),
    color: word("the colour of the dashboard's header", contextColours),
    withToken: flag('read an API token from standard input, and ask nobody'),
    noBrowser: flag('only print the page on which to sign in'),
  },
  output: 'nothing',
  notes:
    'Later commands run on the server, as you. What they may do, you choose in the browser. The token is kept in contexts.json in\n' +
    'the configuration directory, which only you can read. `backoffice context use` changes between servers.',
  examples: [
    'backoffice login https://backoffice.example.com',
    'backoffice login https://staging.example.com --name staging --color green',
    'backoffice login https://backoffice.example.com --with-token < token.txt',
  ],
  async run({ given: { url, name, color: chosen, withToken, noBrowser }, command }) {
    const { readConfig } = await import('../../src/config.ts');
    const { changeContexts, readContexts, serverAddress, warnOfOverride } = await import(
      '../access/contexts.ts'
    );
    const { remoteAccess } = await import('../access/remote.ts');
    const { warnOfPlainHttp } = await import('../access/with-access.ts');
    const config = readConfig();
    const server = serverAddress(url);
    const context = name ?? new URL(server).host;
    checkName(context, server, await readContexts());
    warnOfPlainHttp(server);
    const accessWith = (token?: string) => remoteAccess(server, token, { timeoutMs: timeLimitOf(command) });
    const token = withToken
      ? await readToken()
      : await signInByBrowser(accessWith(), !noBrowser && hasTerminal() && hasBrowser(), stopSignal());
    const { admin } = await accessWith(token).call('session.show').catch(explainRefusal);
    const email = admin?.email ?? null;
    await changeContexts(({ contexts, current }) => {
      checkName(context, server, { contexts, current });
      const color = chosen ?? (Object.hasOwn(contexts, context) ? contexts[context]?.color : undefined);
      const added = { server, token, email, ...(color && { color }) };
      return { current: context, contexts: { ...contexts, [context]: added } };
    });
    const who = admin === null ? 'with a token without an owner' : `as ${admin.email} (${admin.role})`;
    print(printable(`Signed in to ${server} ${who}. The context ${context} is in use.`));
    warnOfOverride(config, context);
  },
});

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

/** Signs out of a server, and forgets its context. */
export const logout = calling(['session.show', 'tokens.revoke'], {
  params: {
    context: maybe(text('the name of a context; by default, the one in use', 'context', 'contexts')),
  },
  output: 'nothing',
  examples: ['backoffice logout', 'backoffice logout staging'],
  async run({ given, command }) {
    const { knownContext, readContexts, removeContext } = await import('../access/contexts.ts');
    const { targetOf } = await import('../access/with-access.ts');
    const name = given.context ?? (await targetOf(command))?.context;
    if (name === undefined)
      throw new NotFoundError(
        'No context is in use. Name the one to sign out of: `backoffice context list` shows all.',
      );
    const ended = knownContext(await readContexts(), name);
    await revoke(ended, command);
    await removeContext(name);
    print(printable(`Signed out of ${ended.server}.`));
  },
});

/** Revokes the token of a context. What is signed out of here must not stay signed in there unnoticed. */
async function revoke(context: Context, command: BackofficeCommand): Promise<void> {
  const { openRemote } = await import('../access/with-access.ts');
  const { isSignedOut, sentenceOf } = await import('../failures.ts');
  const access = await openRemote(context, timeLimitOf(command));
  try {
    const { token: own } = await access.call('session.show', { include: 'token' });
    if (own) await access.call('tokens.revoke', { id: own.id });
  } catch (error) {
    // Without authority, it has ended already.
    if (isSignedOut(error)) return;
    remark(printable(`${sentenceOf(error)} The token was not revoked. Revoke it on the page Tokens.`));
  }
}

/** Who commands on the database of this machine run as. */
const operator = { server: null, context: null, email: null, role: 'superadmin', read_only: false } as const;

/** Shows who commands run as, and where. */
export const whoami = calling('session.show', {
  fields: () => Object.keys(operator),
  examples: ['backoffice whoami', 'backoffice whoami --json role'],
  async run({ format, command, access }) {
    const { targetOf } = await import('../access/with-access.ts');
    const target = await targetOf(command);
    const identity =
      target === undefined
        ? operator
        : identityOn(target, await access.call('session.show', { include: 'token' }));
    await emit(identity, format, undefined, () => print(printable(describe(identity))));
  },
});

function identityOn({ server, context }: Target, { admin, token }: OutputOf<'session.show'>) {
  return {
    server,
    context: context ?? null,
    // A token may have no owner.
    email: admin?.email ?? null,
    role: token?.role ?? admin?.role ?? 'user',
    read_only: token?.read_only ?? false,
  };
}

function describe(identity: ReturnType<typeof identityOn> | typeof operator): string {
  const { server, context, email, role, read_only } = identity;
  if (server === null)
    return `${userInfo().username}, operator of this machine, directly on the database with every permission`;
  const who = email ?? 'A token without an owner';
  const what = `${role}${read_only ? ', only for reading' : ''}`;
  return `${who}, ${what}, on ${server}${context === null ? '' : ` (context ${context})`}`;
}

type Device = OutputOf<'device.create'>;

/** By how many seconds a device that asks too often waits longer (RFC 8628, section 3.5). */
const slowDownSeconds = 5;

/**
 * Asks for a token that a person approves in a browser (RFC 8628).
 *
 * @param opens - whether to open the browser of this machine
 * @param stop - ends the wait
 */
async function signInByBrowser(access: Access, opens: boolean, stop: AbortSignal): Promise<string> {
  const device = await access.call('device.create', { name: `backoffice on ${hostname()}`.slice(0, 100) });
  const page = new URL(device.verification_uri);
  page.searchParams.set('code', device.user_code);
  remark(
    `Your code is ${printable(device.user_code)}. Compare it with the one on this page, and sign in there:`,
  );
  remark(`  ${printable(page.href)}`);
  if (opens) await openBrowser(page.href);
  return await takeToken(access, device, stop);
}

async function takeToken(access: Access, device: Device, stop: AbortSignal): Promise<string> {
  const expiresAt = performance.now() + device.expires_in * 1_000;
  let seconds = device.interval;
  for (;;) {
    await wait(seconds * 1_000, stop);
    if (stop.aborted) throw new StoppedError('Stopped. Nobody is signed in.', stop);
    try {
      return (await access.call('device.token', { device_code: device.device_code })).token;
    } catch (error) {
      // The connection may be back before the code expires.
      if (error instanceof NotConnectedError && performance.now() < expiresAt) continue;
      if (!(error instanceof BackofficeError)) throw error;
      if (error.code === 'slow_down') seconds += slowDownSeconds;
      else if (error.code !== 'authorization_pending') throw explained(error);
    }
  }
}

/** The errors of RFC 8628 have codes for texts. */
function explained(error: BackofficeError): Error {
  if (error.code === 'expired_token')
    return new FailedError('The code has expired. Run `backoffice login` again.');
  if (error.code !== 'access_denied') return error;
  return new BackofficeError({ code: 'access_denied', text: 'The sign-in was refused in the browser.' });
}
