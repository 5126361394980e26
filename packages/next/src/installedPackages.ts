import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * Packages that render React by themselves, in server components, too. They need React as Node loads
 * it: the one of server components has neither hooks nor `react-dom/server`.
 */
export const renderers = [
  '@react-email/components',
  '@react-email/render',
  'react-email',
  '@react-pdf/renderer',
]

/**
 * The app's packages that use modules of `next`, and React by way of them alone, as `geist` does for
 * its fonts: whatever builds on React itself is compiled with the app already.
 */
export function packagesOnNext(root: string): string[] {
  const { dependencies = {} } = readManifest(path.join(root, 'package.json'))
  return Object.keys(dependencies).filter((name) => {
    const { peerDependencies = {} } = readManifest(manifestOf(name, root))
    return 'next' in peerDependencies && !('react' in peerDependencies)
  })
}

/** @returns those that are found from the root of the app */
export function installed(names: readonly string[], root: string): string[] {
  return names.filter((name) => manifestOf(name, root) !== '')
}

function manifestOf(name: string, root: string): string {
  const folders = createRequire(path.join(root, 'package.json')).resolve.paths(name) ?? []
  const files = folders.map((folder) => path.join(folder, name, 'package.json'))
  return files.find((file) => existsSync(file)) ?? ''
}

type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Of a `package.json`; empty without one. */
export function readManifest(file: string): Manifest {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
