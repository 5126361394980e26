import { posix } from 'node:path'
import { type BuildFacts, nameOf, type RouteFacts } from '../build/buildFacts.ts'
import { moduleName } from '../build/moduleName.ts'
import { anonymous } from '../config/contractConfig.ts'
import { accessOf, isOpen } from '../contract/access.ts'
import type { ContractEntry } from '../contract/contractFile.ts'
import { formatPlace, type Place } from '../contract/finding.ts'
import { listCallers } from '../probe/callers.ts'
import type { Changes } from './changedLines.ts'
import type { Difference } from './compareContracts.ts'

/** The place in the app's code that leads to a difference. */
export type Cause = {
  readonly place: Place
  /** Completes the place to a sentence, such as `imports actions.ts`. */
  readonly note: string | null
}

/** The code of an app. */
export type AppCode = {
  readonly facts: BuildFacts
  readonly changes: Changes
  /** Patterns of the routes for which proxy.ts runs, or ran when the contract was written. */
  readonly proxied: ReadonlySet<string>
  /** Lines that render the client components, by the component's name. */
  readonly components: ReadonlyMap<string, Place>
  /** Returns the lines of a file, by its path relative to the app's root. */
  readonly readLines: (file: string) => readonly string[]
}

/**
 * Finds the line that leads to a difference: an import for an action that became callable, a changed
 * line on the way of the request, or the page itself.
 */
export function findCause(difference: Difference, code: AppCode): Cause | null {
  const { change } = difference
  if (change.kind === 'removed') return null
  if (change.kind === 'access' && difference.entry.kind === 'action' && change.before === null) {
    const cause = findImport(difference.entry.name, change.how, code)
    if (cause) return cause
  }
  if (difference.entry.kind === 'component') {
    const place = code.components.get(difference.entry.name)
    return place ? { place, note: null } : null
  }
  const collision = change.kind === 'added' ? findCollision(change.entry, code) : null
  if (collision) return collision
  const way = filesOnTheWay(difference.entry, code)
  const isAdded = change.kind === 'added'
  const changed = isAdded ? null : findChange(way, code, difference)
  if (changed) return { place: changed, note: null }
  const [file] = way.own
  if (file === undefined) return null
  return { place: { file, line: findLine(code.readLines(file), difference) }, note: null }
}

/** Finds the import through which a page leads to an action. */
function findImport(name: string, how: string, code: AppCode): Cause | null {
  for (const action of code.facts.actions.filter((each) => nameOf(each) === name)) {
    const caller = listCallers(action, code.facts).find(({ name }) => {
      return how === `from ${name}` || how.startsWith(`from ${name}, `)
    })
    if (!caller) continue
    const file = caller.routeFile
    const chain = importChain(file, action.file, code.facts)
    const [, next] = chain
    if (next === undefined) return { place: { file, line: 1 }, note: null }
    const note =
      chain.length === 2
        ? `imports ${action.file}`
        : `leads to ${action.file} through ${chain.slice(1, -1).join(', ')}`
    return { place: { file, line: importLine(code.readLines(file), next) }, note }
  }
  return null
}

/** Returns the shortest chain of imports from a module to another; both are part of it. */
export function importChain(from: string, to: string, { imports }: BuildFacts): string[] {
  // The module through which each module was first reached, breadth first.
  const importers = new Map<string, string | null>([[from, null]])
  // The loop also visits the files that it adds to the map.
  for (const file of importers.keys()) {
    if (file === to) break
    for (const next of imports[file] ?? []) if (!importers.has(next)) importers.set(next, file)
  }
  if (!importers.has(to)) return [from]
  const chain: string[] = []
  for (let file: string | null = to; file !== null; file = importers.get(file) ?? null) {
    chain.unshift(file)
  }
  return chain
}

/** Finds the line that imports a module, by the module's name. */
export function importLine(lines: readonly string[], imported: string): number | null {
  const name = moduleName(imported)
  const at = lines.findIndex((line) => {
    const [, specifier] = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/.exec(line) ?? []
    return specifier !== undefined && moduleName(specifier) === name
  })
  return at === -1 ? null : at + 1
}

type Way = {
  /** The files of the entry itself. */
  readonly own: readonly string[]
  /** Layouts from the inside out, then proxy.ts if it runs for the entry. */
  readonly guards: readonly string[]
}

function filesOnTheWay({ kind, name }: Difference['entry'], { facts, proxied }: AppCode): Way {
  const proxyFor = (patterns: readonly string[]) =>
    facts.proxy !== null && patterns.some((each) => proxied.has(each)) ? [facts.proxy] : []
  const inside = (layouts: RouteFacts['layouts']) => layouts.map(({ file }) => file).reverse()
  if (kind === 'action') {
    const actions = facts.actions.filter((each) => nameOf(each) === name)
    const callers = actions.flatMap((action) => action.routeFiles)
    const pages = facts.routes.filter(({ file }) => callers.includes(file))
    const from = actions.flatMap((action) => listCallers(action, facts))
    const patterns = from.flatMap(({ pages }) => pages.map(({ pattern }) => pattern))
    return {
      own: [...actions.map(({ file }) => file), ...callers],
      guards: [...pages.flatMap(({ layouts }) => inside(layouts)), ...proxyFor(patterns)],
    }
  }
  const route =
    kind === 'preview'
      ? facts.interceptions.find(({ pattern, from }) => name === `${pattern} from ${from}`)
      : facts.routes.find(({ pattern }) => pattern === name)
  if (!route) return { own: [], guards: proxyFor([name]) }
  return { own: [route.file], guards: [...inside(route.layouts), ...proxyFor([route.pattern])] }
}

