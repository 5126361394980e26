import { Readable } from 'node:stream'
import { createFromNodeStream, renderToPipeableStream } from '@vitejs/plugin-rsc/rsc.node'
import { createByteChannel } from '../../http/stream.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import type { Sealer } from '../request/draftMode.ts'
import { appSecrets } from './appSecrets.ts'
import { createKeyRing, UndecryptableClosure } from './encryption.ts'

/** This file replaces plugin-rsc's module, with which inline actions encrypt the values that they close over. */

let ring: Sealer | null = null

/** Returns the app's keys. The keys are read on first use, because an app without closures doesn't need them. */
export function keyRing(): Sealer {
  ring ??= createKeyRing(appSecrets())
  return ring
}

/** @param actionId the only action that can decrypt the values */
export async function encryptActionBoundArgs(values: unknown, actionId: string): Promise<string> {
  return keyRing().seal(await serialize(values), actionId)
}

export async function decryptActionBoundArgs(sealed: unknown, actionId: string): Promise<unknown> {
  // Treat an error as an invalid value, because a client may send anything.
  const text = await Promise.resolve(sealed).catch(() => null)
  const opened = typeof text === 'string' ? keyRing().open(text, actionId) : null
  if (opened === null)
    throw new UndecryptableClosure(`No key decrypts the bound values of ${actionId}.`)
  return createFromNodeStream(Readable.from([opened]))
}

function serialize(values: unknown): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const channel = createByteChannel()
    channel.listen({
      piece() {},
      end: () => resolve(Buffer.concat(channel.pieces.map((piece) => Buffer.from(piece)))),
      fail: reject,
    })
    const { pipe } = renderToPipeableStream(values, { onError: neverThrows(reject, undefined) })
    pipe(channel.destination)
  })
}
