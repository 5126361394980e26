import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { readManifest } from './installedPackages.ts'

/**
 * Resolves imports of a package's own folders, such as `import '../'`, if the `main` of the
 * folder's `package.json` doesn't exist. Node and webpack then load `index.js`, but Vite fails.
 * Some packages publish a copy of their `package.json` in `dist`, where its paths are wrong.
 */
export function folderImportPlugin(): Plugin {
  return { ...folderImports, enforce: 'pre' }
}

/** The same for the bundles of packages that the dev server creates. */
export const folderImports = {
  name: 'next-names:folder-imports',
  resolveId: {
    filter: { id: /^\.{1,2}(?:\/\.\.)*\/?$|^\.{1,2}\/.*\/$/ },
    handler(id, importer) {
      const [file = ''] = importer?.split('?') ?? []
      if (!/[\\/]node_modules[\\/]/.test(file)) return null
      return indexOf(path.resolve(path.dirname(file), id))
    },
  },
} satisfies Rolldown.Plugin

/** @returns the folder's `index` file, if its `main` is missing; otherwise `null` */
export function indexOf(folder: string): string | null {
  const { main } = readManifest(path.join(folder, 'package.json'))
  if (main === undefined) return null
  const candidates = ['', '.js', '.json', '/index.js'].map(
    (ending) => `${path.join(folder, main)}${ending}`,
  )
  if (candidates.some((each) => existsSync(each) && path.extname(each) !== '')) return null
  const files = ['index.js', 'index.mjs', 'index.cjs'].map((name) => path.join(folder, name))
  return files.find((each) => existsSync(each)) ?? null
}
