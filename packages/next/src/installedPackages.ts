import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Packages that render React in server code. They must import React through Node's own resolution:
 * React's build for server components has neither hooks nor `react-dom/server`.
 */
export const renderers = [
  '@react-email/components',
  '@react-email/render',
  'react-email',
  '@react-pdf/renderer',
]

/**
 * Returns the app's dependencies that import modules of `next`, but not React itself, such as
 * `geist`. Packages that import React are always compiled with the app, so they aren't listed.
 */
export function packagesOnNext(root: string): string[] {
  const { dependencies = {} } = readManifest(path.join(root, 'package.json'))
  return Object.keys(dependencies).filter((name) => {
    const { peerDependencies = {} } = readManifest(manifestOf(name, root))
    return 'next' in peerDependencies && !('react' in peerDependencies)
  })
}

/** @returns the packages that can be resolved from the app's root */
export function installed(names: readonly string[], root: string): string[] {
  return names.filter((name) => manifestOf(name, root) !== '')
}

/** @returns the path of the package's `package.json`; empty if the package isn't installed */
export function manifestOf(name: string, root: string): string {
  // Node's own list of folders includes NODE_PATH, which imports ignore. pnpm sets it to a folder
  // with the dependencies of all packages.
  const file = path.join(root, 'node_modules', name, 'package.json')
  if (existsSync(file)) return file
  const parent = path.dirname(root)
  return parent === root ? '' : manifestOf(name, parent)
}

type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly main?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Reads a `package.json`. Returns an empty object if the file doesn't exist. */
export function readManifest(file: string): Manifest {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
