import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'
import { buildLayout } from '../../builds/buildManifest.ts'
import {
  findRuntimeModules,
  type ListedPackage,
  type RuntimeModules,
} from '../config/definePackage.ts'
import type { AppBuild } from '../config/hostAdapter.ts'

/**
 * Bundles the packages that a server loads on demand into a file of the build, so that they needn't
 * be installed on the server. Writes no file if the app has no such packages.
 */
export async function writeRuntimePackages(
  packages: readonly ListedPackage[],
  { buildDir, bundle }: Pick<AppBuild, 'buildDir' | 'bundle'>,
): Promise<void> {
  await rm(path.join(buildDir, buildLayout.runtime), { force: true })
  const modules = findRuntimeModules(packages)
  if (modules.operations === null && Object.keys(modules.stores).length === 0) return
  await bundle({
    root: buildDir,
    code: runtimeModule(modules),
    outDir: buildDir,
    output: { entryFileNames: buildLayout.runtime, codeSplitting: false },
  })
}

/**
 * Generates a module whose exports import the packages on demand, so that a server only loads the
 * packages that it needs.
 */
export function runtimeModule({ stores, operations }: RuntimeModules): string {
  const entries = Object.entries(stores).map(
    ([variable, module]) => `  ${JSON.stringify(variable)}: ${importOf(module)},\n`,
  )
  return `export const stores = {\n${entries.join('')}}
export const operations = ${operations ? importOf(operations) : 'null'}
`
}

function importOf(module: URL): string {
  return `() => import(${JSON.stringify(normalizePath(fileURLToPath(module)))})`
}
