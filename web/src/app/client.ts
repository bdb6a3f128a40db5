import { operations } from 'virtual:operations';
import { createTypedClient } from '../../../src/contract/client/typed-client.ts';

/** The path before those of the dashboard, such as `/backoffice`, if a proxy serves it under one. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';

/** The client of the API. The browser adds the session's cookie. */
export const client = createTypedClient((id) => operations[id], { baseUrl: basePath });
