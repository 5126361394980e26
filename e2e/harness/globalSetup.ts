import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages } from '../../scripts/workspace/build.mjs'
import { appsFolder, resultsFolder } from './paths.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Builds the packages when they changed, and removes what earlier runs left. */
export default async function setup(): Promise<void> {
  rmSync(resultsFolder, { recursive: true, force: true })
  removeOldApps(Date.now() - dayMs)
  await buildPackages({ typeErrors: 'report' })
}

function removeOldApps(beforeMs: number) {
  if (!existsSync(appsFolder)) return
  for (const name of readdirSync(appsFolder)) {
    const path = join(appsFolder, name)
    if (statSync(path).mtimeMs < beforeMs) rmSync(path, { recursive: true, force: true })
  }
}
