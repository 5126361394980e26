import { SourceMap, type SourceMapPayload } from 'node:module'
import type { DevEnvironment } from 'vite'
import { detailLines } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { readDigest } from '../../journal/query.ts'
import { parseFrame } from '../../journal/stackFrames.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead } from '../../theme/themeScript.ts'
import type { DevFailures } from './failures.ts'
import { journalPath } from './overlayParts.ts'

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

/**
 * Makes a journal that leads the stacks of browsers back to the author's files before they are
 * kept: what the dev server has sent to a browser is in its memory only.
 * @param client the environment that the browser's modules come from
 */
export function createMappedJournal(journal: JournalDriver, client: DevEnvironment): JournalDriver {
  const mapping = new Set<Promise<void>>()

  async function writeMapped(entry: JournalEntry): Promise<void> {
    const { browser } = entry
    const map = async (stack: string | null) => stack && (await mapStack(stack, client))
    try {
      const stack = await map(entry.stack)
      const componentStack = await map(browser?.componentStack ?? null)
      journal.write({ ...entry, stack, browser: browser && { ...browser, componentStack } })
    } catch {
      // A map that can't be read: the stack stays as the browser has written it.
      journal.write(entry)
    }
  }

  const settled = async () => void (await Promise.all(mapping))
  return {
    write(record) {
      if (record.kind !== 'error' || record.browser === null) return journal.write(record)
      const writing = writeMapped(record).finally(() => mapping.delete(writing))
      mapping.add(writing)
    },
    list: (filter) => settled().then(() => journal.list(filter)),
    groups: (filter) => settled().then(() => journal.groups(filter)),
    find: (digest) => settled().then(() => journal.find(digest)),
    flush: () => settled().then(() => journal.flush()),
    close: () => settled().then(() => journal.close()),
  }
}

async function mapStack(stack: string, client: DevEnvironment): Promise<string> {
  return (await Promise.all(stack.split('\n').map((line) => mapLine(line, client)))).join('\n')
}

async function mapLine(text: string, { moduleGraph }: DevEnvironment): Promise<string> {
  const { file, line, column, functionName } = parseFrame(text)
  if (file === null || !/^https?:\/\//.test(file)) return text
  const { pathname } = new URL(file)
  // No author wrote what stands there, and the maps are large.
  if (pathname.includes('/node_modules/')) return text
  const module = await moduleGraph.getModuleByUrl(decodeURIComponent(pathname))
  const map = module?.transformResult?.map
  if (!module?.file || !map || !('mappings' in map) || !map.mappings) return text
  // Both speak of the same format, version 3.
  const found = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1)
  if (!('originalLine' in found) || found.generatedLine !== line - 1) return text
  const place = `${module.file}:${found.originalLine + 1}:${found.originalColumn + 1}`
  return functionName === null ? `at ${place}` : `at ${functionName} (${place})`
}
