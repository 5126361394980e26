import { accessOf, howsOf, isOpen, notTried, parseAccessKey } from '../contract/access.ts'
import {
  type Contract,
  type ContractEntry,
  type EntryKind,
  entryKinds,
  titleOf,
} from '../contract/contractFile.ts'

/** A persona's response to one request. */
export type Outcome = {
  readonly persona: string
  /** As in contract.txt: `200`, `307 to /enter`, `may call`. */
  readonly gets: string
  /** True for content, an admitted call, a socket, or draft mode. False for refusals and redirects. */
  readonly isAdmitted: boolean
}

export type RequestOutcomes = {
  /** Such as `document`, `data`, `PUT`, `from /help`. */
  readonly request: string
  readonly outcomes: readonly Outcome[]
}

/** A part of the app, and who can reach it. */
export type DescribedEntry = {
  readonly kind: EntryKind
  readonly name: string
  /** Personas that are admitted by at least one of the requests. */
  readonly reachedBy: readonly string[]
  readonly access: readonly RequestOutcomes[]
  /** All other properties, such as `cache`, `layouts` and `forged call`. */
  readonly properties: Readonly<Record<string, string>>
}

/** The part of a contract that is about one page. */
export type ContractPart = {
  /** `null` if the contract doesn't have the page. */
  readonly page: DescribedEntry | null
  /** Views that a navigation shows instead of the page. */
  readonly previews: readonly DescribedEntry[]
  /** The loading, error and other screens that can replace the page. */
  readonly screens: readonly DescribedEntry[]
  /** Actions that can be called from the page, without the requests from other pages. */
  readonly actions: readonly DescribedEntry[]
  /** Reasons why something about the page wasn't tried, by its title. */
  readonly notProven: Readonly<Record<string, string>>
}

/**
 * Finds the part of a contract that is about a page. Leaves out handlers and endpoints, because any
 * page can send requests to them.
 * @param pattern such as `/board/[id]`
 */
export function contractOfPage(contract: Contract, pattern: string): ContractPart {
  const [page] = contract.entries.filter(({ kind, name }) => kind === 'page' && name === pattern)
  return {
    page: page ? describeEntry(page, contract) : null,
    previews: contract.entries
      .filter((entry) => entry.kind === 'preview' && entry.name.startsWith(`${pattern} from `))
      .map((entry) => describeEntry(entry, contract)),
    screens: screensOf(contract, pattern).map((entry) => describeEntry(entry, contract)),
    actions: contract.entries
      .filter(({ kind }) => kind === 'action')
      .map((entry) => describeEntry(entry, contract, (how) => isCallFrom(how, pattern, entry)))
      .filter(({ access }) => access.length > 0),
    notProven: unprovenOf(contract, (title) => {
      return isGeneral(title) || isAbout(title, pattern) || isCallFrom(originOf(title), pattern)
    }),
  }
}

/** Finds the nearest screen of each role, such as `error /board` for the page `/board/[id]`. */
function screensOf({ entries }: Contract, pattern: string): ContractEntry[] {
  const nearest = new Map<string, { readonly entry: ContractEntry; readonly above: string }>()
  for (const entry of entries) {
    const [, role, above] = /^(\S+) (\/\S*)/.exec(entry.kind === 'screen' ? entry.name : '') ?? []
    if (role === undefined || above === undefined || !isBelow(pattern, above)) continue
    const other = nearest.get(role)
    if (!other || above.length > other.above.length) nearest.set(role, { entry, above })
  }
  return [...nearest.values()].map(({ entry }) => entry)
}

function isBelow(pattern: string, above: string): boolean {
  return above === '/' || pattern === above || pattern.startsWith(`${above}/`)
}

/** True if an action's request can come from a page: `from /board`, `from any page below /board`. */
function isCallFrom(how: string, pattern: string, entry: ContractEntry | null = null): boolean {
  const [, below] = /^from any page below (.*)$/.exec(how) ?? []
  if (below !== undefined) return isBelow(pattern, below)
  // The pages of a layout in a route group are a property of the action.
  const pages = entry?.properties[how.replace(/^from /, '')]
  return (
    how === 'from any page' ||
    how === `from ${pattern}` ||
    how.startsWith(`from ${pattern}, `) ||
    pages?.split(', ').includes(pattern) === true ||
    how.startsWith(`from preview ${pattern} from `)
  )
}

export type Reach = {
  readonly personas: readonly string[]
  readonly entries: readonly DescribedEntry[]
  /** Reasons why something about these entries wasn't tried, by its title. */
  readonly notProven: Readonly<Record<string, string>>
  /** Similar titles if the contract doesn't have the part, otherwise `null`. */
  readonly closeNames: readonly string[] | null
}

/**
 * Finds out who can reach a part of the app.
 * @param what a path, a pattern, `PUT /api/orders`, the name of an action or component, or an
 * entry's title in contract.txt
 * @param alternatives patterns or titles to use if the contract doesn't have `what`, such as the
 * pattern of the route that a path leads to
 */
