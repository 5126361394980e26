import { guideTexts } from '../_ui/pageTexts.ts'

export const dynamic = 'force-static'

/** Returns the whole guide in one file. */
export function GET() {
  const text = guideTexts().map(({ markdown }) => `${markdown}\n`)
  return new Response(text.join('\n---\n\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
