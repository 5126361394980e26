import { open } from 'node:fs/promises'
import type { DegradedMode } from './degradedMode.ts'
import {
  findLeaseFiles,
  type LeaseFile,
  type LeaseFileBounds,
  type LeaseLine,
  leaseFileBounds,
  leaseFilePath,
  openFirst,
  openNext,
  parseLeaseLine,
  removeLeaseFile,
  writeLeaseLine,
} from './leaseFormat.ts'
import type { LinePlace } from './leaseIndex.ts'

/** Lines that every process of a folder appends and reads, in one order. */
export type LeaseLog = {
  /**
   * Appends lines, and resolves once all lines up to them are read. What is appended at the same
   * time goes in one write.
   * @returns false where they could not be written, or not read
   */
  append(lines: string): Promise<boolean>
  /** Resolves once all that is there is read. */
  readOn(): Promise<boolean>
  /** Reads one line again. @returns `null` where it is gone, cut or changed */
  readLine(place: LinePlace): Promise<LeaseLine | null>
  /** Resolves once all was appended; what comes later is not. */
  close(): Promise<void>
}

/** What a log is made of. */
export type LeaseLogOptions = LeaseTailOptions & { readonly trouble: DegradedMode }

const mostTries = 5

/** Makes it; the first use opens the files. */
export function createLeaseLog(options: LeaseLogOptions): LeaseLog {
  const { folder, trouble, self, now } = options
  const place = createLeaseTail(options)
  const writes = createTogether((lines) =>
    lines === '' ? trouble.try(false, look) : trouble.write(() => commit(lines)),
  )
  let batches = 0

  async function look(): Promise<boolean> {
    await place.open()
    await place.readOn()
    return true
  }

  async function commit(lines: string): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      await place.open()
      const batch = ++batches
      await place.write(lines + writeLeaseLine({ kind: 'lives', self, batch, atMs: now() }))
      await place.readOn()
      if (place.lastBatch === batch) return place.endIfLong()
      // They stand behind the end of a file, where nobody reads them.
    }
    throw new Error('what was appended is not there')
  }

  return {
    append: writes.add,
    readOn: () => writes.add(''),
    async readLine({ generation, offset, bytes }) {
      const handle = await open(leaseFilePath(folder, generation)).catch(() => null)
      const buffer = Buffer.alloc(bytes)
      const read = await handle?.read(buffer, 0, bytes, offset).catch(() => null)
      await handle?.close()
      const line = parseLeaseLine(buffer.toString('latin1', 0, read?.bytesRead ?? 0))
      return line === 'unknown' ? null : line
    },
    async close() {
      await writes.end()
      await place.leave()
    },
  }
}

type Waiting = { readonly lines: string; readonly settle: (isDone: boolean) => void }

/** Runs one write at a time: what comes in meanwhile goes with the next, all of it at once. */
function createTogether(run: (lines: string) => Promise<boolean>) {
  let queue: Waiting[] = []
  let flushing: Promise<void> | null = null
  let hasEnded = false

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      // Calls that have come in together go in one write, not the first of them alone.
      await new Promise(setImmediate)
      const together = queue
      queue = []
      const isDone = await run(together.map(({ lines }) => lines).join(''))
      for (const { settle } of together) settle(isDone)
    }
    flushing = null
  }

  return {
    add(lines: string): Promise<boolean> {
      if (hasEnded) return Promise.resolve(false)
      return new Promise((settle) => {
        queue.push({ lines, settle })
        flushing ??= flush()
      })
    },
    async end(): Promise<void> {
      hasEnded = true
      await flushing
    },
  }
}

/** Where this process stands in the files: it reads all there is before it writes at their end. */
export type LeaseTail = {
  /** The last of this process's batches that was read. */
  readonly lastBatch: number
  /** Opens the files where they are not open, or somebody has emptied the folder. */
  open(): Promise<void>
  /** Appends in one write, which stands whole before or behind those of other processes. */
  write(lines: string): Promise<void>
  readOn(): Promise<void>
  /** Ends the file where it is long: another one follows. */
  endIfLong(): Promise<void>
  leave(): Promise<void>
}

/** What it needs. */
export type LeaseTailOptions = {
  readonly folder: string
  /** Hears of lines that can't be read. */
  readonly log: (line: string) => void
  /** Tells this process from all others. */
  readonly self: string
  readonly now: () => number
  readonly bounds?: LeaseFileBounds | undefined
  readonly reader: LeaseLogReader
}