export function whoCanReach(
  contract: Contract,
  what: string,
  alternatives: readonly string[],
): Reach {
  const question = parseQuestion(what)
  const isKnown = contract.entries.some((entry) => isNamed(entry, question.name))
  const { method } = question
  const questions =
    isKnown || alternatives.length === 0
      ? [question]
      : alternatives.map((each) => ({ ...question, ...parseQuestion(each), method }))
  const found = questions.map((each) => findEntries(contract, each))
  const entries = found.flat()
  const names = [...questions, ...entries].map(({ name }) => name)
  const notProven = unprovenOf(contract, (title) => names.some((name) => isAbout(title, name)))
  const isFound = entries.length > 0 || Object.keys(notProven).length > 0
  return {
    personas: contract.personas,
    entries,
    notProven: isFound ? { ...unprovenOf(contract, isGeneral), ...notProven } : {},
    closeNames: isFound ? null : closeNames(contract, question.name),
  }
}

function findEntries(contract: Contract, { kind, method, name }: Question): DescribedEntry[] {
  const isOfMethod = (how: string) => method === null || how.split(', ')[0] === method
  const found = contract.entries
    .filter((entry) => isNamed(entry, name) && (kind === null || entry.kind === kind))
    .map((entry) => describeEntry(entry, contract, entry.kind === 'handler' ? isOfMethod : all))
  const isPage = kind === null && found.some((entry) => entry.kind === 'page')
  return isPage ? [...found, ...contractOfPage(contract, name).actions] : found
}

const all = () => true

type Question = {
  readonly kind: EntryKind | null
  /** Method of a handler's request. */
  readonly method: string | null
  readonly name: string
}

function parseQuestion(what: string): Question {
  const text = what.trim()
  const kind = entryKinds.find((each) => text.startsWith(`${each} `)) ?? null
  const rest = kind === null ? text : text.slice(kind.length + 1)
  const [, method = null, path] = /^([A-Z]+) (\/.*)$/.exec(rest) ?? []
  return { kind, method, name: path ?? rest.replace(/\(\)$/, '') }
}

/** True if an entry has a name. A preview also has the name of the page that it replaces. */
function isNamed({ kind, name }: ContractEntry, wanted: string): boolean {
  if (kind === 'not proven') return false
  return name === wanted || (kind === 'preview' && name.startsWith(`${wanted} from `))
}

function describeEntry(
  entry: ContractEntry,
  { personas }: Contract,
  isWanted: (how: string) => boolean = all,
): DescribedEntry {
  const access = howsOf(entry)
    .filter(isWanted)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((how) => ({
      request: how === '' ? plainRequest(entry.kind) : how,
      outcomes: personas.map((persona): Outcome => {
        const gets = accessOf(entry, { persona, how }) ?? notTried
        return { persona, gets, isAdmitted: isOpen(gets) }
      }),
    }))
  const isAdmitted = (persona: string) =>
    access.some(({ outcomes }) =>
      outcomes.some((each) => each.persona === persona && each.isAdmitted),
    )
  const others = Object.entries(entry.properties).filter(([key]) => parseAccessKey(key) === null)
  const { kind, name } = entry
  return {
    kind,
    name,
    reachedBy: personas.filter(isAdmitted),
    access,
    properties: Object.fromEntries(others),
  }
}

/** Names the request of an access line that has only a persona. */
function plainRequest(kind: EntryKind): string {
  switch (kind) {
    case 'page':
      return 'document'
    case 'preview':
      return 'data'
    default:
      return 'GET'
  }
}

function unprovenOf(
  { entries }: Contract,
  isWanted: (title: string) => boolean,
): Record<string, string> {
  const all = entries.filter(({ kind }) => kind === 'not proven')
  const pairs = all.flatMap(({ properties }) => Object.entries(properties))
  return Object.fromEntries(pairs.filter(([title]) => isWanted(title)))
}

/** True for what concerns all entries: a persona that couldn't sign in, a missing browser. */
function isGeneral(title: string): boolean {
  return title.startsWith('persona ') || title === 'accessibility'
}

/** True for `handler /api/orders PUT` and the name `/api/orders`. */
function isAbout(title: string, name: string): boolean {
  const [subject = ''] = title.split(' from ')
  const [, ...words] = subject.split(' ')
  return words.includes(name)
}

/** Returns the part of a title that names a call's page: `from /board`. */
function originOf(title: string): string {
  return title.startsWith('action ') ? title.replace(/^.*? (?=from )/, '') : ''
}

const maxCloseNames = 5

/** Lists names in a contract that are similar to a misspelt one, the most similar first. */
function closeNames({ entries }: Contract, wanted: string): string[] {
  const sought = wanted.toLowerCase()
  const titles = new Set(entries.filter(({ kind }) => kind !== 'not proven').map(titleOf))
  const rated = [...titles].flatMap((title) => {
    const name = title.replace(/^\S+ /, '').toLowerCase()
    const distance = name.includes(sought) ? 0 : editDistance(name, sought)
    return distance <= Math.max(2, sought.length / 3) ? [{ title, distance }] : []
  })
  return rated
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxCloseNames)
    .map(({ title }) => title)
}

/** Counts the characters to insert, delete or replace. @see Levenshtein distance */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
