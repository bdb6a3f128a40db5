import { expect, test } from 'vitest';
import { addNeededCommands, createProgram, createRoot, topLevelNames } from '../../cli/program.ts';

test.each(topLevelNames)('loads only `%s` if it is named', async (name) => {
  const program = createRoot();
  await addNeededCommands(program, name);
  expect(program.commands.map((command) => command.name())).toEqual([name]);
});

test.each([undefined, 'unknown', '__proto__', 'help'])(
  'names every command for the name %s',
  async (name) => {
    const program = createRoot();
    await addNeededCommands(program, name);
    expect(program.commands.map((command) => command.name())).toEqual(topLevelNames);
    expect(program.helpInformation()).toBe((await createProgram()).helpInformation());
  },
);
