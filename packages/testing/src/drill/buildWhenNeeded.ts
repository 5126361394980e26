import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildLayout } from 'waymark/plugin/node'

const coreFolder = dirname(createRequire(import.meta.url).resolve('waymark/package.json'))
const pollMs = 200
// Milliseconds after which a lock is deleted, because the process that created it must have been
// killed.
const lockMs = 300_000

/**
 * Builds an app if its files are newer than its build. Test files that run at the same time share a
 * single build.
 * @param isOutdated true to build even if no file is newer
 * @throws Error with the output of the build if it fails
 */
export async function buildWhenNeeded(root: string, isOutdated = false): Promise<void> {
  if (isOutdated) rmSync(join(root, buildLayout.folder, buildLayout.facts), { force: true })
  const lock = join(tmpdir(), `waymark-build-${createHash('sha256').update(root).digest('hex')}`)
  while (!isBuilt(root)) {
    if (!takeLock(lock)) {
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      continue
    }
    try {
      // A different process may have built the app while this one waited for the lock.
      if (!isBuilt(root)) await build(root)
      return
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    // The folder exists, so a different process has the lock. Delete the lock if it is too old.
    const lockedAtMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - lockedAtMs > lockMs) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

/** True if no file of an app is newer than its build. */
export function isBuilt(root: string): boolean {
  const facts = join(root, buildLayout.folder, buildLayout.facts)
  const builtAtMs = statSync(facts, { throwIfNoEntry: false })?.mtimeMs
  return builtAtMs !== undefined && newestMs(root) <= builtAtMs
}

/**
 * Returns the time of the last change to the app's files. Tests, packages and generated files are
 * ignored.
 */
function newestMs(folder: string): number {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    if (/^\.(?!env)|^(node_modules|dist|out|data|e2e|test-results|coverage)$/.test(name)) continue
    if (
      /\.(test|spec)\.[jt]sx?$|^waymark-routes\.d\.ts$|^contract\.(txt|config\.[cm]?[jt]s)$/.test(
        name,
      )
    )
      continue
    const path = join(folder, name)
    // A folder's own time changes when a file in it is deleted.
    newest = Math.max(newest, statSync(path).mtimeMs, entry.isDirectory() ? newestMs(path) : 0)
  }
  return newest
}

function build(root: string): Promise<void> {
  const program = join(coreFolder, 'bin', 'waymark.js')
  // The test runner's environment variables would change the build.
  const { NODE_ENV: _, NODE_OPTIONS: __, VITEST: ___, ...env } = process.env
  const child = spawn(process.execPath, [program, 'build'], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`waymark build failed in ${root} with exit code ${code}:\n${output}`))
    })
  })
}
