import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packagesFingerprint } from './build.mjs'
import { root } from './paths.mjs'
import { run } from './run.mjs'

/** What the templates of `create-waymark` depend on. */
const packed = ['waymark', '@waymark/testing', '@waymark/devtools']

/**
 * Packs the built packages that an app gets, as publishing would. The tarballs stay: the lock file
 * of the app names them.
 * @returns {Promise<string>} the path of the core's tarball; the others are beside it
 */
export async function packForApps() {
  const folder = join(root, 'packages/create-waymark/packed', packagesFingerprint().slice(0, 12))
  if (!existsSync(folder)) {
    const draft = `${folder}-draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    const chosen = packed.map((name) => `--workspace=${name}`)
    const args = ['pack', '--silent', '--pack-destination', draft, ...chosen]
    const { exitCode, output } = await run('npm', args, { cwd: root, quiet: true })
    if (exitCode !== 0) throw new Error(`npm pack failed:\n${output}`)
    renameSync(draft, folder)
  }
  const core = readdirSync(folder).find((file) => /^waymark-\d/.test(file)) ?? ''
  return join(folder, core)
}
