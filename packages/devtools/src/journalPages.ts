import path from 'node:path'
import type { HandlerResponse } from 'waymark/plugin'
import { escapeHtml, type InspectedServer, parseDigest } from 'waymark/plugin/dev'
import { plainText } from './localRequests.ts'

/** The path of Vite's endpoint that opens a file in the editor. */
const editorPath = '/__open-in-editor'

/**
 * Responds with pages about recorded errors: a list at the journal's path, and a page for each
 * error at this path followed by the error's digest.
 * @returns `null` for other paths
 */
export async function respondJournalPage(
  pathname: string,
  server: InspectedServer,
): Promise<HandlerResponse | null> {
  const { path: journalPath } = server.journal
  if (pathname === journalPath) return page('Errors', await listBody(server), server)
  if (!pathname.startsWith(`${journalPath}/`)) return null
  const digest = parseDigest(pathname.slice(journalPath.length + 1))
  const body = digest && (await detailBody(digest, server))
  if (digest && body) return page(digest, body, server)
  return plainText(404, 'The journal has no error with this digest.')
}

async function listBody({ journal }: InspectedServer): Promise<string> {
  const entries = await journal.list({ limit: 100 })
  if (entries.length === 0) return '<h1>Errors</h1><p>The journal has no errors.</p>'
  const rows = entries.map(({ digest, timeMs, phase, name, message, ...entry }) => {
    const time = new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
    const [first = ''] = message.split('\n', 1)
    const where = escapeHtml(entry.route ?? entry.path ?? '')
    return (
      `<li><a href="${journal.path}/${digest}">${digest}</a> ` +
      `<span>${time} ${phase} ${where}</span><br>${escapeHtml(`${name}: ${first}`)}</li>`
    )
  })
  return `<h1>Errors</h1><ol>${rows.join('')}</ol>`
}

async function detailBody(
  digest: string,
  { journal, root }: InspectedServer,
): Promise<string | null> {
  const error = await journal.find(digest)
  if (!error) return null
  const [heading = '', ...lines] = error.lines
  const text = lines.map((line) => linked(line, root)).join('\n')
  return (
    `<p><a href="${journal.path}">All errors</a></p><h1>${escapeHtml(heading)}</h1>` +
    `<pre>${text.trim()}</pre>`
  )
}

// Matches a file's position in a stack frame. An opening bracket before the path isn't part of the
// path.
const placeInLine = /(\(?)([\w./@()[\]-]+\.[cm]?(?:[jt]sx?|mdx?):\d+:\d+)/

/** Turns a file and position into a link that opens the editor. */
function linked(line: string, root: string): string {
  return escapeHtml(line).replace(placeInLine, (_, bracket: string, place: string) => {
    const file = encodeURIComponent(path.resolve(root, place))
    return `${bracket}<a data-open href="${editorPath}?file=${file}">${place}</a>`
  })
}

const style = [
  ':root{color-scheme:light dark}',
  'body{margin:0 auto;max-width:60rem;padding:2rem min(1.5rem,5vw);',
  'color:light-dark(#1d1c1a,#ecebe7);background:light-dark(#fbfaf8,#171715);',
  'font:400 1rem/1.6 system-ui,sans-serif}',
  'h1{font-size:1.25rem;line-height:1.4;overflow-wrap:anywhere}',
  'pre{font:400 .875rem/1.6 ui-monospace,Menlo,Consolas,monospace;overflow-x:auto}',
  'ol{list-style:none;padding:0}li{padding:.6rem 0;border-top:1px solid light-dark(#0002,#fff3)}',
  'li a{font-family:ui-monospace,Menlo,Consolas,monospace}',
  'span{color:light-dark(#55534e,#b5b3ad)}a{color:light-dark(#00647d,#6cc7dd)}',
].join('')

// Following the link would show an empty page, so fetch its URL instead.
const script =
  'addEventListener("click",e=>{let a=e.target.closest?.("[data-open]");if(a){e.preventDefault();fetch(a.href)}})'

function page(title: string, main: string, { toolPage }: InspectedServer): HandlerResponse {
  return toolPage({
    title,
    head: `<style>${style}</style>`,
    body: `<main>${main}</main><script>${script}</script>`,
  })
}
