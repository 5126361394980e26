import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead } from '../../theme/head.ts'
import { themeScript } from '../../theme/script.ts'

/** What answering needs of the app's themes. */
export type AppTheme = {
  readonly config: ThemeConfig
  /** The text of the pre-paint script, the same in every document: for a hash of it. */
  readonly script: string
  /** Tells whether a value is the name of a theme. */
  isTheme(value: unknown): value is string
  /**
   * HTML for the start of a document's head.
   * @param forced the theme that the document's route insists on
   */
  headStart(forced: string | null): string
}

/** Makes the heads of an app's documents ahead: one for each theme that a route may insist on. */
export function createAppTheme(config: ThemeConfig): AppTheme {
  const own = themeHead({ config })
  const forcing = new Map(
    config.themes.map(({ name }) => [name, themeHead({ config, forced: name })]),
  )
  return {
    config,
    script: themeScript(config),
    isTheme: (value): value is string => typeof value === 'string' && forcing.has(value),
    headStart: (forced) => (forced === null ? own : (forcing.get(forced) ?? own)),
  }
}
