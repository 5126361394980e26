import { actionHeader, navigationFromHeader, pagePathnameOf } from 'waymark/plugin/node'
import { type BuildFacts, nameOf } from '../build/buildFacts.ts'
import type { ContractConfig } from '../config/contractConfig.ts'
import { type EntryKind, titleOf } from '../contract/contractFile.ts'
import { createFindSamples } from '../probe/samples.ts'
import type { Probe } from '../probe/sender.ts'

/** The part of the app that has sent a response. */
export type RespondingEntry = {
  readonly kind: EntryKind
  readonly name: string
  /** Files whose code may have sent a value, the most likely one first. */
  readonly files: readonly string[]
}

/** Returns a function that finds the part of the app that responds to a request. */
export function createEntryOf(facts: BuildFacts, config: ContractConfig) {
  const findSamples = createFindSamples(config)
  const byPathname = new Map(
    facts.routes.flatMap((route) =>
      findSamples(route).map(({ path }) => [pathnameOf(path), route] as const),
    ),
  )
  const methods = Object.entries(config.handlers ?? {})

  return ({ path, method = 'GET', headers = {} }: Probe): RespondingEntry => {
    const action = facts.actions.find(({ id }) => id === headers[actionHeader])
    if (action) {
      return { kind: 'action', name: nameOf(action), files: [action.file, ...action.routeFiles] }
    }
    const pathname = pagePathname(path)
    const configured = methods.find(([name, request]) => {
      return name.startsWith(`${method} `) && request.path !== undefined && request.path === path
    })
    const pattern = configured?.[0].slice(method.length + 1)
    const route =
      byPathname.get(pathname) ?? facts.routes.find((each) => each.pattern === (pattern ?? path))
    const from = headers[navigationFromHeader]
    const preview = facts.interceptions.find((each) => {
      return from !== undefined && each.pattern === route?.pattern && isBelow(from, each.from)
    })
    if (preview) {
      const name = `${preview.pattern} from ${preview.from}`
      return { kind: 'preview', name, files: filesOf(preview) }
    }
    if (!route) return { kind: 'file', name: pathname, files: [] }
    return {
      kind: route.kind === 'page' ? 'page' : 'handler',
      name: route.pattern,
      files: filesOf(route),
    }
  }
}

/** Names a part of the app in a sentence: `page /users`. */
export function nameEntry({ kind, name }: RespondingEntry): string {
  return titleOf({ kind, name })
}

function filesOf({
  file,
  layouts,
}: BuildFacts['interceptions'][number] | BuildFacts['routes'][number]) {
  return [file, ...layouts.map((layout) => layout.file).reverse()]
}

function isBelow(pathname: string, pattern: string): boolean {
  const start = pattern.split('[')[0]?.replace(/\/$/, '') ?? ''
  return pathname === start || pathname.startsWith(`${start}/`)
}

function pathnameOf(path: string): string {
  return new URL(path, 'http://localhost').pathname
}

/** Returns the path of the page for a URL of page data. */
function pagePathname(path: string): string {
  const pathname = pathnameOf(path)
  return pagePathnameOf(pathname) ?? pathname
}
