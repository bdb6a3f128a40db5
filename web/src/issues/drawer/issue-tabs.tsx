import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Comments } from '../../comments/comments.tsx';
import type { Issue } from '../issue-queries.ts';
import { type IssueTab, issueTabs } from '../issue-search.ts';
import { IssueHistory } from './issue-history.tsx';
import { IssueLinks } from './issue-links.tsx';

const route = getRouteApi('/signed-in/issues');
const titles: Readonly<Record<IssueTab, string>> = {
  comments: 'Comments',
  history: 'History',
  links: 'Links',
};

/** What belongs to an issue. The tab is in the page's address. */
export function IssueTabs({ issue }: { readonly issue: Issue }) {
  const { tab = 'comments' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: string | null) =>
    void navigate({
      search: (before) => ({ ...before, tab: issueTabs.find((known) => known === next) }),
      replace: true,
    });
  return (
    <Tabs value={tab} onChange={show} keepMounted={false}>
      <Tabs.List>
        {issueTabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {titles[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="comments" pt="md">
        <Comments subject={{ issue_id: issue.id }} />
      </Tabs.Panel>
      <Tabs.Panel value="history" pt="md">
        <IssueHistory issue={issue} />
      </Tabs.Panel>
      <Tabs.Panel value="links" pt="md">
        <IssueLinks id={issue.id} />
      </Tabs.Panel>
    </Tabs>
  );
}
