/** Where a component has thrown a signal that only the browser knows of. */
export type ScreenPlace = {
  /** Of the screen that the signal asks for. */
  readonly status: number
  /** Empty above the root layout. */
  readonly slot: string
  /** Of the segment whose slot it is. */
  readonly key: string
}

/** Encodes a place for a header: `404;children;/shop`. */
export function encodeScreenPlace({ status, slot, key }: ScreenPlace): string {
  return `${status};${slot};${key}`
}

/**
 * Decodes what `encodeScreenPlace` wrote.
 * @returns `null` for any other text
 */
export function decodeScreenPlace(text: string): ScreenPlace | null {
  const [, status, slot, key] = /^(4\d\d);([^;]*);(.*)$/.exec(text) ?? []
  return slot === undefined || key === undefined ? null : { status: Number(status), slot, key }
}
