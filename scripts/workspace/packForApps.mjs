import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packagesFingerprint } from './build.mjs'
import { root } from './paths.mjs'
import { run } from './run.mjs'

/** Folders of the packages that the templates of `create-waymark` depend on. */
export const packagesOfTemplates = ['waymark', 'testing', 'devtools', 'speedups', 'i18n']

/**
 * Packs built packages as for publishing. The tarballs are not deleted, because the lock files of
 * apps refer to them.
 * @param {readonly string[]} names folders in `packages`
 * @returns {Promise<string[]>} a tarball for each name, all in one folder
 */
export async function packForApps(names = packagesOfTemplates) {
  const folder = join(root, 'packages/create-waymark/packed', packagesFingerprint().slice(0, 12))
  const tarballs = names.map((name) => join(folder, tarballName(name)))
  const missing = names.filter((_, index) => !existsSync(tarballs[index] ?? ''))
  if (missing.length > 0) {
    const draft = `${folder}-draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    mkdirSync(folder, { recursive: true })
    const chosen = missing.map((name) => `--workspace=packages/${name}`)
    const args = ['pack', '--silent', '--pack-destination', draft, ...chosen]
    const { exitCode, output } = await run('npm', args, { cwd: root, quiet: true })
    if (exitCode !== 0) throw new Error(`npm pack failed:\n${output}`)
    // Rename the files into place, so that an existing tarball is always complete.
    for (const file of readdirSync(draft)) renameSync(join(draft, file), join(folder, file))
    rmSync(draft, { recursive: true })
  }
  return tarballs
}

/**
 * Returns the file name that npm gives to a package's tarball, such as `waymark-live-0.1.0.tgz`.
 * @param {string} folder
 */
export function tarballName(folder) {
  const file = join(root, 'packages', folder, 'package.json')
  const { name, version } = JSON.parse(readFileSync(file, 'utf8'))
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}
