import { type Preference, preferenceAttribute } from './config.ts'

/** Marks a toggle; its value is the preferences it cycles through, space separated. */
export const toggleAttribute = 'data-waymark-theme-toggle'

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
  return `${rulesOfButton()}${hidden.join()}{display:none}`
}

function rulesOfButton(): string {
  return [
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
}
