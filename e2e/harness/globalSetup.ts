import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildPackages } from '../../scripts/workspace/build.mjs'
import { isHeld } from './lock.ts'
import { snapshotPackages } from './packageSnapshot.ts'
import { appsFolder, resultsFolder } from './paths.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder for copies of apps. Its `node_modules` contains the packages under test. */
    workFolder: string
  }
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Builds the packages if their sources have changed, and removes files of earlier runs.
 * @returns a function to call at the end of the run
 */
export default async function setup(project: TestProject): Promise<() => void> {
  rmSync(resultsFolder, { recursive: true, force: true })
  removeOldApps(Date.now() - dayMs)
  await buildPackages({ typeErrors: 'report' })
  const workFolder = snapshotPackages()
  forgetEarlierRuns(workFolder)
  project.provide('workFolder', workFolder)
  const mark = join(workFolder, `${process.pid}${runMark}`)
  writeFileSync(mark, `${process.pid}`)
  return () => rmSync(mark, { force: true })
}

const runMark = '.run'

/**
 * Deletes the data that servers stored in earlier runs. Built apps are kept, so that this run can
 * use them.
 */
function forgetEarlierRuns(workFolder: string) {
  const marks = readdirSync(workFolder).filter((name) => name.endsWith(runMark))
  // Don't delete the servers' data while another run uses it.
  if (marks.some((name) => isHeld(join(workFolder, name)))) return
  for (const name of readdirSync(workFolder).filter((each) => each.endsWith('-built'))) {
    for (const stored of ['cache', 'journal']) {
      const path = join(workFolder, name, '.waymark', stored)
      // Keep a file, because a fixture puts a file there to make the journal fail.
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) continue
      rmSync(path, { recursive: true, force: true })
    }
  }
}

function removeOldApps(beforeMs: number) {
  if (!existsSync(appsFolder)) return
  for (const name of readdirSync(appsFolder)) {
    const path = join(appsFolder, name)
    if (statSync(path).mtimeMs < beforeMs) rmSync(path, { recursive: true, force: true })
  }
}
