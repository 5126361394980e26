/** An option with an HTTP URL, which several commands have. */
export const httpUrl = {
  value: 'url',
  /** The URL may contain a path. */
  parse: (text: string) => (/^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : null),
  valid: 'Write https://cdn.example.com',
} as const

export const browserOption = {
  value: 'path',
  text: 'Path of Chromium or Chrome. Default: WAYMARK_BROWSER, or an installed browser.',
} as const
