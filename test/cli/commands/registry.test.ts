import { describe, expect, test } from 'vitest';
import { reachable } from '../../../cli/access/operations.ts';
import { createProgram } from '../../../cli/program.ts';
import { operations } from '../../../src/contract/registry.ts';

/** A command acts as the local operator, or with a token: it has no sign-in session to make, show or end. */
const withoutCommand = ['session.create', 'session.show', 'session.delete'];

const program = await createProgram();

describe('the registry of operations', () => {
  const commands = reachable(program);

  test.each(operations.map(({ id }) => id))('has a command for %s, or a reason for none', (id) => {
    expect(commands.has(id)).toBe(!withoutCommand.includes(id));
  });
});
