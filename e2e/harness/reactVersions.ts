import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { run } from '../../scripts/workspace/run.mjs'
import { withLock } from './lock.ts'
import { appsFolder } from './paths.ts'
import { runsAll } from './runLength.ts'

const oldest = '19.2.0'
const fixedCanary = '19.3.0-canary-dc9aed36-20261027'

/**
 * Versions of React with which the most important tests run, in addition to the workspace's
 * version: the oldest that the peer range allows and, in `npm test -- e2e-all`, a fixed canary.
 * `npm run react -- <version>` selects other versions, such as `canary` for the newest canary.
 */
export const reactVersions: readonly string[] =
  process.env.REACT_VERSIONS?.split(',').filter(Boolean) ??
  (runsAll ? [oldest, fixedCanary] : [oldest])

/** Returns the folder that `prepareReact` has created for a snapshot and a version of React. */
export function reactFolder(snapshot: string, version: string): string {
  return join(snapshot, `react-${version}`)
}

/**
 * Copies a snapshot's packages next to a different version of React, as an install would.
 * @param snapshot the folder with the snapshot's `node_modules`
 */
export async function prepareReact(snapshot: string, version: string): Promise<void> {
  const folder = reactFolder(snapshot, version)
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(join(folder, 'done'))) return
    const target = join(folder, 'node_modules')
    const installed = await installReact(version)
    for (const name of ['react', 'react-dom', 'scheduler']) {
      cpSync(join(installed, name), join(target, name), { recursive: true })
    }
    cpSync(join(snapshot, 'node_modules/waymark'), join(target, 'waymark'), { recursive: true })
    // Copy plugin-rsc, because it requires React from its own folder.
    const rsc = dirname(createRequire(import.meta.url).resolve('@vitejs/plugin-rsc/package.json'))
    cpSync(rsc, join(target, '@vitejs/plugin-rsc'), { recursive: true })
    writeFileSync(join(folder, 'done'), '')
  })
}

async function installReact(version: string): Promise<string> {
  const folder = resolve(appsFolder, `installed-react-${version}`)
  const packages = join(folder, 'node_modules')
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(join(packages, 'react-dom/package.json'))) return packages
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const names = [`react@${version}`, `react-dom@${version}`]
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--workspaces=false',
      '--prefix',
      folder,
      ...names,
    ]
    const { exitCode, output } = await run('npm', args, { cwd: folder, quiet: true })
    if (exitCode !== 0) throw new Error(`npm can't install React ${version}:\n${output}`)
    return packages
  })
}
