import { once } from 'node:events'
import type { CacheDriver } from '../cacheDriver.ts'
import { leaseOnAndOn } from './leaseNames.ts'
import { writeAndRead } from './writeAndRead.ts'

/** Opens what two processes share. */
export type OpenStore = (address: string, log: (line: string) => void) => Promise<CacheDriver>

/**
 * The program of a process that shares a store with another one. Its arguments are an address and
 * the work: `lease MS`, `leave` or `write NAME KEYS MS`. It prints a line when it is ready, and its
 * report as JSON when it has been sent one.
 */
export async function runStoreProgram(open: OpenStore): Promise<void> {
  const [address = '', work, ...args] = process.argv.slice(2)
  const lines: string[] = []
  const driver = await open(address, (line) => lines.push(line))
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  if (work === 'leave') {
    await driver.lease('left', 60_000)
    process.stdout.write('leased\n')
    await new Promise(() => setInterval(() => {}, 1_000))
  }
  const [name = '', keys] = args
  const ms = Number(args.at(-1))
  const report =
    work === 'lease'
      ? await leaseOnAndOn(driver, ms)
      : { ...(await writeAndRead(driver, { name, keys: Number(keys), ms })), lines }
  await driver.close()
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit()
}
