/** A page of the guide. */
export type GuidePage = { readonly href: string; readonly title: string }

/** Some pages under a heading of their own. */
export type GuideGroup = { readonly title: string; readonly pages: readonly GuidePage[] }

/** The guide's pages, in reading order. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    pages: [
      page('ten-minutes', 'From nothing to deployed'),
      page('getting-started', 'Getting started'),
      page('create-an-app', 'Create an app'),
      page('cli', 'The command line'),
      page('coming-from-the-app-router', 'Coming from the App Router'),
      page('bring-an-app', 'Bring an App Router app'),
      page('comparison', 'Beside other frameworks'),
    ],
  },
  {
    title: 'Routes',
    pages: [
      page('routing', 'Routing'),
      page('layouts-and-pages', 'Layouts and pages'),
      page('typed-routes', 'Typed routes'),
      page('navigation', 'Navigation'),
      page('prefetching', 'Prefetching'),
      page('route-handlers', 'Route handlers'),
      page('streams', 'Streams'),
      page('proxy', 'proxy.ts'),
    ],
  },
  {
    title: 'Actions',
    pages: [
      page('forms', 'Forms'),
      page('actions', 'Server actions'),
      page('actions-in-the-browser', 'Actions in the browser'),
      page('action-security', 'Security of actions'),
    ],
  },
  {
    title: 'Rendering',
    pages: [
      page('server-and-client-components', 'Server and client components'),
      page('static-and-dynamic', 'Static and dynamic'),
      page('loading-and-streaming', 'Loading and streaming'),
      page('caching', 'Caching'),
      page('errors-and-fallbacks', 'Errors and fallbacks'),
    ],
  },
  {
    title: 'The document',
    pages: [
      page('metadata', 'Metadata'),
      page('social-cards', 'Icons and social cards'),
      page('assets-and-styles', 'Assets and styles'),
      page('images', 'Images'),
      page('scripts', 'Scripts of others'),
      page('theme', 'Theme'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      page('databases', 'Databases'),
      page('authentication', 'Authentication'),
      page('sessions', 'Sessions'),
      page('uploads', 'Uploads'),
      page('search-parameters', 'Search parameters'),
      page('live-data', 'Live data'),
      page('offline', 'Offline'),
      page('sockets', 'WebSockets'),
      page('other-packages', 'Other packages'),
      page('server-packages', 'Server packages'),
      page('speedups', 'Speedups'),
      page('i18n', 'Languages'),
      page('mdx', 'MDX'),
      page('browser-only', 'Browser-only components'),
      page('testing', 'Testing'),
      page('devtools', 'Devtools'),
      page('agents', 'Coding agents'),
      page('events', 'Events in development'),
    ],
  },
  {
    title: 'The server',
    pages: [
      page('request', 'The request'),
      page('environment', 'Environment'),
      page('server-file', 'server.ts'),
      page('security', 'Security'),
      page('errors-and-digests', 'Errors and digests'),
      page('replay', 'waymark replay'),
      page('deployment', 'Deployment'),
      page('support', 'Supported versions'),
      page('self-hosting', 'Self-hosting'),
      page('runtimes', 'Hosts'),
      page('write-an-adapter', 'Write an adapter'),
      page('write-a-package', 'Write a package'),
      page('several-processes', 'Several processes'),
      page('deploys', 'Deploys without loss'),
      page('logs-and-metrics', 'Logs and metrics'),
      page('arrivals', 'Arrivals'),
      page('tracing', 'OpenTelemetry'),
      page('doctor', 'waymark doctor'),
      page('drill', 'waymark drill'),
    ],
  },
]

function page(name: string, title: string): GuidePage {
  return { href: `/guide/${name}`, title }
}
