import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../../cli/access/operations.ts';
import { createProgram } from '../../../cli/program.ts';
import { operations } from '../../../src/contract/registry.ts';
import { everyCommand } from '../../support/run/every-command.ts';

/**
 * Commands run as the local operator or with a token, so there is no sign-in session to start, show or end, and no account
 * to have factors. What needs the token of a link is done on the page that the link leads to, and devices are let in on a page.
 * Commands set the status of issues with `issues.update`, whose answer says how to undo it.
 */
const withoutCommand = [
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
  'device.show',
  'device.approve',
  'device.deny',
  'issues.changeStatus',
];

const commands = everyCommand(await createProgram());

describe('the registry of operations', () => {
  const commandOf = new Map(
    commands.flatMap(([name, command]) => operationsOf(command).map((id) => [id, name])),
  );

  test.each(operations.map(({ id }) => id))('has a command for %s, or an exception', (id) => {
    const hint = `No command runs ${id}. Write cli/commands/<noun>/<verb>.ts, wrap its command in runs(…, '${id}'), and add it to the noun's index.ts.`;
    if (withoutCommand.includes(id)) expect(commandOf.get(id)).toBeUndefined();
    else expect(commandOf.get(id), hint).toBeDefined();
  });
});
