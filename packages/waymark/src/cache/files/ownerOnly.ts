import { chmod, mkdir } from 'node:fs/promises'

/** Modes of files and folders that hold what was answered to somebody: for their owner alone. */
export const ownerOnly = { file: 0o600, folder: 0o700 } as const

/** Makes a folder for its owner alone, and one that others could read before, too. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
  // It may be somebody else's, who has let this process write to it.
  await chmod(folder, ownerOnly.folder).catch(() => {})
}
