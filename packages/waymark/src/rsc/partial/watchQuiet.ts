import type { ByteChannel } from '../../shared/byteChannel.ts'

const lookEveryMs = 25

/**
 * Watches a channel that may never end.
 * @returns from time to time, for how many milliseconds nothing was written; over when it has
 *   ended
 */
export async function* watchIdle(
  channel: Pick<ByteChannel, 'listen' | 'ended'>,
  now: () => number = () => performance.now(),
): AsyncGenerator<number> {
  let writtenAtMs = now()
  channel.listen({
    piece() {
      writtenAtMs = now()
    },
    end() {},
    fail() {},
  })
  while (!channel.ended) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    yield now() - writtenAtMs
  }
}