// Words of code that lets somebody pass or refuses somebody.
const guardWords =
  /forbidden|unauthorized|notFound|redirect|\bnext\(|matcher|require\w*\(|auth|session|cookie|header|role|admin|user|owner|secret|token|return (?:true|false)|public|revalidate|cache|draft/i

/**
 * Finds the changed line that is nearest to an entry. Lines with words of guards come first, and
 * among these the lines of the action or of the handler's method.
 */
function findChange(
  { own, guards }: Way,
  { facts, changes, readLines }: AppCode,
  difference: Difference,
): Place | null {
  const near = new Set([...own, ...guards])
  // The loop also visits the imports that it adds to the set.
  for (const file of near) for (const next of facts.imports[file] ?? []) near.add(next)
  // A layout that was deleted no longer belongs to the facts.
  for (const [file, [first]] of changes) {
    const isLayout = /\/layout\.\w+$/.test(file)
    const folder = posix.dirname(withoutGroups(file))
    const wasAround = own.some((each) => withoutGroups(each).startsWith(`${folder}/`))
    if (first?.line === null && ((isLayout && wasAround) || /^proxy\.\w+$/.test(file)))
      near.add(file)
  }
  const changed = [...near].flatMap((file) =>
    (changes.get(file) ?? []).map(({ line, text }) => ({ file, line, text })),
  )
  const ofGuards = changed.filter(({ text }) => guardWords.test(withoutImports(text)))
  const found =
    ofGuards.find(({ file, line }) => {
      return own.includes(file) && isInFunction(line, readLines(file), difference)
    }) ??
    ofGuards[0] ??
    changed[0]
  return found ? { file: found.file, line: found.line } : null
}

/** True if a line is between the start of an entry's function and the next export. */
function isInFunction(
  line: number | null,
  lines: readonly string[],
  difference: Difference,
): boolean {
  const start = findLine(lines, difference)
  const length = lines.slice(start).findIndex((each) => each.startsWith('export '))
  return line !== null && line >= start && (length === -1 || line <= start + length)
}

// The page may have moved to a different route group.
function withoutGroups(file: string): string {
  return file.replaceAll(/\/\([^/]*\)(?=\/)/g, '')
}

// An import may name a guard that the code no longer calls.
function withoutImports(text: string): string {
  return text.replaceAll(/^[+-]\s*import\b.*$/gm, '')
}

/**
 * Finds a name in proxy.ts that is also the beginning of a new page's URL, so that an exception for
 * `/help` also applies to `/help-desk`.
 */
function findCollision(entry: ContractEntry, { facts, readLines }: AppCode): Cause | null {
  const { name } = entry
  if (facts.proxy === null || !isOpen(accessOf(entry, { persona: anonymous, how: '' }) ?? '')) {
    return null
  }
  for (const [at, line] of readLines(facts.proxy).entries()) {
    for (const [, words = ''] of line.matchAll(/[/|!('"`]\/?([a-z][\w-]+(?:\/[\w-]+)*)/gi)) {
      const path = `/${words}`
      const isBeginning = name.startsWith(path) && !/^(?:\/|$)/.test(name.slice(path.length))
      if (!isBeginning || !facts.routes.some(({ pattern }) => isAtOrBelow(pattern, path))) continue
      return {
        place: { file: facts.proxy, line: at + 1 },
        note: `has \`${path}\`, which is also the beginning of ${name}`,
      }
    }
  }
  return null
}

function isAtOrBelow(pattern: string, path: string): boolean {
  return pattern === path || pattern.startsWith(`${path}/`)
}

/** Finds the line of a file that matters for a difference. Without such a line, the first one. */
function findLine(lines: readonly string[], { entry, change }: Difference): number {
  const firstMatch = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line)) + 1
  const method = change.kind === 'access' ? /^[A-Z]+/.exec(change.how)?.[0] : undefined
  const patterns = [
    change.kind === 'property' && change.key === 'cache'
      ? /revalidate|force-static|cache-control|s-maxage|\bdynamic\b/i
      : null,
    entry.kind === 'action' ? new RegExp(`\\b${escapePattern(entry.name)}\\b`) : null,
    method ? new RegExp(`export .*\\b${method}\\b`) : null,
    /^export default|export (?:async )?(?:function|const) (?:GET|POST|PUT|PATCH|DELETE)\b/,
  ]
  for (const pattern of patterns) {
    const line = pattern === null ? 0 : firstMatch(pattern)
    if (line > 0) return line
  }
  return 1
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Formats a cause for the end of a sentence: `app/help/page.tsx:4 imports actions.ts`. */
export function formatCause({ place, note }: Cause): string {
  return note === null ? formatPlace(place) : `${formatPlace(place)} ${note}`
}
