declare global {
  interface Window {
    /** Our code for browsers that is under test, built by `runCase.ts`. */
    reader: { readFromHtml: (text: string, block: Element) => Promise<string | null> }
  }
}

/** What a tree has come to: `read` is as in the data, `unsure` is fetched, `whole` has no references. */
export type Outcome =
  | 'read'
  | 'unsure'
  | 'whole'
  | { readonly seed: number; readonly found: string }

/**
 * Compares a random tree of the app `rendering` as the browser reads it, out of the HTML around the payload, with
 * the tree in its page data.
 */
export async function compareTree(seed: number): Promise<Outcome> {
  const fetchText = async (path: string) => (await fetch(`${path}?seed=${seed}`)).text()
  const [html, data] = await Promise.all([fetchText('/tree'), fetchText('/_waymark/data/tree.rsc')])
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const block = parsed.querySelector('script[type="text/x-component"]')
  const text = block?.textContent.slice(0, -2) ?? ''
  if (!block || !text.startsWith('~')) return 'whole'
  const read = await self.reader.readFromHtml(text, block)
  if (read === null) return 'unsure'
  const found = segmentsOf(read)
  const expected = segmentsOf(data)
  if (found === expected) return 'read'
  let at = 0
  while (found[at] === expected[at]) at++
  const around = (all: string) => all.slice(Math.max(0, at - 200), at + 100)
  return { seed, found: `${around(found)}\n\n${around(expected)}` }
}

/** The segments of a payload, with what they refer to in its place. */
function segmentsOf(flight: string): string {
  const rows = new Map<string, unknown>()
  for (const line of flight.split('\n')) {
    const colon = line.indexOf(':')
    const body = line.slice(colon + 1)
    if (line.startsWith('#') || colon === -1) continue
    rows.set(line.slice(0, colon), /^[[{"]/.test(body) ? JSON.parse(body) : body)
  }
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      return Object.fromEntries(entries.map(([name, each]) => [name, resolved(each)]))
    }
    if (typeof value !== 'string') return value
    const [, id = '', path = ''] = /^\$L?([0-9a-f]+)((?::.*)?)$/.exec(value) ?? []
    if (id === '' || !rows.has(id)) return value
    let target = rows.get(id)
    for (const step of path.split(':').slice(1)) {
      target = (target as Record<string, unknown>)[step === 'props' ? '3' : step]
      const [, lazy = ''] = /^\$L([0-9a-f]+)$/.exec(String(target)) ?? []
      if (rows.has(lazy)) target = rows.get(lazy)
    }
    return resolved(target)
  }
  return JSON.stringify(resolved((rows.get('0') as { segments: unknown }).segments), null, 1)
}

/** @returns whether a document of random trees is not read: as it is, and with a word moved */
export async function moveWord(url: string): Promise<boolean[]> {
  const html = await (await fetch(url)).text()
  const read = async (html: string) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const block = parsed.querySelector('script[type="text/x-component"]') as Element
    return (await self.reader.readFromHtml(block.textContent.slice(0, -2), block)) === null
  }
  const words = 'A few more words. '
  const moved = html
    .replace(`<p>${words}`, '<p>')
    .replace(`</p><p>${words}`, `</p><p>${words}${words}`)
  return [await read(html), await read(moved)]
}
