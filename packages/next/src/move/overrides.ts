import type { Names, PackageManager } from './plan.ts'

/** The keys of `package.json` in which package managers find overrides. */
export type Overrides = {
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly resolutions?: Names
  readonly pnpm?: { readonly overrides?: Names; readonly [key: string]: unknown }
}

/**
 * True if a range only accepts versions from `wanted` on. Compares the first version in each range.
 */
export function isAtLeast(range: string, wanted: string): boolean {
  const numbers = (text: string) => {
    const [, major = 0, minor = 0, patch = 0] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? []
    return Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch)
  }
  return numbers(range) >= numbers(wanted)
}

/**
 * Raises overrides that would keep a package at its version from before the move. npm refuses a
 * package whose override differs from the dependency.
 * @param changed packages whose versions the move changes, with the new versions
 */
export function raiseOverrides(manifest: Overrides, changed: Names): Overrides {
  const raise = <Value>(list: Readonly<Record<string, Value>>) =>
    Object.fromEntries(
      Object.entries(list).map(([key, value]) => {
        // Yarn also accepts the pattern `**/react`.
        const version = changed[key.replace(/^\*\*\//, '')]
        const isFixed = typeof value === 'string' && !value.startsWith('$')
        return [key, isFixed && version !== undefined ? version : value]
      }),
    )
  const { overrides, resolutions, pnpm } = manifest
  return {
    ...(overrides && { overrides: raise(overrides) }),
    ...(resolutions && { resolutions: raise(resolutions) }),
    ...(pnpm?.overrides && { pnpm: { ...pnpm, overrides: raise(pnpm.overrides) } }),
  }
}

/**
 * Makes packages with a peer dependency on `next` accept this package. Each package manager has a
 * different key for overriding peer dependencies.
 * @param next `$next` for the version in the same file's dependencies. Yarn doesn't support this
 * form, so pass it a version.
 */
export function overrideNext(
  { overrides, resolutions, pnpm }: Overrides,
  manager: PackageManager,
  next: string,
): Overrides {
  switch (manager) {
    case 'pnpm':
      return { pnpm: { ...pnpm, overrides: { ...pnpm?.overrides, next } } }
    case 'yarn':
      return { resolutions: { ...resolutions, next } }
    case 'npm':
    case 'bun':
      return { overrides: { ...overrides, next } }
  }
}
