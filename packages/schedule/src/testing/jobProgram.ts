import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisCache } from '../../../redis/src/redisCacheDriver.ts'
import { createFilesDriver } from '../../../waymark/src/cache/files/fileCacheDriver.ts'
import { createRunner } from '../runner.ts'

/**
 * Runs one job, like a server of a fleet. The arguments are the address of the store, the interval
 * and the duration of the job in milliseconds. Prints `start`, `end` and `aborted` with the due time.
 */
const [address = '', every = '', lasts = ''] = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)
const [url = '', prefix = '', token] = address.split(' ')
const driver = URL.canParse(url)
  ? await createRedisCache({ address: { urls: [url], prefix, token }, timeoutMs: 2_000 })
  : await createFilesDriver({ folder: address })

const runner = createRunner({
  driver,
  leaseMs: 1_500,
  pollMs: 100,
  log: (line) => print(`log ${line}`),
  report: () => 'digest',
  jobs: [
    {
      name: 'job',
      every: Number(every),
      async run({ dueAt, signal }) {
        print(`start ${dueAt.getTime()}`)
        const stepMs = Number(lasts) / 10
        for (let step = 0; step < 10; step++) {
          await sleep(stepMs)
          if (signal.aborted) return print(`aborted ${dueAt.getTime()}`)
        }
        return print(`end ${dueAt.getTime()}`)
      },
    },
  ],
})

process.on('SIGTERM', async () => {
  await runner.close()
  await driver.close()
  print('closed')
  process.exit(0)
})
// Keep the process alive, as a server's socket would, because the runner's timer doesn't.
setInterval(() => {}, 60_000)
print('ready')
