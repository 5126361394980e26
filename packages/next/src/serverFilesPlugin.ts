import path from 'node:path'
import { normalizePath, parseSync, type Rolldown } from 'vite'

// Prefix for the ids of files that stay out of the bundle. A module whose id is its path would
// become part of the bundle.
const prefix = '/@fs/'

/**
 * Keeps files with `'use server'` out of the bundles that the dev server creates for client
 * components in packages, such as `@clerk/nextjs`. plugin-rsc must turn their exports into
 * references.
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
