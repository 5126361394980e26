import { type Preference, preferenceAttribute, toggleAttribute } from './config.ts'

/** Marks the part of a toggle that is visible for one preference. */
export const toggleStateAttribute = 'data-waymark-when'

/** Marks a toggle's label for one colour scheme of the system: `light` or `dark`. */
export const systemSchemeAttribute = 'data-waymark-system'

const toggle = `[${toggleAttribute}]`

/**
 * Builds CSS that shows the toggle's icon and name for the preference on `<html>`. Works at the
 * first paint, without React.
 */
export function toggleStyle(cycle: readonly Preference[]): string {
  const states = `[${toggleAttribute}="${cycle.join(' ')}"] [${toggleStateAttribute}`
  const hidden = cycle.flatMap((preference) => {
    const current = `[${preferenceAttribute}="${preference}"]`
    return [`html:not(${current}) ${states}="${preference}"]`, `html${current} ${states}=""]`]
  })
  return `${buttonStyle}${hidden.join()}{display:none}`
}

const buttonStyle = [
  `${toggle}{appearance:none;box-sizing:border-box;position:relative;display:inline-grid;`,
  'place-items:center;width:44px;height:44px;margin:0;padding:0;border:0;border-radius:50%;background:none;',
  'color:inherit;font:inherit;cursor:pointer;-webkit-tap-highlight-color:transparent}',
  `@media (hover:hover){${toggle}:hover{background:color-mix(in srgb,currentColor 10%,transparent)}}`,
  `${toggle}:focus-visible{outline:2px solid currentColor;outline-offset:2px}`,
  `${toggle} svg{display:block;width:20px;height:20px}`,
  // Hides the text, but keeps it in the accessible name.
  `${toggle} b{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);`,
  'white-space:nowrap;font-weight:inherit}',
  `@media (prefers-color-scheme:dark){${toggle} [${systemSchemeAttribute}=light]{display:none}}`,
  `@media not (prefers-color-scheme:dark){${toggle} [${systemSchemeAttribute}=dark]{display:none}}`,
  // Without JavaScript, the button would do nothing, so it is hidden, but keeps its space.
  `html:not([${preferenceAttribute}]) ${toggle}{visibility:hidden}`,
].join('')

export const selectAttribute = 'data-waymark-theme-select'

export const schemeAttribute = 'data-waymark-scheme'

export const defaultCycle: readonly Preference[] = ['light', 'dark', 'system']

export const selectStyle = [
  `[${selectAttribute}]{display:inline-flex;align-items:center;gap:.5em}`,
  `[${selectAttribute}] select{min-height:44px;font:inherit}`,
].join('')

/** Styles for scopes. In a stylesheet, because CSP hashes don't cover `style` attributes. */
export const scopeStyle = ['light', 'dark']
  .map((scheme) => `[${schemeAttribute}=${scheme}]{color-scheme:${scheme}}`)
  .join('')

/**
 * Attribute of an element that is visible in one colour scheme only. Its value is `light` or
 * `dark`.
 */
export const schemeOnlyAttribute = 'data-waymark-picture'

const isDark = ':is([style*="color-scheme: dark"],[style*="color-scheme:dark"])'
const element = (scheme: string) => `[${schemeOnlyAttribute}=${scheme}]`

/**
 * Stylesheet for `schemeOnlyAttribute`. It hides the elements for the other colour scheme, so that
 * browsers don't load their lazy images. Render it in a `<style>`, which the content security
 * policy allows.
 */
export const schemeOnlyStyle = [
  `html[${preferenceAttribute}]:not(${isDark}) ${element('dark')},html${isDark} ${element('light')}{display:none}`,
  `@media not (prefers-color-scheme:dark){html:not([${preferenceAttribute}]):not(${isDark}) ${element('dark')}{display:none}}`,
  `@media (prefers-color-scheme:dark){html:not([${preferenceAttribute}]) ${element('light')}{display:none}}`,
].join('')

export const themeStyles: readonly string[] = [
  toggleStyle(defaultCycle),
  selectStyle,
  scopeStyle,
  schemeOnlyStyle,
]
