import {
  type AccessKey,
  accessOf,
  draftNote,
  everyone,
  howsOf,
  isOpen,
  notTried,
  parseAccessKey,
} from '../contract/access.ts'
import { isShared } from '../contract/cacheControl.ts'
import { type Contract, type ContractEntry, titleOf } from '../contract/contractFile.ts'

/**
 * Effect of a difference. `widens`: somebody gets more, or a cache stores more. `new`: nobody has
 * decided about it yet. `changes`: neither clearly more nor less. `narrows`: somebody gets less.
 * `neutral`: nobody gets anything else.
 */
export type Effect = 'widens' | 'new' | 'changes' | 'narrows' | 'neutral'

export type Difference = {
  readonly entry: Pick<ContractEntry, 'kind' | 'name'>
  readonly effect: Effect
  readonly change: Change
}

export type Change =
  | { readonly kind: 'added'; readonly entry: ContractEntry }
  | { readonly kind: 'removed' }
  | {
      readonly kind: 'access'
      /** Kind of request, as in `AccessKey`. */
      readonly how: string
      /** Personas for whom the same has changed. */
      readonly personas: readonly string[]
      /** `null` if the contract didn't say. */
      readonly before: string | null
      readonly after: string | null
    }
  | {
      readonly kind: 'property'
      readonly key: string
      readonly before: string | null
      readonly after: string | null
    }

/** True if a check must fail until somebody has decided. */
export function failsCheck({ effect }: Pick<Difference, 'effect'>): boolean {
  return effect === 'widens' || effect === 'new' || effect === 'changes'
}

/** Compares two contracts of an app. Moved and renamed files make no difference. */
export function compareContracts(before: Contract, after: Contract): Difference[] {
  const { pairs, added, removed } = matchEntries(before.entries, after.entries)
  return [
    ...removed.map((entry): Difference => {
      const effect = entry.kind === 'screen' ? 'neutral' : 'narrows'
      return { entry, effect, change: { kind: 'removed' } }
    }),
    ...added.map((entry): Difference => {
      return { entry, effect: effectOfAdded(entry), change: { kind: 'added', entry } }
    }),
    ...pairs.flatMap(([old, entry]) => compareEntries(old, entry, [...after.personas])),
    ...personaDifferences(before, after),
  ]
}

// A screen gives nobody anything, so only its violations need a decision.
function effectOfAdded({ kind, properties }: ContractEntry): Effect {
  return kind === 'screen' && !hasNewViolations(null, properties.accessibility ?? null)
    ? 'neutral'
    : 'new'
}

type MatchedEntries = {
  readonly pairs: readonly (readonly [before: ContractEntry, after: ContractEntry])[]
  readonly added: readonly ContractEntry[]
  readonly removed: readonly ContractEntry[]
}

/** Matches entries by kind and name, and several of the same name by their properties. */
function matchEntries(
  before: readonly ContractEntry[],
  after: readonly ContractEntry[],
): MatchedEntries {
  const pairs: (readonly [ContractEntry, ContractEntry])[] = []
  const added: ContractEntry[] = []
  const waiting = new Set(before.filter(isCompared))
  for (const entry of after.filter(isCompared)) {
    const same = [...waiting].filter((each) => titleOf(each) === titleOf(entry))
    const [closest] = same.sort((a, b) => likeness(b, entry) - likeness(a, entry))
    if (closest === undefined) added.push(entry)
    else {
      waiting.delete(closest)
      pairs.push([closest, entry])
    }
  }
  return { pairs, added, removed: [...waiting] }
}

// Each line that isn't proven belongs to an entry whose access lines are missing.
function isCompared({ kind }: ContractEntry): boolean {
  return kind !== 'not proven'
}

function likeness(a: ContractEntry, b: ContractEntry): number {
  return Object.entries(a.properties).filter(([key, value]) => b.properties[key] === value).length
}

function compareEntries(
  before: ContractEntry,
  after: ContractEntry,
  personas: readonly string[],
): Difference[] {
  const { kind, name } = after
  const changes = [...compareAccess(before, after, personas), ...compareProperties(before, after)]
  return changes.map((change) => ({ entry: { kind, name }, ...change }))
}

type EffectOfChange = Pick<Difference, 'effect' | 'change'>

function compareAccess(
  before: ContractEntry,
  after: ContractEntry,
  personas: readonly string[],
): EffectOfChange[] {
  const hows = new Set([...howsOf(before), ...howsOf(after)])
  return [...hows].flatMap((how) => {
    const changed = new Map<string, AccessChange>()
    for (const persona of personas) {
      const old = effectiveAccess(before, { persona, how })
      const now = effectiveAccess(after, { persona, how })
      if (old === now) continue
      const others = changed.get(`${old} ${now}`)?.personas ?? []
      changed.set(`${old} ${now}`, { old, now, personas: [...others, persona] })
    }
    return [...changed.values()].map(({ old, now, personas }): EffectOfChange => {
      const change = { kind: 'access' as const, how, personas, before: old, after: now }
      return { effect: accessEffect(old, now), change }
    })
  })
}

