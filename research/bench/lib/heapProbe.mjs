/**
 * Loaded into a measured server with `--import`. It answers the parent's message with the size of the
 * heap after a full garbage collection, or with the CPU time used so far. Resident memory alone can't
 * tell a leak from a heap that V8 has not shrunk yet, and `/proc` counts CPU in steps of 10 ms.
 */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('message', async (question) => {
  if (question === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send({ cpuMicroseconds: user + system })
    return
  }
  // Memory that finalizers release is free in the next round.
  for (let round = 0; round < 3; round++) {
    collect()
    await setImmediate()
  }
  process.send({ heapBytes: process.memoryUsage().heapUsed })
})
process.channel?.unref()
