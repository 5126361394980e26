/** Options that several commands have. */
export const httpUrl = {
  value: 'url',
  /** May contain a path. */
  parse: (text: string) => (/^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : null),
  valid: 'Write https://cdn.example.com',
} as const

export const browserOption = {
  value: 'path',
  text: 'Chromium or Chrome. Default: WAYMARK_BROWSER, else found.',
} as const
