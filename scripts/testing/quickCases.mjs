/**
 * End-to-end tests for `npm test -- quick`: at least one for each part of the framework. They come
 * from specs that share a built app, if possible. The number of tests does not matter, but their
 * duration does.
 */

/**
 * @typedef {object} QuickCase
 * @property {string} spec the file `e2e/<spec>.test.ts`
 * @property {readonly string[]} title the titles of its suites and of the test, from the outside in
 */

/**
 * @param {string} spec
 * @param {readonly string[]} suites
 * @param {readonly string[]} tests
 * @returns {QuickCase[]}
 */
function casesOf(spec, suites, tests) {
  return tests.map((test) => ({ spec, title: [...suites, test] }))
}

/** @type {readonly QuickCase[]} */
export const quickCases = [
  // Documents, streaming, an action with and without scripts, guards, and a static page with a hole.
  ...casesOf(
    'core',
    ['an app without packages, production'],
    [
      'sends a document with its content, and hydrates it',
      'navigates without losing the state of its layout',
      'runs an action that closes over a value, with and without a script',
      'runs a form once if it is sent twice without a script',
      'sends nothing below a layout that refuses with use()',
      'streams late parts',
      'answers a failure with its screen and status',
      'fills the hole of a partial page',
    ],
  ),
  ...casesOf(
    'core',
    ['an app without packages, dev'],
    ['sends a document with its content, and hydrates it'],
  ),

  // Requests: page data, route handlers, proxy.ts, server.ts.
  ...casesOf(
    'requests',
    ['requests, production', 'request scope'],
    ['headers() and cookies() belong to the request, in document and data'],
  ),
  ...casesOf(
    'routeHandlers',
    ['route handlers, production'],
    [
      'handle every method, with its body',
      'send 500 without details for a value that is not a Response',
    ],
  ),
  ...casesOf(
    'proxy',
    ['proxy.ts, production'],
    [
      'redirects page data to page data',
      'rewrites: another page is served, and the URL stays',
      'sets headers, request headers and cookies for the route',
    ],
  ),
  ...casesOf(
    'serverFile',
    ['server.ts, production'],
    [
      'wraps documents, their data and navigations in its own context',
      'answers in place of the app',
    ],
  ),
  ...casesOf('health', [], ['readiness ends before draining, and running requests complete']),

  // In the browser: navigation, prefetching, forms, theme, scripts.
  ...casesOf(
    'navigation',
    ['links, production'],
    [
      'lead to their page within the document, as strings and as parts',
      'clicked ten times, the last click wins and the others are abandoned',
    ],
  ),
  ...casesOf(
    'navigation',
    ['the router, production'],
    ['follows redirects and shows fallbacks within the document'],
  ),
  ...casesOf(
    'navigation',
    ['forms, production'],
    ['Form leads to its page with its fields and the button'],
  ),
  ...casesOf(
    'prefetch',
    ['prefetching, production'],
    ['a prefetched static page is shown without a request'],
  ),
  ...casesOf(
    'theme',
    ['the pre-paint script, production'],
    ['is under 500 bytes as served, and the same on every page and screen'],
  ),
  ...casesOf('theme', ['a preference, production'], ['is the value of useTheme, and is stored']),
  ...casesOf('scripts', ['<Script>, production'], ['runs each at its time, and reports failures']),

  // Actions.
  ...casesOf(
    'actions',
    ['server actions, production'],
    [
      'a call returns its result',
      'a failure reaches the browser as a digest',
      'a form without a script runs its action',
      'a form of another site runs nothing, even if its origin is hidden',
      'a layout that refuses stops the actions below it',
      'a repeat with the same idempotency key runs once, and gets the first response',
    ],
  ),

  // Screens and statuses, digests and the journal.
  ...casesOf(
    'trueStatus',
    ['true statuses, production'],
    [
      'route handlers',
      'the screen is there without JavaScript',
      'a navigation shows the screen without leaving the document',
    ],
  ),
  ...casesOf(
    'screens',
    ['files for screens, production'],
    [
      'nest, and replace the built-in ones for their segment',
      'an error file has a digest, recovers by retry, and is cleared by a navigation',
    ],
  ),

  // Pages that are rendered before they are requested, and cached functions.
  ...casesOf(
    'partial',
    ['a partial page, production'],
    [
      'sends its shell while a hole still waits',
      'hydrates its shell before the hole arrives, and then the hole',
    ],
  ),
  ...casesOf('cache', ['cached functions, production'], ['are refreshed or recomputed by a tag']),
  ...casesOf(
    'revalidation',
    ['revalidation, production', 'on demand'],
    ['a path: the next request gets the new page'],
  ),
  ...casesOf(
    'revalidation',
    ['revalidation, production', 'headers for caches'],
    ['304 while the page is unchanged'],
  ),

  // Packages other than the core.
  ...casesOf(
    'live',
    ['live pages, production'],
    ['a change appears for everybody who has the page open'],
  ),
  ...casesOf(
    'offline',
    ['without a network'],
    ['a visited page opens by click, reload, Back, deep link, and in a new tab'],
  ),
  ...casesOf(
    'outbox',
    ['a queued form, production'],
    ['waits without a server, and is sent once when it is back'],
  ),
  ...casesOf(
    'sessionPackage',
    ['sessions, production'],
    ['a device ends another one, and a copied cookie is useless afterwards'],
  ),
  ...casesOf(
    'schedule',
    ['scheduled jobs, production'],
    ['run once in a server, and errors are logged with their digest'],
  ),

  // The dev server.
  ...casesOf(
    'dev',
    ['the dev server with an open page, dev'],
    ['shows a changed server component, and preserves client state', 'shows changed styles'],
  ),
  ...casesOf(
    'dev',
    ['the overlay of the dev server, dev'],
    ['shows where a page throws, and closes when the error is fixed'],
  ),

  // The command line, a build, a new app, and a host that is not a server.
  ...casesOf('cli', ['the command line'], ['prints the versions of all packages for a bug report']),
  ...casesOf(
    'cli',
    ['a build'],
    [
      'prints each step, and for each route how it is rendered, why, and its sizes',
      'is self-contained: the server imports nothing but Node',
      'keeps secrets out of the client files',
    ],
  ),
  ...casesOf('create', ["the template 'minimal'"], ['runs in development']),
  ...casesOf(
    'lambda',
    [],
    [
      'a static page and its data come from the build',
      'a form runs its action, sets a cookie, and does work after the response ends',
    ],
  ),

  // Security headers.
  ...casesOf(
    'contentPolicy',
    ['a Content-Security-Policy, production'],
    ['navigations work, with the styles of the next page'],
  ),
  ...casesOf(
    'contentPolicy',
    ['a Content-Security-Policy, from page to page, production'],
    ['every response has the default headers'],
  ),
]

