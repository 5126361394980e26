import { mkdir, open, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** How many files of claims are kept, and from which length on one is followed by another. */
export type ClaimFileBounds = { readonly files: number; readonly bytes: number }

/** 32 MB: a process that starts reads all of it. */
export const claimFileBounds: ClaimFileBounds = { files: 8, bytes: 4 * 2 ** 20 }

/** A file of claims that is appended to and read. */
export type ClaimFile = {
  readonly generation: number
  readonly handle: Awaited<ReturnType<typeof open>>
  /** Up to where it was read. */
  offset: number
}

const name = /^claims-(\d{1,15})\.log$/

/** The path of a file. */
export function claimFilePath(folder: string, generation: number): string {
  return path.join(folder, `claims-${generation}.log`)
}

/** Opens the oldest file, or begins the first. */
export async function openFirst(folder: string): Promise<ClaimFile> {
  await mkdir(folder, { recursive: true })
  const [oldest = 1] = await findClaimFiles(folder)
  return openFile(folder, oldest)
}

/** Opens the file after another, and begins it where nobody has. */
export async function openNext(folder: string, after: number): Promise<ClaimFile> {
  const isNewer = (each: number) => each > after
  const next = (await findClaimFiles(folder)).find(isNewer) ?? after + 1
  const file = await openFile(folder, next)
  // Whoever was asleep for eight files may just have begun one that had been removed.
  const later = (await findClaimFiles(folder)).find((each) => each > next)
  if (later === undefined || (await file.handle.stat()).size > 0) return file
  await file.handle.close()
  return openFile(folder, later)
}

/** The numbers of the files that are there, the oldest first. */
export async function findClaimFiles(folder: string): Promise<number[]> {
  const found = (await readdir(folder)).flatMap((each) => name.exec(each)?.[1] ?? [])
  return found.map(Number).sort((a, b) => a - b)
}

/** Removes a file. */
export async function removeClaimFile(folder: string, generation: number): Promise<void> {
  await rm(claimFilePath(folder, generation), { force: true })
}

async function openFile(folder: string, generation: number): Promise<ClaimFile> {
  // What is appended stands behind what is there, whoever appends at the same time: O_APPEND.
  return { generation, handle: await open(claimFilePath(folder, generation), 'a+'), offset: 0 }
}
