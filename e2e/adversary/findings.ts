import type { Attack } from './batch.ts'
import { type AttackRequest, encodeRequest } from './request.ts'
import type { Violation, ViolationKind } from './violations.ts'

/** A violation with the smallest known request that causes it. */
export type Finding = Violation & {
  readonly label: string
  readonly seed: number
  /** Index of the request in the run. */
  readonly index: number
  readonly smallest: AttackRequest
  /** Further information about the finding, or an empty string. */
  readonly note: string
}

/** The findings of a run, at most one for each pair of violation and label. */
export type Findings = {
  readonly list: readonly Finding[]
  isListed(violation: Violation, label: string): boolean
  /**
   * True if requests with this label should no longer be sent, because each one would end the
   * server or take seconds.
   */
  isMuted(label: string): boolean
  add(finding: Finding): void
  readonly slow: readonly Finding[]
  /** Adds a response that was slow only once. */
  addSlow(finding: Finding): void
}

const costly: readonly ViolationKind[] = [
  'the server ended',
  'a slot was held',
  'a response without an end',
  'too much processor time',
]

export function createFindings(): Findings {
  const list: Finding[] = []
  const slow: Finding[] = []
  const listed = new Set<string>()
  const muted = new Set<string>()
  return {
    list,
    slow,
    addSlow: (finding) => void slow.push(finding),
    isListed: (violation, label) => listed.has(nameOf(violation, label)),
    isMuted: (label) => muted.has(label),
    add(finding) {
      list.push(finding)
      listed.add(nameOf(finding, finding.label))
      if (costly.includes(finding.kind)) muted.add(finding.label)
    },
  }
}

function nameOf({ kind, detail }: Violation, label: string): string {
  return `${kind} ${detail} ${label}`
}

const printedBytes = 3_000

/** Describes a finding, with all the data that is needed to reproduce it. */
export function describeFinding(finding: Finding): string {
  const { kind, detail, label, seed, index, smallest, note } = finding
  const again = `WAYMARK_ADVERSARY_SEED=${seed} WAYMARK_ADVERSARY_FROM=${index} WAYMARK_ADVERSARY_REQUESTS=1 npm run e2e -- adversary`
  const raw = encodeRequest(smallest).bytes.toString('latin1')
  const printed =
    raw.length > printedBytes ? `${raw.slice(0, printedBytes)}… (${raw.length} bytes)` : raw
  const indented = printed.replaceAll(/[^\n\x20-\x7e]/g, escaped).replaceAll('\n', '\n    ')
  const what = detail === '' ? kind : `${kind} (${detail})`
  const how = `its client ${smallest.behaviour}${note === '' ? '' : `; ${note}`}`
  return `${what}: ${label}, request ${index}; ${how}\n  ${again}\n    ${indented}`
}

function escaped(character: string): string {
  return character === '\r' ? '' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Returns the first attack with each label, in the original order. */
export function firstOfLabels<T extends Attack>(attacks: readonly T[]): T[] {
  const labels = new Set<string>()
  return attacks.filter(({ request: { label } }) => {
    if (labels.has(label)) return false
    labels.add(label)
    return true
  })
}
