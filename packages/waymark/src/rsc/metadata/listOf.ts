import type { Many } from '../../shared/metadataValues.ts'

/** A list of one or many. */
export function listOf<T>(value: Many<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}
