import { type Preference, preferenceAttribute, toggleAttribute } from './config.ts'

/** Marks the part of a toggle that is shown under one preference. */
export const toggleStateAttribute = 'data-waymark-when'

const toggle = `[${toggleAttribute}]`

/**
 * The style sheet of a toggle. The pre-paint script has written the preference on `<html>`, so
 * the right icon and the right name are there at first paint, and React never has to change them.
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
  // Out of sight, yet part of the button's name.
  `${toggle} b{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);`,
  'white-space:nowrap;font-weight:inherit}',
  // Without scripts the button could do nothing, so it keeps its place and is not there.
  `html:not([${preferenceAttribute}]) ${toggle}{visibility:hidden}`,
].join('')

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

/** Marks a picture for one colour scheme: `light` or `dark`. */
export const pictureAttribute = 'data-waymark-picture'

const isDark = ':is([style*="color-scheme: dark"],[style*="color-scheme:dark"])'
const picture = (scheme: string) => `[${pictureAttribute}=${scheme}]`

/**
 * The style sheet of `Picture`, which hides the one of the other scheme: the browser then does not
 * load it. Where no script has written a theme, the system's holds.
 */
export const pictureStyle = [
  `html[${preferenceAttribute}]:not(${isDark}) ${picture('dark')},html${isDark} ${picture('light')}{display:none}`,
  `@media not (prefers-color-scheme:dark){html:not([${preferenceAttribute}]):not(${isDark}) ${picture('dark')}{display:none}}`,
  `@media (prefers-color-scheme:dark){html:not([${preferenceAttribute}]) ${picture('light')}{display:none}}`,
].join('')

/**
 * The texts of the inline style sheets that the theme's components bring, each in a `<style>` of
 * its own: for the hashes of a Content-Security-Policy.
 */
export const themeStyles: readonly string[] = [
  toggleStyle(defaultCycle),
  selectStyle,
  scopeStyle,
  pictureStyle,
]
