/** Where a component threw a signal in the browser. */
export type ScreenPlace = {
  readonly status: number
  /** Empty above the root layout. */
  readonly slot: string
  /** Key of the segment that has the slot. */
  readonly key: string
}

/** `404;children;/shop` */
export function encodeScreenPlace({ status, slot, key }: ScreenPlace): string {
  return `${status};${slot};${key}`
}

/** @returns `null` for other texts */
export function decodeScreenPlace(text: string): ScreenPlace | null {
  const [, status, slot, key] = /^(4\d\d);([^;]*);(.*)$/.exec(text) ?? []
  return slot === undefined || key === undefined ? null : { status: Number(status), slot, key }
}
