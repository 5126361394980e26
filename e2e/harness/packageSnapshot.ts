import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
  for (const name of readdirSync(join(root, 'packages'))) {
    const source = join(root, 'packages', name)
    if (!existsSync(join(source, 'dist'))) continue
    const target = join(draft, 'packages', name)
    for (const part of published) {
      const from = join(source, part)
      if (existsSync(from)) cpSync(from, join(target, part), { recursive: true })
    }
  }
  return settle(draft)
}

// The hash is taken of the copy: the originals may change meanwhile.
function settle(draft: string): string {
  const packages = join(draft, 'packages')
  const outputs = readdirSync(packages).flatMap((name) =>
    published.map((part) => join(packages, name, part)),
  )
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
