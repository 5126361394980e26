import type { NavigationStore } from './navigation/navigation.ts'

/**
 * Has a navigation go on at its target when the dev server reloads the document: it does when the
 * code of the new page brings a package that it has not bundled yet.
 */
export function listenForDevReloads(view: Window, { get }: NavigationStore): void {
  import.meta.hot?.on('vite:beforeFullReload', () => {
    const { target } = get()
    if (target) view.history.pushState(null, '', target)
  })
}
