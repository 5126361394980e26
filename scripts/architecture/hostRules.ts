import { parseSync } from 'vite'
import { hostReaders } from './hostReaders.ts'
import { isTestFile } from './importRules.ts'
import type { Source } from './source.ts'
import { type Node, walk } from './syntaxTree.ts'

/** Folders with code that handles requests, in a server or a service worker. */
const folders = [
  'packages/waymark/src/rsc/',
  'packages/waymark/src/node/',
  'packages/waymark/src/shared/',
  'packages/waymark/src/http/',
  'packages/waymark/src/ssr/',
  'packages/waymark/src/cache/',
  'packages/waymark/src/journal/',
  'packages/waymark/src/cli/',
  'packages/waymark/src/vite/dev/',
  'packages/next/src/',
  'packages/image/src/',
  'packages/live/src/server/',
  'packages/live/src/socket/',
  'packages/live/src/stream/',
  'packages/offline/src/server/',
  'packages/offline/src/worker/',
  'packages/cloudflare/src/',
  'packages/devtools/src/',
  'packages/arrivals/src/server/',
  'packages/operations/src/',
]

/** Exceptions among these folders. Their code runs in pages or in a build, not for requests. */
const outside = ['packages/devtools/src/panel/', 'packages/next/src/move/']

const hostNames = new Set(['origin', 'host', 'hostname'])

/** Headers that contain a host. */
const hostHeaders = new Set(['host', 'origin', 'referer', 'x-forwarded-host', 'forwarded'])

/** Functions of the core that return a host. */
const hostFunctions = new Set(['hostOf', 'readOrigin'])

/**
 * Finds files that read the host or origin of a request and that are not in the list of
 * hostReaders.ts.
 * @param listed known files, with the decision that depends on the host
 */
export function hostViolations(
  sources: readonly Source[],
  listed: Readonly<Record<string, string>> = hostReaders,
): string[] {
  const readers = sources.filter(isHandling).filter(readsHost)
  const open = readers
    .filter(({ path }) => !Object.hasOwn(listed, path))
    .map(
      ({ path }) =>
        `${path}: what may the host that it reads change? List it in hostReaders.ts with the answer.`,
    )
  const paths = new Set(readers.map(({ path }) => path))
  const unused = Object.keys(listed).filter((path) => !paths.has(path))
  return [...open, ...unused.map((path) => `${path} reads no host. Remove it from the list.`)]
}

function isHandling({ path }: Source): boolean {
  if (isTestFile(path) || outside.some((folder) => path.startsWith(folder))) return false
  return folders.some((folder) => path.startsWith(folder))
}

function readsHost({ path, text }: Source): boolean {
  if (!/\.tsx?$/.test(path)) return false
  let isReader = false
  walk(parseSync(path, text).program as unknown as Node, (node) => {
    isReader ||= isHostReader(node)
  })
  return isReader
}

/**
 * True for code that reads a host: `request.origin`, `{ origin }` in a pattern, `request.url`,
 * `'host'`, and `hostOf()`.
 */
function isHostReader(node: Node): boolean {
  switch (node.type) {
    case 'MemberExpression': {
      const name = nameOf(node.property)
      if (name === 'url')
        return /^(?:req|request|asked|other|received|web)$/.test(nameOf(node.object))
      return hostNames.has(name)
    }
    case 'ObjectPattern':
      return (node.properties as Node[]).some((each) => hostNames.has(nameOf(each.key)))
    case 'Literal':
      return hostHeaders.has(String(node.value))
    case 'CallExpression':
      return hostFunctions.has(nameOf(node.callee))
    default:
      return false
  }
}

function nameOf(node: unknown): string {
  const { name } = (node ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : ''
}
