import { once } from 'node:events'
import type { CacheDriver } from '../cacheDriver.ts'
import { entryOf, entryText } from '../cacheDriverSuite.ts'
import { openStore } from './openStore.ts'
import type { WriterReport } from './twoProcesses.ts'

// A process of its own: writes and reads keys that another one writes and reads, too, for a while.
const [kind = '', address = '', name = '', keysText = '0', msText = '0'] = process.argv.slice(2)
const lines: string[] = []
const log = (line: string) => lines.push(line)
const driver = await openStore(kind, address, log)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const report = await writeAndRead(driver, Number(keysText), Number(msText))
await driver.close()
process.stdout.write(`${JSON.stringify({ ...report, lines })}\n`)
process.exit()

async function writeAndRead(
  driver: CacheDriver,
  keys: number,
  forMs: number,
): Promise<Omit<WriterReport, 'lines'>> {
  const last: string[] = []
  const seen = new Map<string, number>()
  const problems: string[] = []
  const reads = { own: 0, others: 0 }
  const untilMs = performance.now() + forMs
  for (let at = 0; performance.now() < untilMs; at++) {
    const key = at % keys
    last[key] = `${name} ${at}`
    await driver.set(`k${key}`, entryOf(longText(last[key], at), { position: driver.position() }))
    const asked = (at * 7) % keys
    const text = entryText(await driver.get(`k${asked}`))
    if (text === null) continue
    const [title = '', ...rest] = text.split('\n')
    const [writer = '', number] = title.split(' ')
    reads[writer === name ? 'own' : 'others']++
    if (text !== longText(title, Number(number))) problems.push(`cut: ${title}, ${rest.length}`)
    // Each writes a key's values one after the other: none comes back once a later one was there.
    const before = seen.get(`${writer} ${asked}`) ?? -1
    if (Number(number) < before) problems.push(`k${asked} went back from ${before} to ${number}`)
    seen.set(`${writer} ${asked}`, Number(number))
  }
  return { last, reads, problems }
}

/** A value that tells who wrote it, and shows if a part of it is another one's. Up to 200 kB. */
function longText(title: string, at: number): string {
  return [title, ...Array.from({ length: 1 + ((at * 37) % 400) }, () => title.padEnd(500))].join(
    '\n',
  )
}
