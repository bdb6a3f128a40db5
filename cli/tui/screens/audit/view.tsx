import { Box } from 'ink';
import { apart } from '../../../output/cells.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import { auditDetailLines } from './detail-lines.ts';
import { type AuditRow, auditTableColumns } from './row.ts';

export interface AuditState {
  readonly filter: string;
  readonly isOpen: boolean;
  /** The cursor stays on the newest record. */
  readonly isFollowing: boolean;
}

export interface AuditParts {
  readonly store: Store<AuditState>;
  readonly list: List<AuditRow>;
}

const maxDetailRows = 9;

/** Shows the audit records and, below them, the details of the one under the cursor. */
export function auditView(app: App, { store, list }: AuditParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { filter, isOpen, isFollowing } = useStore(store);
    const { shown, index } = useStore(list.store);
    const { now } = useStore(app.store);
    const record = shown[index];
    const details = isOpen && record !== undefined ? auditDetailLines(record, width) : [];
    const detailRows = Math.min(details.length, maxDetailRows, Math.floor(height / 2));
    const left = isFollowing
      ? theme.good('▾ following the newest')
      : theme.quiet(keyHints(app, ['audit.follow', 'follows the newest']).join(''));
    const right = filter === '' ? '' : theme.accent(`/ ${filter} `);
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
            filter === ''
              ? ['No changes recorded yet.']
              : ['No records match.', ...keyHints(app, ['everywhere.back', 'shows all records.'])]
          }
        />
        <Lines lines={details} height={detailRows} />
      </Box>
    );
  };
}
