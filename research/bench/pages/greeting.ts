/** What the start page shows of the server; the bench of dev servers edits it. */
export const greeting = 'server-0'
