import { origin } from '../_ui/origin.ts'
import { guideTexts } from '../_ui/pageTexts.ts'

export const dynamic = 'force-static'

/** Lists the pages of the guide for programs. @see https://llmstxt.org */
export function GET() {
  const pages = guideTexts().map(
    ({ href, title, description }) => `- [${title}](${origin}${href}.md): ${description}`,
  )
  const text = [
    '# Waymark',
    '',
    '> A React framework on Vite, with server components, server actions and nested layouts. Every route load arrives.',
    '',
    `The whole guide in one file: ${origin}/llms-full.txt. An app that has installed Waymark has it in \`node_modules/waymark/dist/docs\`.`,
    '',
    '## Guide',
    '',
    ...pages,
    '',
  ].join('\n')
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
