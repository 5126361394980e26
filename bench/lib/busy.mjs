/**
 * Counts for a while how often it can do what servers do most: read and write text.
 *
 *   node busy.mjs MILLISECONDS
 */
import { pathToFileURL } from 'node:url'

const sample = Array.from({ length: 200 }, (_, at) => ({ id: at, name: `item ${at}`, tags: ['a'] }))

/** How often it was done. */
export function countWork(ms) {
  const end = performance.now() + ms
  let count = 0
  for (; performance.now() < end; count++) JSON.parse(JSON.stringify(sample))
  return count
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(countWork(Number(process.argv[2])))
}
