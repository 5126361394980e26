import { createFrameWriter, readFrames } from 'waymark/plugin/node'

/**
 * A page as it can arrive in a browser: its content is still missing, it has failed, or it has
 * called `notFound()` or a similar function.
 */
export type PageState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly digest: string }

/**
 * Changes page data as if the page hadn't arrived yet, or had failed after the start of the
 * response. Layouts stay as they are.
 * @returns `null` if the data doesn't contain the page, such as the data of a redirect
 */
export function withoutPage(data: Uint8Array, state: PageState): Buffer | null {
  const payload = readFrames(new Uint8Array(data))
  if (payload === null) return null
  const text = Buffer.from(payload).toString('latin1')
  // Row 0 is the payload as JSON, in which each segment's content is a reference to another row.
  const line = /^0:(\{.*\})$/m.exec(text)?.[1]
  if (line === undefined) return null
  const row = JSON.parse(line) as PayloadRow
  const key = pageKey(row.tree)
  if (row.segments?.[key] === undefined) return null
  const changed = { ...row, segments: { ...row.segments, [key]: `$L${rowOfPage}` } }
  const rows = [text.replace(line, () => JSON.stringify(changed))]
  if (state.kind === 'failed') {
    rows.push(`${rowOfPage}:E${JSON.stringify({ digest: state.digest })}\n`)
  }
  return createFrameWriter().write([Buffer.from(rows.join(''), 'latin1')], state.kind === 'failed')
}

// Higher than the number of any row of a real page.
const rowOfPage = 'fffff'

type PayloadRow = {
  readonly tree: Segment
  readonly segments?: Readonly<Record<string, unknown>>
}

type Segment = { readonly key: string; readonly slots?: Readonly<Record<string, Segment>> }

function pageKey({ key, slots }: Segment): string {
  return slots?.children ? pageKey(slots.children) : key
}
