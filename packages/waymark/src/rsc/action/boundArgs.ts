import { Readable } from 'node:stream'
import { createFromNodeStream, renderToPipeableStream } from '@vitejs/plugin-rsc/rsc.node'
import { createByteChannel } from '../../http/stream.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import type { Sealer } from '../request/draftMode.ts'
import { appSecrets } from './appSecrets.ts'
import { createKeyRing, UndecryptableClosure } from './encryption.ts'

/** Replaces plugin-rsc's module for encrypting the values that inline actions close over. */

let ring: Sealer | null = null

/**
 * Returns the app's keys. They are read on first use, because an app without closures needs no
 * secret.
 */
export function keyRing(): Sealer {
  ring ??= createKeyRing(appSecrets())
  return ring
}

/** @param actionId id of the only action that can decrypt the values */
export async function encryptActionBoundArgs(values: unknown, actionId: string): Promise<string> {
  return keyRing().seal(await serialize(values), actionId)
}

export async function decryptActionBoundArgs(sealed: unknown, actionId: string): Promise<unknown> {
  // A client may send anything, so a value that rejects is just invalid.
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
