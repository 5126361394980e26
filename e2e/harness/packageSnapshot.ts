import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { publishedPackages } from '../../scripts/workspace/build.mjs'
import { fingerprint } from '../../scripts/workspace/fingerprint.mjs'
import { root } from '../../scripts/workspace/paths.mjs'
import { appsFolder } from './paths.ts'

const published = ['package.json', 'bin', 'dist', 'CHANGELOG.md']

/**
 * Copies the built packages as an install would lay them out. Apps below the copy find these and
 * not the workspace's own, so that a build in the workspace does not disturb tests that run, and
 * the packages are where a person's app has them: in `node_modules`.
 * @returns the folder that holds the `node_modules`; the same one for the same content
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

/** The name that apps import: that of the App Router's modules is `next`. */
function nameOf(folder: string): string {
  const manifest = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')
  const { name } = JSON.parse(manifest) as { name: string }
  return name === '@waymark/next' ? 'next' : name
}

// The hash is taken of the copy: the originals may change meanwhile.
function settle(draft: string, names: readonly string[]): string {
  const packages = join(draft, 'packages')
  const outputs = names.flatMap((name) => published.map((part) => join(packages, name, part)))
  const hash = fingerprint(packages, [...outputs, join(root, 'package-lock.json')]).slice(0, 12)
  renameSync(packages, join(draft, 'node_modules'))
  const folder = join(appsFolder, hash)
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another run was faster with the same content.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(folder, 'node_modules'))) throw error
  }
  return folder
}
