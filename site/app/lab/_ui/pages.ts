/** An experiment of the lab. */
export type Experiment = {
  readonly href: string
  readonly title: string
  /** One line on the behaviour to try. */
  readonly says: string
}

/** Experiments that share a heading. */
export type LabGroup = { readonly title: string; readonly pages: readonly Experiment[] }

/** The experiments of the lab, grouped by topic. */
export const labGroups: readonly LabGroup[] = [
  {
    title: 'Rendering',
    pages: [
      experiment(
        'streaming',
        'Streaming',
        'Three parts of a page, each with a delay that you choose.',
      ),
      experiment('loading', 'Loading files', 'A screen that shows while a page loads.'),
      experiment(
        'static',
        'Static and dynamic',
        'When the server rendered a page, and how it’s cached.',
      ),
      experiment(
        'partial',
        'Partial prerendering',
        'A shell at once, then the part that differs for each visitor.',
      ),
      experiment(
        'caching',
        'Caching',
        'A cached page and a cached component, refreshed by time or by tag.',
      ),
      experiment(
        'client',
        'Client components',
        'Context, refs, a promise as a prop, and a package.',
      ),
    ],
  },
  {
    title: 'Routing',
    pages: [
      experiment(
        'layouts',
        'Nested layouts',
        'They keep their state while the pages in them change.',
      ),
      experiment('templates', 'Templates', 'Like layouts, but mounted again for each page.'),
      experiment(
        'groups',
        'Route groups',
        'A layout that some routes share, without adding to their URLs.',
      ),
      experiment('params', 'Params', 'Umlauts, spaces, percent signs: any text works in a URL.'),
      experiment('slots', 'Parallel slots', 'Three parts of a page, each with its own route.'),
      experiment('photos', 'Interception', 'A picture over the page that links to it.'),
    ],
  },
  {
    title: 'Responses',
    pages: [
      experiment('fallbacks', 'Fallback screens', '401, 403 and 404, with the right status.'),
      experiment('errors', 'Errors', 'Break a page, a layout or a client component.'),
      experiment('faults', 'Network faults', 'Make responses hang, break off or arrive damaged.'),
      experiment(
        'arrivals',
        'Arrivals',
        'How each page load in this tab ended, and how long it took.',
      ),
      experiment('redirects', 'Redirects', '303, 307 and 308, and one that comes late.'),
    ],
  },
  {
    title: 'Server',
    pages: [
      experiment('actions', 'Server actions', 'Forms that call the server, even on a bad network.'),
      experiment('handlers', 'Route handlers', 'All methods, and streams in both directions.'),
      experiment('request', 'Headers, cookies, after', 'Your request, as the server sees it.'),
      experiment('live', 'Live data', 'One visitor makes a change, and another sees it.'),
      experiment('offline', 'Offline', 'Visited pages open without a network, and forms wait.'),
      experiment('proxy', 'proxy.ts', 'A guarded page, a response without a route, a rewrite.'),
    ],
  },
  {
    title: 'Document',
    pages: [
      experiment('styles', 'Style sheets', 'Global CSS, CSS modules and Sass.'),
      experiment('images', 'Images and fonts', 'Hashed, inlined, or with a fixed name.'),
      experiment('pictures', 'Pictures', 'The right size, loaded at the right time.'),
      experiment(
        'scripts',
        'Third-party scripts',
        'Loaded when you say so, without blocking the page.',
      ),
      experiment('metadata', 'Metadata', 'A title and tags that change with the URL.'),
      experiment('cards', 'Social cards', 'Drawn from JSX, and one that fails.'),
      experiment('theme', 'Theme', 'Preferred, system and resolved theme, and forced themes.'),
    ],
  },
]

function experiment(name: string, title: string, says: string): Experiment {
  return { href: `/lab/${name}`, title, says }
}
