/**
 * Counts how often it can read and write text within a time, because servers mostly do this.
 *
 *   node busy.mjs MILLISECONDS
 */
const sample = Array.from({ length: 200 }, (_, at) => ({ id: at, name: `item ${at}`, tags: ['a'] }))

const end = performance.now() + Number(process.argv[2])
let count = 0
for (; performance.now() < end; count++) JSON.parse(JSON.stringify(sample))
console.log(count)
