import { chmod, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { buildLayout } from '../../builds/buildManifest.ts'
import { assetsPrefix } from '../../wire/protocol.ts'

const enterable = 0o111
const readable = 0o444

/**
 * Lets a web server in front of the app read the hashed assets, as a user of its own: whatever the
 * umask of the build, and whoever created its folder first. All else keeps its modes: server code,
 * and files of `public/`, which `proxy.ts` may guard.
 */
export async function openToWebServers(buildDir: string): Promise<void> {
  const clientDir = path.join(buildDir, buildLayout.client)
  const assets = path.join(clientDir, assetsPrefix)
  for (const folder of [buildDir, clientDir, path.dirname(assets)]) await addMode(folder, enterable)
  await makeReadable(assets)
}

/** Lets every user read a folder whose content is public. */
export async function makeReadable(folder: string): Promise<void> {
  await addMode(folder, readable | enterable)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) await makeReadable(file)
    // `chmod` would follow a link out of the folder.
    else if (entry.isFile()) await addMode(file, readable)
  }
}

async function addMode(file: string, bits: number): Promise<void> {
  const { mode } = await stat(file)
  if ((mode & bits) !== bits) await chmod(file, (mode & 0o7777) | bits)
}
