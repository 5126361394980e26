/**
 * Tells whether React interrupts a render because `use` waits; React exports no other way. With
 * another text it counts as an error: nothing behind the layout or page is sent.
 */
export function isSuspension(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('Suspense Exception')
}
