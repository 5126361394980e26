/** The text of the server on the start page. The bench of dev servers edits it. */
export const greeting = 'server-0'
