import { AccountMenu } from './account-menu.tsx';
import { ThemeMenu } from './theme-menu.tsx';

/** The menus of the header, in one file that is loaded after the page. */
export function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <AccountMenu />
    </>
  );
}
