import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { normalizePath, type Plugin } from 'vite'

/**
 * Names the modules that ids are made of, so that builds of the same sources have the same ids
 * wherever they are made: on another machine, `node_modules` may lie elsewhere, as above the app
 * instead of in it.
 * @param root the app's, absolute
 * @returns takes a module's absolute path; gives it from the root, or from the `node_modules`
 *   that the app finds it in
 */
export function createModuleNames(root: string): (id: string) => string {
  return (id) => {
    const relative = normalizePath(path.relative(root, id))
    if (!relative.startsWith('../')) return relative
    const start = relative.indexOf('/node_modules/')
    if (start === -1) return relative
    const inPackages = relative.slice(start + 1)
    // Two that would have one name, as of a package that is there twice, keep their own.
    return nearest(root, inPackages) === path.resolve(id) ? inPackages : relative
  }
}

/** Has plugin-rsc name modules so; it names them from the root, whatever lies above it. */
export function moduleNamesPlugin(managerOf: () => RscPluginManager): Plugin {
  return {
    name: 'waymark:module-names',
    apply: 'build',
    configResolved: {
      order: 'post',
      handler({ root }) {
        managerOf().toRelativeId = createModuleNames(root)
      },
    },
  }
}

/** Finds what Node would, going up from a folder. */
function nearest(folder: string, inPackages: string): string | null {
  const found = path.join(folder, inPackages)
  if (existsSync(found.replace(/\?.*$/, ''))) return found
  const parent = path.dirname(folder)
  return parent === folder ? null : nearest(parent, inPackages)
}
