import { once } from 'node:events'
import type { Claim } from '../driver.ts'
import { openStore } from './openStore.ts'

// A process of its own: claims names that another one claims, too, and tells which it has got.
const [kind = '', address = '', names = '0', hangs] = process.argv.slice(2)
const driver = await openStore(kind, address, (line) => console.error(line))
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const got: string[] = []
let next = 0
await Promise.all(Array.from({ length: 8 }, claimOnAndOn))
process.stdout.write(`${JSON.stringify(got)}\n`)
if (hangs) await new Promise(() => setInterval(() => {}, 1_000))
await driver.close()
process.exit()

async function claimOnAndOn(): Promise<void> {
  while (next < Number(names)) {
    const name = `name ${next++}`
    if (await isOurs(name)) got.push(name)
  }
}

async function isOurs(name: string): Promise<boolean> {
  for (;;) {
    const claimed: Claim = await driver.claim(name, 60_000)
    if (claimed.kind === 'ours') {
      if (!hangs) await claimed.keep(new TextEncoder().encode(`${process.pid}`))
      return true
    }
    if (claimed.kind === 'done') return false
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
