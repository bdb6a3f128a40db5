import { expect, test } from 'vitest';
import { createProgram, topLevelNames } from '../../cli/program.ts';

test.each(topLevelNames)('loads only `%s` if it is named', async (name) => {
  expect((await createProgram(name)).commands.map((command) => command.name())).toEqual([name]);
});

test.each([undefined, 'unknown', '__proto__'])('loads every command for the name %s', async (name) => {
  expect((await createProgram(name)).commands.map((command) => command.name())).toEqual(topLevelNames);
});
