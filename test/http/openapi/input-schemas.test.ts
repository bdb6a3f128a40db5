import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import { cleanInput } from '../../../src/services/call/input.ts';
import { documentedAs, inputSchemaOf, type OpenApiDocument, valuesOf } from '../../support/here/openapi.ts';

const document = createOpenApiDocument('1.0.0') as OpenApiDocument;
const registry: readonly Operation[] = operations;

/** The rules that the schemas do not express: those that compare fields, and null, which counts as absent. */
const comparisons = [
  /expected needs? exactly one id/,
  /set must have at least one field/,
  /filter must have at least one field/,
  /cached_input_tokens must not be greater than input_tokens/,
  /finished_at requires a status other than running/,
  /finished_at requires started_at, which must not be later/,
];

function resolve(reference: string) {
  const schema = document.components.schemas[reference.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`There is no ${reference}.`);
  return schema;
}

describe('every body that matches the documented schema is accepted', () => {
  test.for(registry.filter((operation) => !readsQuery(operation)))('$id', (operation) => {
    const schema = inputSchemaOf(documentedAs(document, operation.id));
    const check = fc.property(valuesOf(schema, resolve), (input) => {
      const { error } = operation.input.safeParse(cleanInput(input));
      const problem = error?.issues[0]?.message;
      if (problem === undefined || comparisons.some((rule) => rule.test(problem))) return;
      expect.fail(`${problem} ${JSON.stringify(error?.issues[0]?.path)}`);
    });
    fc.assert(check, { numRuns: 300 });
  });
});
