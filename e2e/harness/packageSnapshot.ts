import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { publishedPackages } from '../../scripts/workspace/build.mjs'
import { fingerprint } from '../../scripts/workspace/fingerprint.mjs'
import { root } from '../../scripts/workspace/paths.mjs'
import { appsFolder } from './paths.ts'

const published = ['package.json', 'bin', 'dist', 'tested', 'CHANGELOG.md']

/**
 * Copies the built packages into a `node_modules` folder, as an install would. Apps inside the
 * snapshot's folder find the copies instead of the workspace's packages, so a new build in the
 * workspace doesn't disturb running tests.
 * @returns the folder that contains the `node_modules`; the same for the same content
 */
export function snapshotPackages(): string {
  const draft = join(appsFolder, `draft-${randomBytes(4).toString('hex')}`)
  const installed = publishedPackages()
    .filter((folder) => existsSync(join(root, 'packages', folder, 'dist')))
    .map((folder) => ({ source: join(root, 'packages', folder), name: nameOf(folder) }))
  for (const { source, name } of installed) {
    for (const part of published) {
      const from = join(source, part)
      if (existsSync(from)) cpSync(from, join(draft, 'packages', name, part), { recursive: true })
    }
  }
  return settle(
    draft,
    installed.map(({ name }) => name),
  )
}

/**
 * Returns the name under which apps import a package. The package with the App Router's modules is
 * imported as `next`.
 */
function nameOf(folder: string): string {
  const manifest = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')
  const { name } = JSON.parse(manifest) as { name: string }
  return name === '@waymark/next' ? 'next' : name
}

// Compute the hash from the copy, because the originals may have changed since they were copied.
function settle(draft: string, names: readonly string[]): string {
  const packages = join(draft, 'packages')
  const outputs = names.flatMap((name) => published.map((part) => join(packages, name, part)))
  const hash = fingerprint(packages, [...outputs, join(root, 'package-lock.json')]).slice(0, 12)
  renameSync(packages, join(draft, 'node_modules'))
  const folder = join(appsFolder, hash)
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Discard this copy, because another run has created the same one first.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(folder, 'node_modules'))) throw error
  }
  return folder
}
