import './app/theme/mantine.css';
import 'virtual:theme.css';
import './app/theme/theme.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './app/data/query-client.ts';
import { lazyPart, watchParts } from './app/lazy-part.ts';
import { router } from './app/routes.tsx';
import { sessionQuery } from './app/session/session.ts';
import { theme } from './app/theme/theme.ts';
import { Confirmations } from './form/confirm.tsx';

/** Loaded after the page: there is nothing to tell before. */
const Messages = lazyPart(() => import('./app/messages.tsx'), 'Messages');

// A session that ends while a page is open leads to the sign-in, whichever request finds out.
queryClient.getQueryCache().subscribe(({ query, type }) => {
  const isSession = query.queryKey[0] === sessionQuery.queryKey[0];
  if (type === 'updated' && isSession && query.state.data === null) void router.invalidate();
});

watchParts();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the dashboard.');
// Where a file of the page is missing, `start.js` says so in the place of the dashboard, and loads the page again.
if (document.documentElement.dataset.incomplete === undefined) createRoot(root).render(<Dashboard />);

function Dashboard() {
  return (
    // The build has written the variables into a style sheet, because the policy allows no others. Nothing uses the classes.
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <Messages />
        </Suspense>
        <RouterProvider router={router} />
        <Confirmations />
      </QueryClientProvider>
    </MantineProvider>
  );
}
