import { expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { type OperationId, operations } from '../../src/contract/registry.ts';
import { exposedTools } from '../../src/mcp/exposed-tools.ts';
import { everyCommand, operationsOf } from '../support/run/every-command.ts';

/**
 * Commands run as the local operator or with a token, so there is no sign-in session to start, show or end, and no account
 * to have factors. What needs the token of a link is done on the page that the link leads to, and devices are let in on a page.
 * Visitors have a page, not a command. Files of mails are downloaded from a page.
 * Commands set statuses with `issues.update` and `conversations.update`, whose answers say how to undo it.
 */
const withoutCommand: readonly OperationId[] = [
  'session.create',
  'session.verify',
  'session.delete',
  'sessions.listOwn',
  'sessions.revokeOwn',
  'factors.list',
  'factors.create',
  'factors.verify',
  'factors.delete',
  'factors.createRecoveryCodes',
  'invitations.accept',
  'passwordReset.create',
  'passwordReset.confirm',
  'contact.create',
  'device.show',
  'device.approve',
  'device.deny',
  'issues.changeStatus',
  'conversations.changeStatus',
  'messages.attachment',
  'messages.source',
];

/** Agents do not sign in or out, use the link of a mail, give access to others, follow an endless stream, or download files. */
const withoutTool =
  /^(tokens|contact|device|factors|session|passwordReset|mail)\.|^invitations\.accept$|^events\.follow$|^messages\.(attachment|source)$/;

const ids = operations.map(({ id }) => id);

test('every operation has a command, or is an exception', async () => {
  const commands = everyCommand(await createProgram());
  const ofCommands = new Set(commands.flatMap(([, command]) => operationsOf(command)));
  const hint = 'Name it in the operations of a verb, or name the operation among the exceptions.';
  expect(ids.filter((id) => !ofCommands.has(id)).toSorted(), hint).toEqual(withoutCommand.toSorted());
});

test('every operation is a tool for agents, or is an exception', () => {
  const tools = exposedTools(new Set(ids)).map(({ operation }) => operation.id as OperationId);
  const hint = 'Expose the operation as a tool, or name it among the exceptions.';
  expect(
    ids.filter((id) => !tools.includes(id)),
    hint,
  ).toEqual(ids.filter((id) => withoutTool.test(id)));
});
