import { origin } from '../_ui/origin.ts'
import { guideTexts } from '../_ui/pageTexts.ts'

export const dynamic = 'force-static'

/** What there is to read, for programs. @see https://llmstxt.org */
export function GET() {
  const pages = guideTexts().map(
    ({ href, title, description }) => `- [${title}](${origin}${href}.md): ${description}`,
  )
  const text = [
    '# Waymark',
    '',
    '> A React framework in which every route load arrives: server components, server actions, nested layouts, on Vite.',
    '',
    `The whole guide in one file: ${origin}/llms-full.txt. Installed, it is in \`node_modules/waymark/dist/docs\`.`,
    '',
    '## Guide',
    '',
    ...pages,
    '',
  ].join('\n')
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
