import type { ContractEntry } from './contractFile.ts'

/** Stands for all personas, if they get the same. */
export const everyone = 'everyone'

/** A request of an entry, such as `data` for a page or `from /help` for an action. */
export type AccessKey = { readonly persona: string; readonly how: string }

/** Name of the property that says what a persona gets: `access member`, `access member (data)`. */
export function accessKey({ persona, how }: AccessKey): string {
  return how === '' ? `access ${persona}` : `access ${persona} (${how})`
}

export function parseAccessKey(key: string): AccessKey | null {
  const [, persona, how = ''] = /^access ([^(]+?)(?: \((.*)\))?$/.exec(key) ?? []
  return persona === undefined ? null : { persona, how }
}

/** The outcome for each persona, for each kind of request. */
export type AccessTable = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Value for a request that wasn't sent. */
export const notTried = 'not tried'

/**
 * Writes what personas get, in one line if all of them get the same.
 * @param absent personas that couldn't sign in
 */
export function accessProperties(
  table: AccessTable,
  absent: readonly string[],
): Record<string, string> {
  const properties: Record<string, string> = {}
  for (const [how, tried] of table) {
    const byPersona = new Map([...tried, ...absent.map((persona) => [persona, notTried] as const)])
    const values = new Set(byPersona.values())
    const [only] = values
    if (values.size === 1 && only !== undefined) {
      properties[accessKey({ persona: everyone, how })] = only
      continue
    }
    for (const [persona, value] of byPersona) properties[accessKey({ persona, how })] = value
  }
  return properties
}

/** Returns what a persona gets. `undefined` if the entry doesn't say. */
export function accessOf({ properties }: ContractEntry, { persona, how }: AccessKey) {
  return (
    properties[accessKey({ persona, how })] ?? properties[accessKey({ persona: everyone, how })]
  )
}

/** Lists the kinds of requests that an entry has access lines for. */
export function howsOf({ properties }: ContractEntry): string[] {
  const hows = Object.keys(properties).map((key) => parseAccessKey(key)?.how)
  return [...new Set(hows.filter((how) => how !== undefined))]
}

/** True if a persona gets more than a refusal: content, a socket, a call, or draft mode. */
export function isOpen(value: string): boolean {
  return /^(?:2|101|may call|runs)/.test(value) || value.includes(draftNote)
}

export const draftNote = 'turns on draft mode'
