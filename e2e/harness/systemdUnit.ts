import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/workspace/paths.mjs'
import { asUser } from './systemUsers.ts'

/** Commands and settings for running `deploy/systemd/app.service` without systemd. */
export type Unit = {
  /** The app's folder, used instead of the unit's `/srv/app`. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** The command line of `ExecStart`, run as the unit's user. */
  readonly start: { readonly program: string; readonly args: string[] }
  remove(): void
}

/** A user and group id from the range of systemd's dynamic users, so that no file belongs to it. */
export const unitUser = { uid: 61_234, gid: 61_234 }

/**
 * Copies a built folder as the guide describes, and runs the commands that the unit runs before the
 * start.
 */
export function layOutUnit(built: string, port: number): Unit {
  const text = readFileSync(join(root, 'deploy/systemd/app.service'), 'utf8')
  const valuesOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const [workingDirectory = ''] = valuesOf('WorkingDirectory')
  const base = mkdtempSync(join(tmpdir(), 'waymark-unit-'))
  chmodSync(base, 0o755)
  const folder = join(base, workingDirectory)
  mkdirSync(folder, { recursive: true })
  execFileSync('cp', ['-r', built, folder])
  for (const value of valuesOf('ExecStartPre')) {
    if (!value.startsWith('+/usr/bin/')) throw new Error(`${value} does not run as root.`)
    const [program = '', ...args] = value.slice('+/usr/bin/'.length).split(' ')
    execFileSync(program, args.map(ofUnitUser), { cwd: folder })
  }
  const pairs = valuesOf('Environment').flatMap((value) => value.split(' '))
  const env = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
  const [command = ''] = valuesOf('ExecStart')
  const start = command.replace('/usr/bin/node', process.execPath).split(' ')
  return {
    folder,
    env: { ...env, PORT: `${port}` },
    start: asUser(unitUser, start),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

function ofUnitUser(argument: string): string {
  const { uid, gid } = unitUser
  if (argument === 'app') return `${uid}`
  return argument === 'app:app' ? `${uid}:${gid}` : argument
}
