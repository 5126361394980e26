import { KeyedSlot, Slot } from '../../client/slot.tsx'
import { clientReferenceId } from './clientReference.ts'

/**
 * Client components of the framework that stand in most pages and do nothing there until a
 * navigation: a page with no others is read and used without React. As `file#name`.
 */
export const inertClientComponents: ReadonlySet<string> = new Set(
  [Slot, KeyedSlot].flatMap((component) => clientReferenceId(component) ?? []),
)
