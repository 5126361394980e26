import { guideTexts } from '../_ui/pageTexts.ts'

export const dynamic = 'force-static'

/**
 * Lists the pages of the guide for programs. The links are relative, because the build doesn't know
 * the port at which the site will be served.
 * @see https://llmstxt.org
 */
export function GET() {
  const pages = guideTexts().map(
    ({ href, title, description }) => `- [${title}](${href}.md): ${description}`,
  )
  const text = [
    '# Waymark',
    '',
    '> A React framework on Vite, with server components, server actions and nested layouts. Every route load arrives: at the page, at a fallback screen, or at an error that you can trace.',
    '',
    `The whole guide in one file: [/llms-full.txt](/llms-full.txt). An app that has installed Waymark has it in \`node_modules/waymark/dist/docs\`.`,
    '',
    '## Guide',
    '',
    ...pages,
    '',
  ].join('\n')
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
