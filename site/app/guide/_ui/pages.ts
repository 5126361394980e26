/** A page of the guide. */
export type GuidePage = { readonly href: string; readonly title: string }

/** Some pages under a heading of their own. */
export type GuideGroup = { readonly title: string; readonly pages: readonly GuidePage[] }

/** The guide's pages, in reading order. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    pages: [
      { href: '/guide/getting-started', title: 'Getting started' },
      { href: '/guide/create-an-app', title: 'Create an app' },
    ],
  },
  {
    title: 'Routes',
    pages: [
      { href: '/guide/routing', title: 'Routing' },
      { href: '/guide/route-handlers', title: 'Route handlers' },
      { href: '/guide/proxy', title: 'Before the route' },
    ],
  },
  {
    title: 'The document',
    pages: [{ href: '/guide/metadata', title: 'Metadata' }],
  },
  {
    title: 'The server',
    pages: [{ href: '/guide/request', title: 'The request' }],
  },
]