/** Paths of the spec files, relative to the repository's root. */
export const quickSpecs = [...new Set(quickCases.map(({ spec }) => `e2e/${spec}.test.ts`))]

/** Pattern for Vitest's `-t` that matches exactly the full names of the cases. */
export const quickPattern = `^(?:${quickCases.map(({ title }) => escapePattern(title.join(' '))).join('|')})$`

/**
 * Escapes a text for use in a regular expression that matches the text literally.
 * @param {string} text
 */
export function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * Lists cases that were selected but did not run. Vitest itself doesn't report a name in `-t` that
 * matches no test.
 * @param {string} json output of Vitest's JSON reporter
 * @returns {string[]} `<spec>: <full name>` for each case that neither passed nor failed
 */
export function casesNotRun(json) {
  const ran = JSON.parse(json).testResults.flatMap(testsRun)
  return quickCases
    .map(({ spec, title }) => `${spec}: ${title.join(' ')}`)
    .filter((name) => !ran.includes(name))
}

/**
 * @param {{ name: string, assertionResults: readonly { status: string, fullName: string }[] }} file
 */
function testsRun({ name, assertionResults }) {
  const spec = name.replace(/^.*[/\\]|\.test\.ts$/g, '')
  return assertionResults
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName }) => `${spec}: ${fullName}`)
}
