import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderLines } from '../shared/answer.ts'
import { createAcceptedEncodings, type Encoding } from './encodings.ts'
import { type FileBuffering, type OpenedSource, openSource } from './openSource.ts'
import { refuse } from './refuse.ts'
import { sendCached, sendOpened } from './staticAnswer.ts'
import {
  type Rendition,
  type Source,
  type StaticFile,
  withAge,
  withHeaders,
} from './staticEntry.ts'

/** Sends entries, from memory where their bytes are kept. */
export type StaticSender = {
  send(req: IncomingMessage, res: ServerResponse, entry: StaticFile, options?: SendOptions): void
  keptBytes(): number
}

/** What is sent with an entry. */
export type SendOptions = {
  /** Put over its own header lines. */
  readonly added?: HeaderLines
  /** Since it was rendered; without it, no age is told. */
  readonly ageSeconds?: number | null
}

/** How much stays in memory. */
export type StaticSenderOptions = {
  readonly maxKeptFileBytes?: number
  readonly maxKeptBytes?: number
  readonly onError?: (error: unknown) => void
}

/** Makes the sender. */
export function createStaticSender(options: StaticSenderOptions): StaticSender {
  const keeping: FileBuffering = {
    maxFileBytes: options.maxKeptFileBytes ?? 256 * 1024,
    maxBytes: options.maxKeptBytes ?? 64 * 1024 * 1024,
    keptBytes: 0,
  }
  const acceptedEncodings = createAcceptedEncodings()

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    entry: StaticFile,
    { added = [], ageSeconds = null }: SendOptions = {},
  ): void {
    const rendition = chooseRendition(entry, req, acceptedEncodings)
    const shaped = (source: Source) => {
      const told = ageSeconds === null ? source : withAge(source, ageSeconds)
      return added.length === 0 ? told : withHeaders(told, added)
    }
    if (rendition.kept !== null) {
      sendCached(req, res, shaped(rendition.kept))
      return
    }
    sendFromDisk(req, res, openSource(rendition, keeping), shaped).catch((error: unknown) => {
      options.onError?.(error)
      if (res.headersSent) res.destroy()
      else refuse(res, 500)
    })
  }

  return { send, keptBytes: () => keeping.keptBytes }
}

async function sendFromDisk(
  req: IncomingMessage,
  res: ServerResponse,
  opening: Promise<OpenedSource | null>,
  shaped: (source: Source) => Source,
): Promise<void> {
  const opened = await opening
  if (opened === null) refuse(res, 404)
  else await sendOpened(req, res, { ...opened, source: shaped(opened.source) })
}

function chooseRendition(
  entry: StaticFile,
  req: IncomingMessage,
  acceptedEncodings: (header: string | undefined) => readonly Encoding[],
): Rendition {
  const [identity, ...coded] = entry.renditions as [Rendition, ...Rendition[]]
  if (coded.length === 0) return identity
  for (const encoding of acceptedEncodings(req.headers['accept-encoding'] as string | undefined)) {
    const rendition = entry.renditions.find((each) => each.encoding === encoding)
    if (rendition !== undefined) return rendition
  }
  // A client that refuses all of them gets the plain file rather than a 406.
  return identity
}
