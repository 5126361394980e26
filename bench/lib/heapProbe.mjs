/**
 * Loaded into a measured server with `--import`: answers the parent's message with the heap
 * that is left after a full collection. Resident memory alone can't tell a leak from a heap
 * that V8 has not shrunk yet.
 */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('message', async () => {
  // What finalizers let go of is free in the next round.
  for (let round = 0; round < 3; round++) {
    collect()
    await setImmediate()
  }
  process.send({ heapBytes: process.memoryUsage().heapUsed })
})
process.channel?.unref()
