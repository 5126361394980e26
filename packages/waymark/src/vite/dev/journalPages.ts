import { detailLines } from '../../journal/detailLines.ts'
import type { JournalDriver } from '../../journal/driver.ts'
import { readDigest } from '../../journal/readDigest.ts'
import type { HandlerResponse } from '../../shared/answer.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead } from '../../theme/head.ts'
import type { DevFailures } from './devFailures.ts'
import { journalPath } from './overlayNames.ts'

/** What the dev server's pages about errors are made from. */
export type JournalPagesOptions = {
  readonly journal: JournalDriver
  readonly failures: DevFailures
  readonly theme: ThemeConfig
  readonly root: string
  /** Whether the overlay may show anything. */
  readonly hasOverlay: boolean
}

/**
 * Answers what the dev server itself knows of errors: the list at `journalPath`, below it one by
 * its digest, as a page and, with `.json` at its end, for the overlay.
 * @returns `null` for any other target
 */
export async function respondJournalPage(
  target: string,
  options: JournalPagesOptions,
): Promise<HandlerResponse | null> {
  const [path = ''] = target.split('?', 1)
  if (path === journalPath) return page('Errors', await listBody(options), options)
  if (!path.startsWith(`${journalPath}/`)) return null
  const name = path.slice(journalPath.length + 1)
  const digest = readDigest(name.replace(/\.json$/, ''))
  if (digest === null) return notThere
  if (name.endsWith('.json')) return failureAnswer(digest, options)
  const body = await detailBody(digest, options)
  return body === null ? notThere : page(digest, body, options)
}

const notThere: HandlerResponse = {
  status: 404,
  headers: [
    ['content-type', 'text/plain; charset=utf-8'],
    ['cache-control', 'no-store'],
  ],
  body: 'The journal of this app holds no such error.\n',
}

async function failureAnswer(
  digest: string,
  { failures, hasOverlay }: JournalPagesOptions,
): Promise<HandlerResponse> {
  const failure = hasOverlay ? await failures.find(digest) : null
  const headers: HandlerResponse['headers'] = [
    ['content-type', 'application/json'],
    ['cache-control', 'no-store'],
  ]
  return { status: 200, headers, body: JSON.stringify(failure) }
}

async function listBody({ journal }: JournalPagesOptions): Promise<string> {
  const entries = await journal.list({ limit: 100 })
  if (entries.length === 0) return '<h1>Errors</h1><p>The journal holds no errors.</p>'
  const rows = entries.map(({ digest, timeMs, phase, route, path, name, message }) => {
    const time = new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
    const [first = ''] = message.split('\n', 1)
    const where = escapeHtml(route ?? path ?? '')
    return (
      `<li><a href="${journalPath}/${digest}">${digest}</a> ` +
      `<span>${time} ${phase} ${where}</span><br>${escapeHtml(`${name}: ${first}`)}</li>`
    )
  })
  return `<h1>Errors</h1><ol>${rows.join('')}</ol>`
}

const plain = (text: string) => text

async function detailBody(
  digest: string,
  { failures, root }: JournalPagesOptions,
): Promise<string | null> {
  const detail = await failures.detailOf(digest)
  if (!detail) return null
  const [heading = '', ...lines] = detailLines(detail, {
    root,
    age: '',
    paint: { red: plain, dim: plain },
  })
  const text = lines.map((line) => linked(line, root)).join('\n')
  return (
    `<p><a href="${journalPath}">All errors</a></p><h1>${escapeHtml(heading)}</h1>` +
    `<pre>${text.trim()}</pre>`
  )
}

/** Places in the app's own files open in the editor. */
function linked(line: string, root: string): string {
  const found = /([\w./@()[\]-]+\.[cm]?(?:[jt]sx?|mdx?)):(\d+):(\d+)/.exec(line)
  if (!found) return escapeHtml(line)
  const [place, file = ''] = found
  // A path may end in a bracket that the frame has opened.
  const lead = line.slice(0, found.index) + (file.startsWith('(') ? '(' : '')
  const shown = file.startsWith('(') ? place.slice(1) : place
  const absolute = shown.startsWith('/') ? shown : `${root}/${shown}`
  const href = `/__open-in-editor?file=${encodeURIComponent(absolute)}`
  const rest = line.slice(found.index + place.length)
  return `${escapeHtml(lead)}<a data-open href="${escapeHtml(href)}">${escapeHtml(shown)}</a>${escapeHtml(rest)}`
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

// Following such a link would leave the page for an empty one.
const script =
  'addEventListener("click",e=>{let a=e.target.closest?.("[data-open]");if(a){e.preventDefault();fetch(a.href)}})'

function page(title: string, body: string, { theme }: JournalPagesOptions): HandlerResponse {
  const html = [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    themeHead({ config: theme }),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>`,
    `<style>${style}</style></head><body><main>${body}</main>`,
    `<script>${script}</script></body></html>`,
  ].join('')
  const headers: HandlerResponse['headers'] = [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'no-store'],
  ]
  return { status: 200, headers, body: html }
}
