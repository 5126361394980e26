import { accessOf, howsOf, isOpen, notTried, parseAccessKey } from '../contract/access.ts'
import { isShared, noRule } from '../contract/cacheControl.ts'
import { type ContractEntry, titleOf } from '../contract/contractFile.ts'
import { addedItems, type Change, type Difference } from './compareContracts.ts'

/** Describes a difference in a sentence, for a reviewer who doesn't know the format of the file. */
export function describeDifference({ entry, change, effect }: Difference): string {
  switch (change.kind) {
    case 'added':
      return `${subjectOf(entry)} is new. ${describeAccess(change.entry)}`
    case 'removed':
      return `${subjectOf(entry)} is gone.`
    case 'access':
      return describeAccessChange(entry, change)
    case 'property':
      return describeProperty({ entry, effect, change })
  }
}

function subjectOf({ kind, name }: Difference['entry']): string {
  switch (kind) {
    case 'action':
    case 'component':
      return `The ${kind} \`${name}\``
    case 'preview':
      return `The preview of ${name}`
    default:
      return `The ${kind} ${name}`
  }
}

/** Lists who gets something from an entry: `*anonymous* gets 200, *admin* gets 200.` */
function describeAccess(entry: ContractEntry): string {
  if (entry.kind === 'screen') return `Accessibility: ${entry.properties.accessibility}.`
  const personas = new Map<string, string[]>()
  for (const [key, value] of Object.entries(entry.properties)) {
    const access = parseAccessKey(key)
    if (access === null || !isOpen(value)) continue
    const what = `${access.how === '' ? '' : ` (${access.how})`}: ${value}`
    personas.set(what, [...(personas.get(what) ?? []), access.persona])
  }
  const open = [...personas].map(([what, names]) => `${listNames(names)}${what}`)
  const { fields } = entry.properties
  if (fields !== undefined) return `It is sent ${fields}.`
  if (open.length > 0) return `It is open to ${open.join(', ')}.`
  const isTried = howsOf(entry).length > 0 && !Object.values(entry.properties).includes(notTried)
  return isTried ? 'It refuses all personas.' : "It wasn't tried."
}

function describeAccessChange(
  entry: Difference['entry'],
  { how, personas, before, after }: Extract<Change, { kind: 'access' }>,
): string {
  const who = listNames(personas)
  if (after === null || after === notTried) {
    return `${subjectOf(entry)} is no longer tried as ${who}${how && ` (${how})`}. Before: ${before}.`
  }
  const instead = before === null || before === notTried ? '' : ` instead of ${before}`
  if (entry.kind === 'action') {
    const from = how.replace(/^from ([^,]*), (.*)$/, 'from $1 ($2)').replace(/^from /, '')
    if (after === 'may call' || after === 'runs') {
      return `\`${entry.name}\` can now be called by ${who}, from ${from}${before === null ? '' : ` (before: ${before})`}.`
    }
    return `\`${entry.name}\` now responds to ${who} with ${after}${instead}, from ${from}.`
  }
  const part = how === '' ? subjectOf(entry) : `${subjectOf(entry)} (${how})`
  return `${part} now gives ${who} ${after}${instead}.`
}

function describeProperty({
  entry,
  change,
}: Omit<Difference, 'change'> & {
  readonly change: Extract<Change, { kind: 'property' }>
}): string {
  const { key, before, after } = change
  const subject = subjectOf(entry)
  if (key.startsWith('persona ')) return `The persona *${before}* is no longer tried.`
  switch (key) {
    case 'cache': {
      const instead = before === null || before === noRule ? '' : ` instead of \`${before}\``
      if (isShared(after)) {
        return `${subject} may now be stored by shared caches: \`${after}\`${instead}.`
      }
      const rule =
        after === null || after === noRule ? 'no cache rule' : `the cache rule \`${after}\``
      return `${subject} has ${rule}${instead}.`
    }
    case 'fields': {
      const added = addedItems(before, after)
      return added.length > 0
        ? `${subject} is now also sent ${added.join(', ')}.`
        : `${subject} is no longer sent ${addedItems(after, before).join(', ')}.`
    }
    case 'layouts':
      return `${subject} is inside the layouts ${after ?? 'none'} instead of ${before ?? 'none'}.`
    case 'proxy':
      return after === null
        ? `proxy.ts no longer runs for ${titleOf(entry)}.`
        : `proxy.ts now runs for ${titleOf(entry)}.`
    case 'accessibility':
      return `${subject}: ${describeAccessibility(before, after)}.`
    default:
      return `${subject}: ${key} is ${after ?? 'gone'} instead of ${before ?? 'missing'}.`
  }
}

function describeAccessibility(before: string | null, after: string | null): string {
  if (after === null) return 'its accessibility was not checked'
  return `accessibility is now ${after}${before === null ? '' : ` instead of ${before}`}`
}

/** Lists personas: `*anonymous*, *member* and *admin*`. */
function listNames(personas: readonly string[]): string {
  const marked = personas.map((persona) => `*${persona}*`)
  const last = marked.pop() ?? ''
  return marked.length === 0 ? last : `${marked.join(', ')} and ${last}`
}

/**
 * Names the entries beside a new one that refuse a persona who gets the new one: all entries of the
 * accepted contract below the same folder of the URL.
 * @returns `null` if one of them lets the persona pass, or if no entry is beside the new one
 */
export function describeSiblings(
  entry: ContractEntry,
  entries: readonly ContractEntry[],
  personas: readonly string[],
): string | null {
  const parent = entry.name.replace(/\/[^/]*$/, '')
  if (parent === '') return null
  const siblings = entries.filter(
    ({ kind, name }) =>
      kind === entry.kind &&
      name !== entry.name &&
      (name === parent || name.startsWith(`${parent}/`)),
  )
  const [first] = siblings
  if (first === undefined) return null
  for (const persona of personas) {
    const outcomeOf = (each: ContractEntry) => accessOf(each, { persona, how: howOf(each) }) ?? ''
    const refuses = (each: ContractEntry) => outcomeOf(each) !== '' && !isOpen(outcomeOf(each))
    if (refuses(entry) || !siblings.every(refuses)) continue
    const such = `${first.name} (${outcomeOf(first)})`
    return siblings.length === 1
      ? `Beside it, ${such} refuses *${persona}*.`
      : `${siblings.length === 2 ? 'Both' : `All ${siblings.length}`} others below ${parent} refuse *${persona}*, such as ${such}.`
  }
  return null
}

function howOf({ kind }: ContractEntry): string {
  return kind === 'handler' ? 'GET' : ''
}
