import type { Preference } from './config.ts'
import { toggleStyle } from './toggle.ts'

/** Marks the label of a `ThemeSelect`. */
export const selectAttribute = 'data-waymark-theme-select'

/** Says which colour scheme a `ThemeScope` has. */
export const schemeAttribute = 'data-waymark-scheme'

/** The preferences that a `ThemeToggle` goes through by default. */
export const defaultCycle: readonly Preference[] = ['light', 'dark', 'system']

/** The style sheet of `ThemeSelect`. */
export const selectStyle = [
  `[${selectAttribute}]{display:inline-flex;align-items:center;gap:.5em}`,
  `[${selectAttribute}] select{min-height:44px;font:inherit}`,
].join('')

/**
 * The style sheet of `ThemeScope`. Not a `style` attribute: a Content-Security-Policy can allow a
 * style sheet by its hash.
 */
export const scopeStyle = ['light', 'dark']
  .map((scheme) => `[${schemeAttribute}=${scheme}]{color-scheme:${scheme}}`)
  .join('')

/**
 * The texts of the inline style sheets that the theme's components bring, each in a `<style>` of
 * its own: for the hashes of a Content-Security-Policy.
 */
export const themeStyles: readonly string[] = [toggleStyle(defaultCycle), selectStyle, scopeStyle]