/** Who hears of what is read. */
export type LeaseLogReader = {
  apply(line: LeaseLine, place: LinePlace): void
  /** Tells whether nothing of a file will be asked for. */
  isOver(generation: number, nowMs: number): boolean
  /** A file was removed. */
  forget(generation: number, nowMs: number): void
  /** All will be read anew. */
  forgetAll(): void
}

// Somebody may empty the folder.
const lookEveryMs = 1_000
const readBytes = 64 * 2 ** 10

/** Makes it, without a file yet. */
export function createLeaseTail(options: LeaseTailOptions): LeaseTail {
  const { folder, now, reader, bounds = leaseFileBounds } = options
  const lines = createLines(options)
  const buffer = Buffer.allocUnsafe(readBytes)
  let file: LeaseFile | null = null
  let lookedAtMs = 0

  async function leave(): Promise<void> {
    const left = file
    file = null
    await left?.handle.close()
  }

  async function goOn(from: LeaseFile): Promise<LeaseFile> {
    const next = await openNext(folder, from.generation)
    await leave()
    file = next
    await removeOld(next.generation, { folder, now, reader, bounds })
    return next
  }

  async function readOn(): Promise<void> {
    for (let at = file; at !== null; ) {
      const { bytesRead } = await at.handle.read(buffer, 0, readBytes, at.offset)
      const { end, isEnded } = lines.read(buffer.subarray(0, bytesRead), at)
      // What has no end within so much is no line of ours.
      at.offset += end === 0 && bytesRead === readBytes ? bytesRead : end
      const isAtEnd = bytesRead < readBytes
      // The line that ends a file may have been lost.
      if (isEnded || (isAtEnd && !at.isNewest)) at = await goOn(at)
      else if (isAtEnd) return
    }
  }

  async function open(): Promise<void> {
    if (file && now() - lookedAtMs > lookEveryMs) {
      lookedAtMs = now()
      if (!(await isThere(file))) await leave()
    }
    if (file) return
    reader.forgetAll()
    file = await openFirst(folder)
    await readOn()
  }

  return {
    get lastBatch() {
      return lines.lastBatch
    },
    open,
    write: async (text) => writeTo(file, text),
    readOn,
    async endIfLong() {
      if (file === null || file.offset <= bounds.bytes) return
      await writeTo(file, writeLeaseLine({ kind: 'ended' }))
      await readOn()
    },
    leave,
  }
}

type Bounded = Pick<LeaseTailOptions, 'folder' | 'now' | 'reader'> & {
  readonly bounds: LeaseFileBounds
}

/** Removes files that are beyond the bounds, or over. */
async function removeOld(current: number, { folder, now, reader, bounds }: Bounded): Promise<void> {
  for (const each of await findLeaseFiles(folder)) {
    const isOld = each < current && reader.isOver(each, now())
    if (each > current - bounds.files && !isOld) continue
    await removeLeaseFile(folder, each)
    reader.forget(each, now())
  }
}

async function isThere({ handle }: LeaseFile): Promise<boolean> {
  return handle.stat().then(
    ({ nlink }) => nlink > 0,
    () => false,
  )
}

async function writeTo(file: LeaseFile | null, text: string): Promise<void> {
  if (file === null) throw new Error('there is no file')
  // A line that a full disk or a killed process has left half written ends here.
  const bytes = Buffer.from(`\n${text}`, 'latin1')
  const { bytesWritten } = await file.handle.write(bytes)
  if (bytesWritten < bytes.length) throw new Error('ENOSPC: there is no room left')
}

/** Finds the lines in what was read. */
function createLines({ folder, self, log, reader }: LeaseTailOptions) {
  let lastBatch = 0
  let toldOf = -1

  function tell(generation: number): void {
    if (toldOf === generation) return
    toldOf = generation
    const file = leaseFilePath(folder, generation)
    log(`A line of ${file} was cut or changed, and does not count.`)
  }

  function apply(text: string, place: LinePlace): boolean {
    const line = parseLeaseLine(text)
    if (line === null) tell(place.generation)
    if (line === null || line === 'unknown') return false
    if (line.kind === 'lives' && line.self === self) lastBatch = line.batch
    reader.apply(line, place)
    return line.kind === 'ended'
  }

  return {
    get lastBatch() {
      return lastBatch
    },
    /** @returns where the last whole line ends */
    read(bytes: Buffer, { generation, offset }: LeaseFile): { end: number; isEnded: boolean } {
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        const place = { generation, offset: offset + start, bytes: end - start }
        const isEnded = end > start && apply(bytes.toString('latin1', start, end), place)
        start = end + 1
        if (isEnded) return { end: start, isEnded }
      }
      return { end: start, isEnded: false }
    },
  }
}
