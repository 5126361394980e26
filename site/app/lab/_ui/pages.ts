/** An experiment of the lab. */
export type Experiment = {
  readonly href: string
  readonly title: string
  /** What can be tried there, in one line. */
  readonly says: string
}

/** Some experiments under a heading of their own. */
export type LabGroup = { readonly title: string; readonly pages: readonly Experiment[] }

/** The lab's experiments, by what they are about. */
export const labGroups: readonly LabGroup[] = [
  {
    title: 'Rendering',
    pages: [
      experiment('streaming', 'Streaming', 'Three parts of a page, each as late as you say.'),
      experiment('loading', 'Loading files', 'A screen for while a page waits.'),
      experiment('static', 'Static and dynamic', 'When a page was rendered, and how it is cached.'),
      experiment('partial', 'Static in part', 'A shell at once, holes for each visitor.'),
      experiment('caching', 'Caching', 'A page and a function, ended by time and by tag.'),
      experiment('client', 'Client components', 'Context, refs, a promise as a prop, a package.'),
    ],
  },
  {
    title: 'Routing',
    pages: [
      experiment('layouts', 'Nested layouts', 'Their counts and fields outlive the pages in them.'),
      experiment('templates', 'Templates', 'Like layouts, and mounted again each time.'),
      experiment('groups', 'Route groups', 'Layouts for some routes, with nothing in the URL.'),
      experiment('params', 'Params', 'Umlauts, spaces, percent signs: any text, there and back.'),
      experiment('slots', 'Parallel slots', 'Three places on one page, each with its own route.'),
      experiment('photos', 'Interception', 'A picture over the page it was opened from.'),
    ],
  },
  {
    title: 'Answers',
    pages: [
      experiment('fallbacks', 'Fallback screens', '401, 403 and 404, with their true status.'),
      experiment('errors', 'Errors', 'Break a page, a layout, a part, or a client component.'),
      experiment('faults', 'Faults on the way', 'Hang, cut, break or replace what comes.'),
      experiment('arrivals', 'Arrivals', 'How each load of this tab ended, and how fast.'),
      experiment('redirects', 'Redirects', '303, 307 and 308, and one that comes too late.'),
    ],
  },
  {
    title: 'Server',
    pages: [
      experiment('actions', 'Server actions', 'Forms that call the server, and their faults.'),
      experiment('handlers', 'Route handlers', 'Any method; streams down and up.'),
      experiment('request', 'Headers, cookies, after', 'What the server knows of your request.'),
      experiment('live', 'Live data', 'What one visitor changes, another one sees.'),
      experiment('offline', 'Offline', 'Pages that were seen open without a network; forms wait.'),
      experiment('proxy', 'proxy.ts', 'A guarded page, an answered URL, another name.'),
    ],
  },
  {
    title: 'Document',
    pages: [
      experiment('styles', 'Style sheets', 'Global, CSS modules, Sass; each on its own page only.'),
      experiment('images', 'Images and fonts', 'Hashed, inlined, or under their own name.'),
      experiment('pictures', 'Pictures', 'The size that fits; the first, the lazy, the dark one.'),
      experiment('scripts', 'Third-party scripts', 'Loaded when they should be; nothing waits.'),
      experiment('metadata', 'Metadata', 'Titles and tags that follow the URL.'),
      experiment('cards', 'Social cards', 'Drawn from JSX; and one that fails.'),
      experiment('theme', 'Theme', 'Storage, system and result, live; scopes and forced themes.'),
    ],
  },
]

function experiment(name: string, title: string, says: string): Experiment {
  return { href: `/lab/${name}`, title, says }
}
