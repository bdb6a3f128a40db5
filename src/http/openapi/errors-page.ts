import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import { statusOf } from '../responses/problem.ts';

/** The page that the `type` of every problem document leads to. Its addresses are relative, for proxies that add a path. */
export const errorsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Errors of the Backoffice API</title>
    <link rel="icon" href="favicon-32x32.png">
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1f2430; }
      h2 { margin: 2rem 0 0.25rem; font-size: 1.1rem; }
      h2 small { font-weight: normal; color: #55607a; }
      p { margin: 0; }
      :target { background: #fff3c4; }
    </style>
  </head>
  <body>
    <main>
      <h1>Errors</h1>
      <p>The <code>code</code> of a problem document is one of these. Its <code>detail</code> says what went wrong in
      this case. The <a href="../docs">API documentation</a> lists the errors of each operation.</p>
      ${Object.entries(errorCodes).map(section).join('\n      ')}
    </main>
  </body>
</html>
`;

function section([code, when]: [string, string]): string {
  const status = statusOf[code as ErrorCode];
  return `<h2 id="${code}"><code>${code}</code> <small>${status}</small></h2>
      <p>${when.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`;
}
