import { open, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder, ownerOnly } from './ownerOnly.ts'

/**
 * What a line of the log of claims says. A name is a claim's; an owner is one process's one claim,
 * named `process.number`.
 */
export type LeaseLine =
  | {
      readonly kind: 'claimed'
      readonly name: string
      readonly owner: string
      readonly atMs: number
    }
  /** From an owner that is gone. */
  | {
      readonly kind: 'taken over'
      readonly name: string
      readonly owner: string
      readonly from: string
      readonly atMs: number
    }
  | { readonly kind: 'released'; readonly name: string; readonly owner: string }
  | {
      readonly kind: 'done'
      readonly name: string
      readonly expireAtMs: number
      /** In base64; `null` where it has a file of its own. */
      readonly result: string | null
    }
  /** The end of what a process has appended at once. */
  | { readonly kind: 'lives'; readonly self: string; readonly batch: number; readonly atMs: number }
  /** The end of the file: what comes behind does not count. */
  | { readonly kind: 'ended' }

const noResult = '-'

/** Writes a line: a checksum, a letter, and fields without a space. */
export function writeLeaseLine(line: LeaseLine): string {
  const text = fieldsOf(line).join(' ')
  return `${checksum(text)} ${text}\n`
}

/**
 * Reads a line, without its end.
 * @returns `null` for one that was cut or changed; `unknown` for one of another version
 */
export function parseLeaseLine(line: string): LeaseLine | 'unknown' | null {
  const text = line.slice(9)
  if (line[8] !== ' ' || line.slice(0, 8) !== checksum(text)) return null
  const [letter, name = '', second = '', third = '', fourth = ''] = text.split(' ')
  switch (letter) {
    case 'c':
      return { kind: 'claimed', name, owner: second, atMs: Number(third) }
    case 't':
      return { kind: 'taken over', name, owner: second, from: third, atMs: Number(fourth) }
    case 'r':
      return { kind: 'released', name, owner: second }
    case 'd':
      return {
        kind: 'done',
        name,
        expireAtMs: Number(second),
        result: third === noResult ? null : third,
      }
    case 'l':
      return { kind: 'lives', self: name, batch: Number(second), atMs: Number(third) }
    case 'e':
      return { kind: 'ended' }
    default:
      return 'unknown'
  }
}

function fieldsOf(line: LeaseLine): readonly (string | number)[] {
  switch (line.kind) {
    case 'claimed':
      return ['c', line.name, line.owner, line.atMs]
    case 'taken over':
      return ['t', line.name, line.owner, line.from, line.atMs]
    case 'released':
      return ['r', line.name, line.owner]
    case 'done':
      return ['d', line.name, line.expireAtMs, line.result ?? noResult]
    case 'lives':
      return ['l', line.self, line.batch, line.atMs]
    case 'ended':
      return ['e']
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** How many files of claims are kept, and from which length on one is followed by another. */
export type LeaseFileBounds = { readonly files: number; readonly bytes: number }

/** 32 MB: a process that starts reads all of it. */
export const leaseFileBounds: LeaseFileBounds = { files: 8, bytes: 4 * 2 ** 20 }

/** A file of claims that is appended to and read. */
export type LeaseFile = {
  readonly generation: number
  readonly handle: Awaited<ReturnType<typeof open>>
  /** Whether none came after it when it was opened. */
  readonly isNewest: boolean
  /** Up to where it was read. */
  offset: number
}

const name = /^claims-(\d{1,15})\.log$/

/** The path of a file. */
export function leaseFilePath(folder: string, generation: number): string {
  return path.join(folder, `claims-${generation}.log`)
}

/** Opens the oldest file, or begins the first. */
export async function openFirst(folder: string): Promise<LeaseFile> {
  await makePrivateFolder(folder)
  const [oldest = 1, ...others] = await findLeaseFiles(folder)
  return openFile(folder, oldest, others.length === 0)
}

/** Opens the file after another, and begins it where nobody has. */
export async function openNext(folder: string, after: number): Promise<LeaseFile> {
  const [next = after + 1] = await findLeaseFiles(folder, after)
  const handle = await openToAppend(folder, next)
  // Whoever was asleep for eight files may just have begun one that had been removed.
  const [later, ...others] = await findLeaseFiles(folder, next)
  if (later === undefined || (await handle.stat()).size > 0) {
    return { generation: next, handle, isNewest: later === undefined, offset: 0 }
  }
  await handle.close()
  return openFile(folder, later, others.length === 0)
}

/** The numbers of the files that are there, the oldest first. @param after only those behind it */
export async function findLeaseFiles(folder: string, after = 0): Promise<number[]> {
  const found = (await readdir(folder)).flatMap((each) => name.exec(each)?.[1] ?? [])
  return found
    .map(Number)
    .filter((each) => each > after)
    .sort((a, b) => a - b)
}

/** Removes a file; one that can't be removed now may be at the next time. */
export async function removeLeaseFile(folder: string, generation: number): Promise<void> {
  await rm(leaseFilePath(folder, generation), { force: true }).catch(() => {})
}

async function openFile(folder: string, generation: number, isNewest: boolean): Promise<LeaseFile> {
  return { generation, handle: await openToAppend(folder, generation), isNewest, offset: 0 }
}

// What is appended stands behind what is there, whoever appends at the same time: O_APPEND.
function openToAppend(folder: string, generation: number): Promise<LeaseFile['handle']> {
  return open(leaseFilePath(folder, generation), 'a+', ownerOnly.file)
}
