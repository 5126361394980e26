import { once } from 'node:events'
import type { Lease } from '../cacheDriver.ts'
import { openStore } from './openStore.ts'

// A process of its own. For some time it leases names that another one leases at the same moment,
// and tells which it has got; or it leases one, and never ends.
const [kind = '', address = '', ms = '0'] = process.argv.slice(2)
const driver = await openStore(kind, address, (line) => console.error(line))
process.stdout.write('ready\n')
await once(process.stdin, 'data')
if (ms === 'for ever') {
  await driver.lease('left', 60_000)
  process.stdout.write('leased\n')
  await new Promise(() => setInterval(() => {}, 1_000))
}
const got: string[] = []
const untilMs = Date.now() + Number(ms)
await Promise.all(Array.from({ length: 8 }, leaseOnAndOn))
process.stdout.write(`${JSON.stringify(got)}\n`)
await driver.close()
process.exit()

async function leaseOnAndOn(): Promise<void> {
  while (Date.now() < untilMs) {
    // The name of this moment, in all processes.
    const name = `name ${Math.floor(Date.now() / 3)}`
    if (await isOurs(name)) got.push(name)
  }
}

async function isOurs(name: string): Promise<boolean> {
  for (;;) {
    const leased: Lease = await driver.lease(name, 60_000)
    if (leased.kind === 'ours') {
      await leased.complete(new TextEncoder().encode(`${process.pid}`))
      return true
    }
    if (leased.kind === 'done') return false
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
