import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lists the files below a folder, their paths relative to it and divided by slashes. Left out are
 * symbolic links (they may lead out of the folder) and names that begin with a dot, which are
 * seldom meant for the public, except `.well-known` (RFC 8615).
 * @returns empty when the folder does not exist
 */
export function listFiles(folder: string): string[] {
  const files: string[] = []
  collect(folder, '', files)
  return files
}

function collect(folder: string, prefix: string, files: string[]): void {
  for (const item of readFolder(folder)) {
    const path = prefix + item.name
    if (item.name.startsWith('.') && path !== '.well-known') continue
    if (item.isDirectory()) collect(join(folder, item.name), `${path}/`, files)
    else if (item.isFile()) files.push(path)
  }
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
