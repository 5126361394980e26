import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildLayout } from '../../shared/buildManifest.ts'

const aside = 'previous'
const pidFile = 'pid'

// What a build writes, and no more: the rest outlives builds. The facts come last, and say that all
// before them is there.
const { serverEntry, client, pages, prerendered, program, facts } = buildLayout
const parts = [path.dirname(serverEntry), 'ssr', client, pages, prerendered, program, facts]

/**
 * Moves a complete build aside, until the next one is complete or has failed.
 * @see docs/decisions/builds.md
 */
export function setBuildAside(buildDir: string): void {
  restoreBuild(buildDir)
  if (!existsSync(path.join(buildDir, facts))) return
  const folder = path.join(buildDir, aside)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, pidFile), String(process.pid))
  for (const part of parts.toReversed()) move(part, buildDir, folder)
}

/**
 * Puts the build back that a stopped one had moved aside, unless that one still runs. Not done by
 * the process that is stopped: threads of the bundler may still write.
 */
export function restoreBuild(buildDir: string): void {
  const folder = path.join(buildDir, aside)
  if (!existsSync(folder) || isOtherRunning(folder)) return
  const isWanted = existsSync(path.join(folder, facts)) && !existsSync(path.join(buildDir, facts))
  for (const part of isWanted ? parts : []) {
    if (!existsSync(path.join(folder, part))) continue
    rmSync(path.join(buildDir, part), { recursive: true, force: true })
    move(part, folder, buildDir)
  }
  dropPreviousBuild(buildDir)
}

/** Deletes the build that was moved aside: its facts first, by which it would be put back. */
export function dropPreviousBuild(buildDir: string): void {
  for (const part of [facts, '.']) {
    rmSync(path.join(buildDir, aside, part), { recursive: true, force: true })
  }
}

/** Where a build's file stands while the next one is written. */
export function previousPath(buildDir: string, file: string): string {
  return path.join(buildDir, aside, file)
}

function move(part: string, from: string, to: string): void {
  if (existsSync(path.join(from, part))) renameSync(path.join(from, part), path.join(to, part))
}

function isOtherRunning(folder: string): boolean {
  try {
    const pid = Number(readFileSync(path.join(folder, pidFile), 'utf8'))
    return pid > 0 && pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}
