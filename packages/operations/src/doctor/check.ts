/** Result of checking one property of a deployment. */
export type Check = {
  readonly name: CheckName
  readonly isOk: boolean
  readonly text: string
  /** For a failed check: what is wrong on which server, then what to do. */
  readonly details: readonly string[]
  /** The measured duration, if the check measures one. */
  readonly ms?: number
}

/** Checks that need the servers' answers, in the order in which they are printed. */
export const insideChecks = [
  'keyRing',
  'secret',
  'variables',
  'actions',
  'clock',
  'cache',
  'invalidation',
  'assets',
  'streams',
] as const

/** Checks that need no secret. `build` is more accurate with one. */
export const outsideChecks = ['build', 'skew', 'files', 'notFound'] as const

export type CheckName = (typeof insideChecks)[number] | (typeof outsideChecks)[number]

export function passed(name: CheckName, text: string): Check {
  return { name, isOk: true, text, details: [] }
}

export function failed(name: CheckName, text: string, details: readonly string[]): Check {
  return { name, isOk: false, text, details: [...new Set(details)] }
}

export function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
