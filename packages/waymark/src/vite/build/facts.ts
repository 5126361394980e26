import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildManifest, buildLayout } from '../../shared/build.ts'

/** Writes what a build says about itself. */
export async function writeBuildManifest(buildDir: string, facts: BuildManifest): Promise<void> {
  await writeFile(path.join(buildDir, buildLayout.facts), `${JSON.stringify(facts, null, 2)}\n`)
}

/** Takes back what an earlier build says about itself. */
export async function removeBuildManifest(buildDir: string): Promise<void> {
  await rm(path.join(buildDir, buildLayout.facts), { force: true })
}

/** The version of this package. */
export function waymarkVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
