import { once } from 'node:events'
import { entryOf, entryText } from '../../../../testing/src/drivers/cacheDriverSuite.ts'
import type { CacheDriver } from '../cacheDriver.ts'
import type { WriterReport } from './twoProcesses.ts'

export type OpenStore = (address: string, log: (line: string) => void) => Promise<CacheDriver>

/**
 * Runs in a process that shares a store with a second process. The arguments are an address and the
 * work: `lease MS`, `leave` or `write NAME KEYS MS`. Prints a line when it is ready, starts when it
 * gets input, and finally prints a report as JSON.
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

export async function leaseOnAndOn(driver: CacheDriver, ms: number): Promise<string[]> {
  const got: string[] = []
  const untilMs = Date.now() + ms
  const lease = async () => {
    while (Date.now() < untilMs) {
      // All processes derive the same name from the time, so they compete for it at the same
      // moment.
      const name = `name ${Math.floor(Date.now() / 3)}`
      if (await isOurs(driver, name)) got.push(name)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lease))
  return got
}

async function isOurs(driver: CacheDriver, name: string): Promise<boolean> {
  for (;;) {
    const leased = await driver.lease(name, 60_000)
    if (leased.kind === 'ours') {
      await leased.complete(new TextEncoder().encode(`${process.pid}`))
      return true
    }
    if (leased.kind === 'done') return false
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

export async function writeAndRead(
  driver: CacheDriver,
  { name, keys, ms }: { readonly name: string; readonly keys: number; readonly ms: number },
): Promise<Omit<WriterReport, 'lines'>> {
  const last: string[] = []
  const seen = new Map<string, number>()
  const problems: string[] = []
  const reads = { local: 0, others: 0 }
  const untilMs = performance.now() + ms
  for (let at = 0; performance.now() < untilMs; at++) {
    const key = at % keys
    last[key] = `${name} ${at}`
    await driver.set(`k${key}`, entryOf(longText(last[key], at), { position: driver.position() }))
    const readKey = (at * 7) % keys
    const text = entryText(await driver.get(`k${readKey}`))
    if (text === null) continue
    const [title = '', ...rest] = text.split('\n')
    const [writer = '', number] = title.split(' ')
    reads[writer === name ? 'local' : 'others']++
    if (text !== longText(title, Number(number))) problems.push(`cut: ${title}, ${rest.length}`)
    // Each process writes a key's values in order, so an earlier value must not reappear.
    const before = seen.get(`${writer} ${readKey}`) ?? -1
    if (Number(number) < before) problems.push(`k${readKey} went back from ${before} to ${number}`)
    seen.set(`${writer} ${readKey}`, Number(number))
  }
  return { last, reads, problems }
}

/**
 * Returns a value of up to 200 kB that names its writer in each line, so that a mix of two values
 * is detected.
 */
function longText(title: string, at: number): string {
  return [title, ...Array.from({ length: 1 + ((at * 37) % 400) }, () => title.padEnd(500))].join(
    '\n',
  )
}
