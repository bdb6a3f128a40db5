/**
 * Returns the address that the paths of the API are added to. People also copy it with the path of the API, or with that of
 * a page that has it: `https://backoffice.example.com/api/admin/`.
 */
export function serverAddress(text: string): string {
  return text.replace(/(\/+api(\/+admin)?)?\/*$/, '');
}
