import { nextPreference } from './preference.ts'
import { themeStoreOf } from './store.ts'
import { toggleAttribute } from './toggle.ts'

const booted = new WeakSet<Window>()

/**
 * Starts following themes and serves every `ThemeToggle` of the page, with one listener. Call it
 * before hydration: it takes the pre-paint script's element away, which React must not meet.
 */
export function startTheme(view: Window = window): void {
  if (booted.has(view)) return
  booted.add(view)
  const store = themeStoreOf(view)
  view.document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return
    const cycle = event.target.closest(`[${toggleAttribute}]`)?.getAttribute(toggleAttribute)
    if (!cycle) return
    store.setPreference(nextPreference(store.getSnapshot().preference, cycle.split(' ')))
  })
}
