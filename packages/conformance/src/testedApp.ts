import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLayout } from 'waymark/plugin/node'

/** Folder into which the command writes the test app, relative to the project. */
export const testedFolder = '.conformance'

/** Writes the sources of the test app into a project. */
export function writeTestedApp(root: string): void {
  const folder = join(root, testedFolder)
  rmSync(folder, { recursive: true, force: true })
  cpSync(fileURLToPath(new URL('../tested', import.meta.url)), folder, { recursive: true })
}

/** The host for which the test app was built. */
export type BuiltHost = { readonly name: string; readonly lacks: readonly string[] }

/** @throws if the project has no build */
export function readBuiltHost(root: string): BuiltHost {
  const file = join(root, buildLayout.folder, buildLayout.facts)
  const { host } = JSON.parse(readFileSync(file, 'utf8')) as { readonly host: BuiltHost }
  return host
}
