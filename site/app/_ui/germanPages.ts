/** The pages of the guide that are written in German, and their titles, by the URL of the English page. */
export const germanPages: Readonly<Record<string, string>> = {
  '/guide/getting-started': 'Aufbau eines Projekts',
  '/guide/routing': 'Routing',
  '/guide/errors-and-fallbacks': 'Fehler und Ersatzseiten',
}
