import { useQuery } from '@tanstack/react-query';
import { severities } from '../../../src/contract/vocabulary.ts';
import { unreadQuery } from '../conversations/conversation-queries.ts';
import { issueTotalQuery } from '../issues/issue-queries.ts';
import { Mark } from '../parts/mark.tsx';
import { formatCount } from '../parts/numbers.ts';
import { Tile, Tiles } from '../parts/tiles.tsx';
import { CostTile, ScrapingTile } from './analytics-tiles.tsx';

/** What waits for somebody, and what it costs. Each figure leads to what it counts. */
export function OverviewTiles() {
  return (
    <>
      <Tiles>
        {severities.map((severity) => (
          <OpenIssues key={severity} severity={severity} />
        ))}
      </Tiles>
      <Tiles>
        <AssignedIssues />
        <UnreadConversations />
        <CostTile />
        <ScrapingTile />
      </Tiles>
    </>
  );
}

function OpenIssues({ severity }: { readonly severity: string }) {
  const filter = { status: 'Open', severity };
  const { data, isError } = useQuery(issueTotalQuery(filter));
  return (
    <Tile
      name={<Mark word={severity} />}
      figure={figureOf(data, isError)}
      link={{ to: '/issues', search: filter }}
    >
      open
    </Tile>
  );
}

function AssignedIssues() {
  const filter = { status: 'Open', assignee: 'me' };
  const { data, isError } = useQuery(issueTotalQuery(filter));
  return (
    <Tile name="Assigned to you" figure={figureOf(data, isError)} link={{ to: '/issues', search: filter }}>
      open
    </Tile>
  );
}

function UnreadConversations() {
  const { data, isError } = useQuery(unreadQuery);
  return (
    <Tile
      name="Unread"
      figure={figureOf(data, isError)}
      link={{ to: '/conversations', search: { unread: 'true' } }}
    >
      conversations
    </Tile>
  );
}

/** Returns a count as a figure; undefined while it is loaded. */
function figureOf(count: number | undefined, isError: boolean): string | undefined {
  if (count === undefined) return isError ? '?' : undefined;
  return formatCount(count);
}
