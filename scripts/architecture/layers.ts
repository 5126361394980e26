/**
 * The layers of `packages/waymark/src`: which folder may import which. A folder may always import
 * itself. Folders are named after where their code runs; ARCHITECTURE.md says what each holds.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  routing: ['shared'],
  theme: ['shared'],
  screens: ['shared', 'theme'],
  redis: ['shared'],
  cache: ['shared', 'redis'],
  journal: ['shared', 'redis'],
  components: ['shared', 'routing', 'theme', 'screens'],
  ssr: ['shared', 'components'],
  client: ['shared', 'routing', 'theme', 'screens', 'components'],
  rsc: ['shared', 'routing', 'theme', 'screens', 'cache', 'journal', 'components'],
  node: ['shared'],
  workerd: ['shared'],
  vite: ['shared', 'routing', 'theme', 'redis', 'cache', 'journal', 'node'],
  cli: ['shared', 'vite', 'node', 'redis', 'cache', 'journal'],
}

/** Imports that are allowed for files with `'use client'` only: the importer, then the imported folder. */
export const clientBorders: readonly (readonly [importer: string, imported: string])[] = [
  ['rsc', 'components'],
]

/** Limits that keep files and functions readable. */
export const limits = { fileLines: 300, functionLines: 60, architecturePageLines: 150 }

/** Root of the framework's sources. */
export const coreRoot = 'packages/waymark/src/'

/** React's renderers, whose options hold functions that it calls where nothing catches. */
export const reactRenderers: readonly string[] = [
  'renderToPipeableStream',
  'renderToReadableStream',
  'prerenderToNodeStream',
  'resumeToPipeableStream',
  'resumeAndPrerenderToNodeStream',
]

/** Folders whose callbacks may not throw: what one does ends the process of all requests. */
export const totalFolders: readonly string[] = ['rsc', 'ssr', 'node', 'shared']

/** Callbacks that are not wrapped and can't throw: the file, from the core's root, the name, why. */
export const totalCallbacks: readonly (readonly [file: string, name: string, why: string])[] = [
  ['rsc/action/order.ts', 'abort of signal.addEventListener', 'it removes itself, and rejects'],
]
