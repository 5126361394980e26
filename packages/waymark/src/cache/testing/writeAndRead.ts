import type { CacheDriver } from '../cacheDriver.ts'
import { entryOf, entryText } from '../cacheDriverSuite.ts'
import type { WriterReport } from './twoProcesses.ts'

/** Writes and reads keys that another process writes and reads, too, for a while. */
export async function writeAndRead(
  driver: CacheDriver,
  { name, keys, ms }: { readonly name: string; readonly keys: number; readonly ms: number },
): Promise<Omit<WriterReport, 'lines'>> {
  const last: string[] = []
  const seen = new Map<string, number>()
  const problems: string[] = []
  const reads = { own: 0, others: 0 }
  const untilMs = performance.now() + ms
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
