import { posix } from 'node:path'
import { type BuildFacts, nameOf } from '../build/buildFacts.ts'
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
  const way = filesOnTheWay(difference.entry, code.facts)
  const isAdded = change.kind === 'added'
  const changed = isAdded ? null : findChange(way, code)
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
  const before = new Map<string, string | null>([[from, null]])
  // The loop also visits the files that it adds to the map.
  for (const file of before.keys()) {
    if (file === to) break
    for (const next of imports[file] ?? []) if (!before.has(next)) before.set(next, file)
  }
  if (!before.has(to)) return [from]
  const chain: string[] = []
  for (let file: string | null = to; file !== null; file = before.get(file) ?? null) {
    chain.unshift(file)
  }
  return chain
}

/** Finds the line that imports a module, by the module's base name. */
export function importLine(lines: readonly string[], imported: string): number | null {
  const base = posix.basename(imported).replace(/\.\w+$/, '')
  const name = base === 'index' ? posix.basename(posix.dirname(imported)) : base
  const at = lines.findIndex((line) => {
    const [, specifier] = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/.exec(line) ?? []
    return specifier !== undefined && posix.basename(specifier).replace(/\.\w+$/, '') === name
  })
  return at === -1 ? null : at + 1
}

type Way = {
  /** The files of the entry itself. */
  readonly own: readonly string[]
  /** Layouts from the inside out, then proxy.ts. */
  readonly guards: readonly string[]
}

function filesOnTheWay({ kind, name }: Difference['entry'], facts: BuildFacts): Way {
  const proxy = facts.proxy === null ? [] : [facts.proxy]
  const around = (layouts: readonly { readonly file: string }[]) => [
    ...layouts.map(({ file }) => file).reverse(),
    ...proxy,
  ]
  if (kind === 'action') {
    const actions = facts.actions.filter((each) => nameOf(each) === name)
    const callers = actions.flatMap((action) => action.routeFiles)
    const layouts = facts.routes
      .filter(({ file }) => callers.includes(file))
      .flatMap((route) => route.layouts)
    return { own: [...actions.map(({ file }) => file), ...callers], guards: around(layouts) }
  }
  const route =
    kind === 'preview'
      ? facts.interceptions.find(({ pattern, from }) => name === `${pattern} from ${from}`)
      : facts.routes.find(({ pattern }) => pattern === name)
  return route ? { own: [route.file], guards: around(route.layouts) } : { own: [], guards: proxy }
}

// Words of code that lets somebody pass or refuses somebody.
const guardWords =
  /forbidden|unauthorized|notFound|redirect|\bnext\(|matcher|require\w*\(|auth|session|cookie|header|role|admin|user|owner|secret|token|return (?:true|false)|public|revalidate|cache|draft/i

/** Finds the changed line that is nearest to an entry. Lines with words of guards come first. */
function findChange({ own, guards }: Way, { facts, changes }: AppCode): Place | null {
  const near = new Set([...own, ...guards])
  // The loop also visits the imports that it adds to the set.
  for (const file of near) for (const next of facts.imports[file] ?? []) near.add(next)
  // A layout that was deleted no longer belongs to the facts.
  const deleted = [...changes.keys()].filter((file) => /(?:^|\/)(?:layout|proxy)\.\w+$/.test(file))
  for (const file of deleted) if (changes.get(file)?.[0]?.line === null) near.add(file)
  const changed = [...near].flatMap((file) =>
    (changes.get(file) ?? []).map(({ line, text }) => ({ file, line, text })),
  )
  const found = changed.find(({ text }) => guardWords.test(withoutImports(text))) ?? changed[0]
  return found ? { file: found.file, line: found.line } : null
}

// An import may name a guard that the code no longer calls.
function withoutImports(text: string): string {
  return text.replaceAll(/^[+-]\s*import\b.*$/gm, '')
}

/**
 * Finds a name in proxy.ts that is also the beginning of a new page's URL, so that an exception for
 * `/help` also applies to `/help-desk`.
 */
function findCollision({ name }: ContractEntry, { facts, readLines }: AppCode): Cause | null {
  const [, segment = ''] = name.split('/')
  if (facts.proxy === null || segment === '') return null
  const lines = readLines(facts.proxy)
  for (const [at, line] of lines.entries()) {
    for (const [, word = ''] of line.matchAll(/[/|!('"`]([a-z][\w-]+)/gi)) {
      if (segment === word || !segment.startsWith(word) || word.length < 3) continue
      const isName = facts.routes.some(({ pattern }) => pattern.split('/')[1] === word)
      if (!isName) continue
      return {
        place: { file: facts.proxy, line: at + 1 },
        note: `has \`${word}\`, which is also the beginning of ${name}`,
      }
    }
  }
  return null
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
