import { chmod, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { buildLayout } from '../../builds/buildManifest.ts'
import { assetsPrefix } from '../../wire/protocol.ts'

const enterable = 0o111
const readable = 0o444

/**
 * Makes the hashed assets readable for a web server that runs as a different user, whatever the
 * build's umask and the folder's owner. Server code and the files from `public/`, which `proxy.ts`
 * may guard, keep their modes.
 */
export async function openToWebServers(buildDir: string): Promise<void> {
  const clientDir = path.join(buildDir, buildLayout.client)
  const assets = path.join(clientDir, assetsPrefix)
  for (const folder of [buildDir, clientDir, path.dirname(assets)]) await addMode(folder, enterable)
  await makeReadable(assets)
}

/** Makes a folder with public content readable for all users. */
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
