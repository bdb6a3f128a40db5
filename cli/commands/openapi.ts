import { Command } from 'commander';
import { print } from '../terminal.ts';

/** `backoffice openapi`: the document that a server returns at `/api/openapi.json`. */
export function openapiCommand(): Command {
  return new Command('openapi').action(async () => {
    const { createOpenApiDocument } = await import('../../src/http/openapi/document.ts');
    const { packageVersion } = await import('../../src/version.ts');
    print(JSON.stringify(createOpenApiDocument(packageVersion()), null, 2));
  });
}
