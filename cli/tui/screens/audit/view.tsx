import { Box } from 'ink';
import { apart } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import type { View } from '../views/saved-view.ts';
import { auditDetailLines } from './detail-lines.ts';
import { type AuditRow, auditTableColumns } from './row.ts';

export interface AuditState {
  /** What was typed. It replaces the filter of the view. */
  readonly filter: string;
  /** The saved view that was chosen last. */
  readonly saved: View;
  readonly isOpen: boolean;
  /** The cursor stays on the newest record. */
  readonly isFollowing: boolean;
}

export interface AuditParts {
  readonly store: Store<AuditState>;
  readonly list: List<AuditRow>;
}

/** Returns the filter that applies. */
export function effectiveFilter({ filter, saved }: Pick<AuditState, 'filter' | 'saved'>): string {
  return filter === '' ? saved.filter : filter;
}

const maxDetailRows = 9;

/** Shows the audit records and, below them, the details of the one under the cursor. */
export function auditView(app: App, { store, list }: AuditParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { filter, saved, isOpen, isFollowing } = useStore(store);
    const { shown, index } = useStore(list.store);
    const { now } = useStore(app.store);
    const record = shown[index];
    const details = isOpen && record !== undefined ? auditDetailLines(record, width) : [];
    const detailRows = Math.min(details.length, maxDetailRows, Math.floor(height / 2));
    const left = isFollowing
      ? theme.good('▾ following the newest')
      : theme.quiet(keyHints(app, ['audit.follow', 'follows the newest']).join(''));
    const view = saved.filter === '' ? '' : theme.accent(`▸${printable(saved.name)} `);
    const right = filter === '' ? view : theme.accent(`/ ${filter} `);
    return (
      <Box flexDirection="column">
        <Lines lines={[apart(`  ${left}`, right, width)]} height={1} />
        <Table
          list={list}
          columns={auditTableColumns(now)}
          keyOf={({ id }) => id}
          width={width}
          height={height - 1 - detailRows}
          empty={
            effectiveFilter({ filter, saved }) === ''
              ? ['No changes recorded yet.']
              : [
                  'No records match.',
                  ...keyHints(
                    app,
                    filter === ''
                      ? ['audit.views', 'chooses another view.']
                      : ['everywhere.back', backTo(saved)],
                  ),
                ]
          }
        />
        <Lines lines={details} height={detailRows} />
      </Box>
    );
  };
}

const backTo = ({ filter, name }: View) => (filter === '' ? 'shows all records.' : `goes back to ${name}.`);
