import type { ThemeConfig } from './config.ts'

/** The themes that parts of the page insist on. */
export type ForcedThemes = {
  /** Name of the theme that wins: the deepest; of the same depth, the last. */
  current(): string | null
  /** @returns takes it back; `changed` is called both times */
  add(theme: string | null, depth: number): () => void
}

type Force = { readonly theme: string | null; readonly depth: number }

/**
 * Keeps what insists on a theme; names that are not configured count as none.
 * @param initial what the document said; it counts until a part of the page speaks
 */
export function createForcedThemes(
  config: ThemeConfig,
  initial: string | null,
  changed: () => void,
): ForcedThemes {
  let forces: readonly Force[] = [{ theme: initial, depth: 0 }]
  const isKnown = ({ theme }: Force) => config.themes.some(({ name }) => name === theme)

  return {
    current() {
      const deepestFirst = forces.filter(isKnown).toReversed()
      deepestFirst.sort((a, b) => b.depth - a.depth)
      return deepestFirst[0]?.theme ?? null
    },
    add(theme, depth) {
      const added = { theme, depth }
      forces = [...forces.filter((force) => force.depth > 0), added]
      changed()
      return () => {
        forces = forces.filter((force) => force !== added)
        changed()
      }
    },
  }
}
