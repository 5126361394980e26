/**
 * The layers of `packages/waymark/src`, with the folders that each layer may import. A folder may
 * always import from itself. Folders are named after the place where their code runs.
 * ARCHITECTURE.md describes each folder.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  wire: ['shared'],
  http: ['shared', 'wire'],
  builds: ['shared', 'wire', 'http'],
  react: ['shared', 'wire', 'http'],
  routing: ['shared', 'wire', 'http'],
  theme: ['shared'],
  screens: ['shared', 'wire', 'http', 'theme'],
  cache: ['shared'],
  journal: ['shared', 'wire', 'http', 'builds'],
  components: ['shared', 'wire', 'routing', 'theme', 'screens'],
  ssr: ['shared', 'wire', 'http', 'react', 'components'],
  client: ['shared', 'wire', 'http', 'react', 'routing', 'theme', 'screens', 'components'],
  rsc: [
    'shared',
    'wire',
    'http',
    'builds',
    'react',
    'routing',
    'theme',
    'screens',
    'cache',
    'journal',
    'components',
  ],
  script: [],
  host: ['shared', 'wire', 'http', 'builds'],
  node: ['shared', 'wire', 'http', 'builds', 'cache', 'journal'],
  vite: ['shared', 'wire', 'http', 'builds', 'routing', 'theme', 'cache', 'journal', 'node'],
  cli: ['shared', 'wire', 'http', 'builds', 'vite', 'node', 'cache', 'journal'],
}

/**
 * Pairs of folders, each with the importing and the imported folder. Only a file with `'use
 * client'` may have such an import.
 */
export const clientBorders: readonly (readonly [importer: string, imported: string])[] = [
  ['rsc', 'components'],
]

/**
 * The sub-folders of each layer, with the sub-folders that each may import. `.` stands for the
 * layer's own files. A file that combines several sub-folders has its own line, with the file's
 * name.
 */
export const innerLayers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cache: {
    '.': [],
    files: ['.'],
  },
  journal: {
    '.': [],
    files: ['.'],
  },
  client: {
    '.': [
      'actions',
      'assets',
      'document',
      'errors',
      'hooks',
      'navigation',
      'prefetch',
      'react',
      'retry',
    ],
    actions: ['retry', 'document', 'hooks', 'navigation', 'prefetch', 'react'],
    assets: ['retry', 'document'],
    document: [],
    errors: ['document'],
    hooks: [],
    navigation: ['assets', 'retry', 'document', 'errors'],
    prefetch: ['assets', 'document', 'navigation'],
    react: ['navigation'],
    retry: [],
  },
  react: {
    '.': [],
    client: ['.'],
    rsc: ['.'],
    ssr: ['.'],
  },
  node: {
    '.': [],
    static: ['.'],
    'listener.ts': ['static'],
  },
  rsc: {
    '.': [
      'action',
      'errors',
      'metadata',
      'page',
      'pageCache',
      'partial',
      'prerender',
      'proxy',
      'request',
      'security',
    ],
    action: ['errors', 'page', 'request'],
    cache: ['pageCache', 'request'],
    errors: ['page', 'request'],
    metadata: [],
    page: ['errors', 'metadata', 'request', 'security'],
    pageCache: ['request'],
    partial: ['.', 'page', 'pageCache', 'request', 'security'],
    prerender: ['.', 'page', 'pageCache', 'partial', 'request', 'security'],
    proxy: ['page', 'request'],
    request: [],
    security: ['request'],
    'rscEntry.ts': [
      'action',
      'cache',
      'errors',
      'metadata',
      'page',
      'pageCache',
      'partial',
      'prerender',
      'proxy',
      'request',
      'security',
    ],
  },
  vite: {
    '.': ['build', 'config', 'dev', 'internals', 'plugins', 'routes'],
    build: ['config', 'internals', 'prerender', 'routes'],
    config: [],
    internals: ['config'],
    dev: ['config', 'internals', 'routes'],
    plugins: ['config'],
    prerender: ['config'],
    routes: ['config', 'internals'],
    target: ['build', 'config'],
  },
}

/** Pairs of sub-folders that import each other, with the reason. */
export const mutualFolders: Readonly<Record<string, string>> = {
  'rsc: . ↔ partial': 'a shell is rendered with the type of the whole handler app',
  'rsc: . ↔ prerender': 'the build sends requests to the handler, and the handler knows its list',
  'rsc: errors ↔ page':
    'types only: a screen has the theme of its page, and a page names its screens',
}

/**
 * Files outside `vite/internals/` that depend on the internals of Vite or plugin-rsc, with the
 * reason for each.
 */
export const gripExceptions: Readonly<Record<string, string>> = {}

/**
 * Words that exported names of packages must not contain, each with the usual word to use instead.
 * `notFound` is one word.
 */
export const retiredWords: Readonly<Record<string, string>> = {
  ahead: 'prefetch or prerender',
  anew: 'again',
  answer: 'response, handle or respond',
  asked: 'requested',
  course: 'context',
  elsewhere: 'other, outside or redirected',
  found: 'the thing itself, or a match',
  frugal: 'save-data',
  given: 'options, arguments or settings',
  heard: 'notified, or on… for a listener',
  held: 'mounted',
  kept: 'cached, saved, or the thing itself',
  known: 'listed, or the thing itself',
  made: 'created',
  mend: 'refetch or repair',
  nobody: 'anonymous',
  outdate: 'invalidate',
  parts: 'options',
  passage: 'barrier',
  shown: 'rendered, visible or current',
  somebody: 'user or caller',
  soon: 'deferred or scheduled',
  submission: 'idempotent request',
  taken: 'in use, or elapsed',
  told: 'reported',
  trouble: 'degraded mode',
  turn: 'lock or order',
}

/** Exported names that may contain a retired word, with the reason for each. */
export const retiredNames: Readonly<Record<string, string>> = {
  Answers: 'answers to the questions of a terminal',
  heldLocks: 'the term of the Web Locks API',
  HrefParts: 'the parts of which an href is built',
  proveAnswer: 'the answer to a question of the doctor',
}

/** Root of the framework's sources. */
export const coreRoot = 'packages/waymark/src/'

/** React's renderers. They call the functions in their options without catching errors. */
export const reactRenderers: readonly string[] = [
  'renderToPipeableStream',
  'renderToReadableStream',
  'prerenderToNodeStream',
  'resumeToPipeableStream',
  'resumeAndPrerenderToNodeStream',
]

/**
 * Folders whose callbacks must not throw. An error in such a callback would end the process with
 * all its requests.
 */
export const totalFolders: readonly string[] = ['react', 'rsc', 'ssr', 'node', 'shared']

/**
 * Callbacks that can't throw although they are not wrapped. Each has its file (relative to the
 * core's root), its name and the reason.
 */
export const totalCallbacks: readonly (readonly [file: string, name: string, why: string])[] = []
