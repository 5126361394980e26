import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/workspace/paths.mjs'
import { asUser, noOtherUserBecause } from './systemUsers.ts'

/** The files of the final stage of `deploy/docker/Dockerfile`, laid out without a container. */
export type Image = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  /** Returns a command that runs as the image's user. */
  asUser(command: readonly string[]): { readonly program: string; readonly args: string[] }
  remove(): void
}

// Id of the user `node` in Node's Docker images.
const user = 1000

/** The reason why this machine can't lay out the image, or `null` if it can. */
export const noImageBecause = noOtherUserBecause

/**
 * Executes the Dockerfile's final stage: copies a built folder, and runs the stage's commands in
 * the copy.
 */
export function layOutImage(built: string): Image {
  const file = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
  const stage = file.slice(file.lastIndexOf('\nFROM ')).replaceAll('\\\n', ' ').split('\n')
  const after = (instruction: string) => {
    const line = stage.find((each) => each.startsWith(instruction))
    if (line === undefined) throw new Error(`The last stage has no instruction ${instruction}.`)
    return line.slice(instruction.length).trim()
  }
  const listed = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]
  const command = after('RUN ')
    .replaceAll('node:node', `${user}:${user}`)
    .replaceAll('chgrp node ', `chgrp ${user} `)

  const folder = mkdtempSync(join(tmpdir(), 'waymark-image-'))
  chmodSync(folder, 0o755)
  const [target = ''] = after('COPY ').split(' ').slice(-1)
  cpSync(built, join(folder, target), { recursive: true })
  execFileSync('sh', ['-c', command], { cwd: folder })
  const pairs = after('ENV ').split(' ')
  return {
    folder,
    env: Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string])),
    command: listed(after('CMD ')),
    healthcheck: listed(after('HEALTHCHECK ')),
    asUser: (command) => asUser({ uid: user, gid: user }, command),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
