/**
 * Tells whether React interrupts a render because `use` waits; React exports no other way to tell that from
 * an error. With another text it counts as an error of the layout or page: nothing behind it is sent.
 */
export function isSuspension(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('Suspense Exception')
}
