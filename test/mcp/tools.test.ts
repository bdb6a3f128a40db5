import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { toolSchemaOf } from '../../src/mcp/call-tool.ts';
import { exposedTools } from '../../src/mcp/exposed-tools.ts';

const all = exposedTools(new Set(operations.map(({ id }) => id)));

describe.for(all)('the tool $name', ({ name, operation }) => {
  const schema = toolSchemaOf(operation);

  test('has a name that clients accept, and a schema that is one object without references', () => {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(schema.type).toBe('object');
    expect(Object.keys(schema).filter((keyword) => /^(any|one|all)Of$/.test(keyword))).toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('$ref');
  });

  // Parameters of a query may be texts.
  test('accepts the examples of its operation', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: true }).compile(
      schema,
    );
    const { example, otherExamples = {} } = operation as Operation;
    for (const each of [example, ...Object.values(otherExamples)]) {
      validate(structuredClone(each?.input ?? {}));
      expect(each?.input === undefined ? [] : (validate.errors ?? [])).toEqual([]);
    }
  });
});

test('only what serves agents loads the SDK, and only when it is used', async () => {
  const files = (
    await Promise.all(['src', 'cli'].map((folder) => readdir(folder, { recursive: true })))
  ).flatMap((names, index) => names.map((name) => join(['src', 'cli'][index] ?? '', name)));
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    const text = await readFile(file, 'utf8');
    if (file.startsWith('src/mcp/')) continue;
    expect(text, file).not.toContain('@modelcontextprotocol');
    // A type is erased, and `import(…)` waits until it is needed.
    expect(text, file).not.toMatch(/^import (?!type )[^;]*mcp\/(server|stdio|exchange|call-tool)\.ts/m);
  }
});
