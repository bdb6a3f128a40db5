import type { OutputOf } from '../../../src/contract/registry.ts';
import { grouped } from '../number.ts';
import { severityTone, statusTone } from '../tones.ts';
import type { Column } from './column.ts';
import { timeColumn } from './of-noun.ts';

type Shown = OutputOf<'settings.show'>;
export type ModelUsage = NonNullable<Shown['tokenUsage']>['byModel'][number];
export type Alert = NonNullable<Shown['tokenAlerts']>[number];

/** The usage of each model in a month. */
export const modelColumns: readonly Column<ModelUsage>[] = [
  { heading: 'model', value: ({ model }) => model, cut: true },
  { heading: 'provider', value: ({ provider }) => provider, cut: true, dropAs: 1 },
  { heading: 'requests', value: ({ requests }) => grouped(requests), align: 'right' },
  { heading: 'tokens', value: ({ totalTokens }) => grouped(totalTokens), align: 'right' },
  { heading: 'cost', value: ({ cost }) => cost ?? 'no price', align: 'right' },
];

export const alertColumns: readonly Column<Alert>[] = [
  { heading: 'status', value: ({ status }) => status, tone: ({ status }) => statusTone(status) },
  { heading: 'severity', value: ({ severity }) => severity, tone: ({ severity }) => severityTone(severity) },
  { heading: 'message', value: ({ message }) => message, cut: true },
  { heading: 'cost', field: 'current', value: ({ current }) => current, align: 'right', dropAs: 1 },
  timeColumn('raised', 'triggeredAt', { dropAs: 2 }),
];
