import path from 'node:path'
import { normalizePath, parseSync, type Rolldown } from 'vite'

// Another id than the file's own, which is inside of the bundle.
const prefix = '/@fs/'

/**
 * Leaves files with `'use server'` outside of the bundles of packages that the dev server makes for
 * client components, as `@clerk/nextjs` has two: plugin-rsc makes references of what they export.
 */
export const serverFilesApart: Rolldown.Plugin = {
  name: 'next-names:server-files',
  resolveId: {
    filter: { id: new RegExp(`^${prefix}`) },
    handler: (id) => ({ id, external: 'absolute' }),
  },
  transform: {
    filter: { id: /\.[cm]?js$/, code: /['"]use server['"]/ },
    handler(code, id) {
      const { program, module } = parseSync(id, code)
      const isMarked = program.body.some(
        (each) => 'directive' in each && each.directive === 'use server',
      )
      if (!isMarked) return null
      const names = module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ exportName }) => exportName.name ?? 'default'),
      )
      return `export { ${names.join(', ')} } from ${JSON.stringify(path.posix.join(prefix, normalizePath(id)))}`
    },
  },
}
