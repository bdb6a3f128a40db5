import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../../cli/access/operations.ts';
import { createProgram } from '../../../cli/program.ts';
import { operations } from '../../../src/contract/registry.ts';
import { everyCommand } from '../../support/terminal/every-command.ts';

/** Commands run as the local operator or with a token, so there is no sign-in session to start, show or end. */
const withoutCommand = ['session.create', 'session.show', 'session.delete'];

const commands = everyCommand(await createProgram());

describe('the registry of operations', () => {
  const withCommand = new Set(commands.flatMap(([, command]) => operationsOf(command)));

  test.each(operations.map(({ id }) => id))('has a command for %s, or an exception', (id) => {
    expect(withCommand.has(id)).toBe(!withoutCommand.includes(id));
  });
});
