import { vi } from 'vitest'

/** Waits until a check holds, for as long as servers and files of a slow machine may take. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 })
}