type AccessChange = {
  readonly old: string | null
  readonly now: string | null
  readonly personas: readonly string[]
}

/** Returns what a persona gets. By default, a prefetch gets the same as page data, and page data the same as the document. */
function effectiveAccess(entry: ContractEntry, key: AccessKey): string | null {
  const value = accessOf(entry, key)
  if (value !== undefined) return value
  if (/(?:^|, )prefetch$/.test(key.how)) {
    return effectiveAccess(entry, { ...key, how: key.how.replace(/prefetch$/, 'data') })
  }
  const [, label] = /^(?:(.*), )?data$/.exec(key.how) ?? []
  const isOfData = /(?:^|, )data$/.test(key.how)
  return (isOfData ? accessOf(entry, { ...key, how: label ?? '' }) : undefined) ?? null
}

function accessEffect(before: string | null, after: string | null): Effect {
  if (after === null || after === notTried) return 'changes'
  const isOpenNow = isOpen(after)
  if (before === null) return isOpenNow ? 'widens' : 'neutral'
  if (before === notTried) return isOpenNow ? 'new' : 'neutral'
  if (isOpenNow) return isOpen(before) ? openEffect(before, after) : 'widens'
  const isRefused = /^4/.test(after)
  const isRedirected = /^(?:3\d\d|redirect) to \//.test(after)
  if (isOpen(before) && (isRefused || isRedirected)) return 'narrows'
  if (isRefused) return 'neutral'
  // A redirect to a different page, or a failure, may mean that a guard no longer refuses.
  return 'changes'
}

function openEffect(before: string, after: string): Effect {
  const hasDraft = after.includes(draftNote) && !before.includes(draftNote)
  return hasDraft || after === 'runs' ? 'widens' : 'neutral'
}

function compareProperties(before: ContractEntry, after: ContractEntry): EffectOfChange[] {
  const keys = new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])
  return [...keys].flatMap((key): EffectOfChange[] => {
    const old = before.properties[key] ?? null
    const now = after.properties[key] ?? null
    if (old === now || parseAccessKey(key)) return []
    return [
      {
        effect: key === 'cache' ? cacheEffect(old, now, after) : propertyEffect(key, old, now),
        change: { kind: 'property', key, before: old, after: now },
      },
    ]
  })
}

/** A response may be stored by shared caches if all personas get it. */
function cacheEffect(before: string | null, after: string | null, entry: ContractEntry): Effect {
  if (isShared(after) === isShared(before)) return 'neutral'
  if (!isShared(after)) return 'narrows'
  const isForEveryone = howsOf(entry).every((how) => {
    const outcome = accessOf(entry, { persona: everyone, how })
    return outcome !== undefined && isOpen(outcome)
  })
  return isForEveryone ? 'neutral' : 'widens'
}

function propertyEffect(key: string, before: string | null, after: string | null): Effect {
  switch (key) {
    case 'forged call':
    case 'from another page':
      return after !== null && isOpen(after) ? 'widens' : 'neutral'
    case 'fields':
      return addedItems(before, after).length > 0 ? 'new' : 'narrows'
    case 'accessibility':
      return hasNewViolations(before, after) ? 'new' : 'neutral'
    default:
      // A method, such as `POST: not tried`.
      return after === notTried ? 'changes' : 'neutral'
  }
}

/** Compares lists of rules with their numbers of elements: `button-name (1), label (2)`. */
function hasNewViolations(before: string | null, after: string | null): boolean {
  const countsOf = (text: string | null) => {
    const items = (text ?? '').matchAll(/([\w-]+) \((\d+)\)/g)
    return new Map([...items].map(([, rule = '', count]) => [rule, Number(count)]))
  }
  const had = countsOf(before)
  return [...countsOf(after)].some(([rule, count]) => count > (had.get(rule) ?? 0))
}

/** Returns the items of a list such as `name, email` that it didn't have before. */
export function addedItems(before: string | null, after: string | null): string[] {
  const had = new Set(before?.split(', '))
  return (after ?? '').split(', ').filter((item) => item !== '' && !had.has(item))
}

function personaDifferences(before: Contract, after: Contract): Difference[] {
  const gone = before.personas.filter((persona) => !after.personas.includes(persona))
  return gone.map((persona) => ({
    entry: { kind: 'not proven', name: '' },
    effect: 'changes',
    change: { kind: 'property', key: `persona ${persona}`, before: persona, after: null },
  }))
}
