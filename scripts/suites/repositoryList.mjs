/**
 * A public application. `edits` are what a person must write by hand, each with its reason beside it;
 * `before` runs between the build and the server.
 * @typedef {{
 *   repository: string,
 *   env?: Record<string, string>,
 *   hasDatabase?: boolean,
 *   edits?: readonly { file: string, from: string | RegExp, to: string }[],
 *   before?: readonly (readonly string[])[],
 *   paths?: readonly string[],
 * }} Repository
 */

/** @type {readonly Repository[]} */
export const repositories = [
  { repository: 'https://github.com/cruip/open-react-template' },
  { repository: 'https://github.com/salimi-my/shadcn-ui-sidebar' },
  { repository: 'https://github.com/shadcn-ui/next-template' },
  { repository: 'https://github.com/i18next/next-app-dir-i18next-example' },
  { repository: 'https://github.com/theodorusclarence/ts-nextjs-tailwind-starter' },
  { repository: 'https://github.com/TailAdmin/free-nextjs-admin-dashboard' },
  { repository: 'https://github.com/NextAdminHQ/nextjs-admin-dashboard' },
  { repository: 'https://github.com/said7388/developer-portfolio' },
  { repository: 'https://github.com/dillionverma/portfolio' },
  { repository: 'https://github.com/Blazity/next-enterprise' },
  { repository: 'https://github.com/adrianhajdin/project_next_13_ai_prompt_sharing' },
  { repository: 'https://github.com/nextjs/saas-starter', hasDatabase: true },
  { repository: 'https://github.com/sadmann7/tablecn', hasDatabase: true },
]
