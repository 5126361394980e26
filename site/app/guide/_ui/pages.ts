export type GuidePage = { readonly href: string; readonly title: string }

/** Pages that share a heading in the menu. */
export type GuideGroup = { readonly title: string; readonly pages: readonly GuidePage[] }

/** A chapter of the learning path, with a sentence about its contents. */
export type GuideChapter = GuideGroup & { readonly summary: string }

/** The chapters to read in order, from an empty folder to an app in production. */
export const learningPath: readonly GuideChapter[] = [
  {
    title: 'Your first app',
    summary: 'Build a guestbook, run it as on a server, and find your way around its files.',
    pages: [page('ten-minutes', 'Your first app'), page('getting-started', 'Project structure')],
  },
  {
    title: 'Pages and navigation',
    summary: 'Turn files into URLs, share layouts between pages, and move between them.',
    pages: [
      page('routing', 'Routing'),
      page('layouts-and-pages', 'Layouts and pages'),
      page('server-and-client-components', 'Server and client components'),
      page('navigation', 'Navigation'),
      page('prefetching', 'Prefetching'),
      page('typed-routes', 'Typed routes'),
    ],
  },
  {
    title: 'Data',
    summary:
      'Read a database, stream slow parts, and choose when pages are rendered and how long data is cached.',
    pages: [
      page('databases', 'Databases'),
      page('loading-and-streaming', 'Loading and streaming'),
      page('static-and-dynamic', 'Static and dynamic'),
      page('caching', 'Caching'),
      page('search-parameters', 'Search parameters'),
    ],
  },
  {
    title: 'Actions and forms',
    summary: 'Change data from forms, sign people in, and decide who may do what.',
    pages: [
      page('actions', 'Server actions'),
      page('forms', 'Forms'),
      page('actions-in-the-browser', 'Actions in the browser'),
      page('authentication', 'Authentication'),
      page('action-security', 'Security of actions'),
    ],
  },
  {
    title: 'Errors',
    summary: 'Show the right screen with the right status, and find the cause of a failure.',
    pages: [
      page('errors-and-fallbacks', 'Errors and fallbacks'),
      page('errors-and-digests', 'Errors and digests'),
    ],
  },
  {
    title: 'Styles and metadata',
    summary: 'Style your pages, show images and a dark theme, and set titles and link previews.',
    pages: [
      page('assets-and-styles', 'Assets and styles'),
      page('images', 'Images'),
      page('theme', 'Theme'),
      page('metadata', 'Metadata'),
    ],
  },
  {
    title: 'In production',
    summary: 'Configure, test and secure your app, deploy it, and watch it run.',
    pages: [
      page('environment', 'Environment'),
      page('testing', 'Testing'),
      page('security', 'Security'),
      page('deployment', 'Deployment'),
      page('self-hosting', 'Self-hosting'),
      page('deploys', 'Deploys without loss'),
      page('logs-and-metrics', 'Logs and metrics'),
    ],
  },
]

/**
 * Reference pages, which readers look up when needed. The menu shows these pages after the learning
 * path.
 */
export const topicGroups: readonly GuideGroup[] = [
  {
    title: 'Requests',
    pages: [
      page('request', 'The request'),
      page('route-handlers', 'Route handlers'),
      page('proxy', 'proxy.ts'),
      page('server-file', 'server.ts'),
    ],
  },
  {
    title: 'Live and offline',
    pages: [
      page('live-data', 'Live data'),
      page('streams', 'Streams'),
      page('sockets', 'WebSockets'),
      page('offline', 'Offline'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      page('sessions', 'Sessions'),
      page('uploads', 'Uploads'),
      page('scheduled-jobs', 'Scheduled jobs'),
      page('i18n', 'Languages'),
      page('build-variants', 'Build variants'),
      page('mdx', 'MDX'),
      page('browser-only', 'Browser-only components'),
      page('scripts', 'Third-party scripts'),
      page('social-cards', 'Icons and social cards'),
      page('other-packages', 'Other packages'),
      page('server-packages', 'Server packages'),
    ],
  },
  {
    title: 'Development tools',
    pages: [
      page('create-an-app', 'Create an app'),
      page('cli', 'The command line'),
      page('devtools', 'Devtools'),
      page('events', 'Events in development'),
      page('agents', 'Coding agents'),
      page('drill', 'waymark drill'),
      page('contract', 'waymark contract'),
      page('speedups', 'Speedups'),
    ],
  },
  {
    title: 'Where to run an app',
    pages: [
      page('runtimes', 'Hosts'),
      page('docker', 'Docker and Compose'),
      page('coolify', 'Coolify and Dokploy'),
      page('kubernetes', 'Kubernetes'),
      page('systemd', 'systemd, nginx and Caddy'),
      page('fly', 'Fly.io and Railway'),
      page('cloudflare', 'Cloudflare'),
      page('aws-lambda', 'AWS Lambda'),
      page('vercel', 'Vercel'),
      page('any-host', 'Any other host'),
    ],
  },
  {
    title: 'Operations',
    pages: [
      page('support', 'Supported versions'),
      page('several-processes', 'Several processes'),
      page('stores', 'Stores'),
      page('doctor', 'waymark doctor'),
      page('arrivals', 'Arrivals'),
      page('tracing', 'OpenTelemetry'),
      page('replay', 'waymark replay'),
    ],
  },
  {
    title: 'Extend Waymark',
    pages: [
      page('write-a-package', 'Write a package'),
      page('write-an-adapter', 'Write an adapter'),
      page('conformance', 'Test an adapter'),
    ],
  },
  {
    title: 'Other frameworks',
    pages: [
      page('coming-from-the-app-router', 'Coming from the App Router'),
      page('bring-an-app', 'Migrate an App Router app'),
      page('comparison', 'Comparison'),
    ],
  },
]

/** All pages of the guide, in reading order. */
export const guideGroups: readonly GuideGroup[] = [...learningPath, ...topicGroups]

function page(name: string, title: string): GuidePage {
  return { href: `/guide/${name}`, title }
}
