import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, availableParallelism, platform, release } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineCommand } from 'waymark/plugin'
import { alignColumns, sharedOptions, waymarkVersion } from 'waymark/plugin/node'

// Packages whose versions the app chooses, unlike the versions of Waymark's own dependencies.
const appPackages = ['react', 'react-dom', 'typescript']
const frameworkDependencies = ['vite', '@vitejs/plugin-rsc', '@vitejs/plugin-react']

/** Prints the versions that a bug report needs. */
export const info = defineCommand({
  details: 'Prints the versions of Waymark and its dependencies, and describes the system.',
  options: { json: sharedOptions.json },
  mode: 'development',
  async run({ options, terminal }) {
    const root = resolve(options.folder ?? '.')
    const app = pathToFileURL(join(root, 'package.json')).href
    const versions: Record<string, string> = {
      waymark: waymarkVersion(),
      ...versionsFrom(app, appPackages),
      ...versionsFrom(import.meta.resolve('waymark/package.json'), frameworkDependencies),
      node: process.version.slice(1),
      system: `${platform()} ${release()} ${arch()}, ${availableParallelism()} cores`,
    }
    if (options.json) {
      terminal.printJson(versions)
      return 0
    }
    for (const cells of alignColumns(Object.entries(versions))) terminal.print(cells.join('  '))
    return 0
  },
})

function versionsFrom(importer: string, names: readonly string[]): Record<string, string> {
  const { resolve: find } = createRequire(importer)
  const versionOf = (name: string) => {
    // A package's `exports` may omit `package.json`, so look up its path.
    const manifests = find.paths(name)?.map((folder) => join(folder, name, 'package.json'))
    const manifest = manifests?.find(existsSync)
    return manifest ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'not found'
  }
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]))
}
