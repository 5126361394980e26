import { SourceMap, type SourceMapPayload } from 'node:module'
import path from 'node:path'
import type { DevEnvironment } from 'vite'
import { detailLines } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { readDigest } from '../../journal/query.ts'
import { parseFrame } from '../../journal/stackFrames.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { editorPath } from './devSecurity.ts'
import { devPage, uncached } from './errorPage.ts'
import type { DevFailures } from './failures.ts'
import { journalPath } from './overlayParts.ts'

/** What the dev server's pages about errors need. */
export type JournalPagesOptions = {
  readonly journal: JournalDriver
  readonly failures: DevFailures
  readonly theme: ThemeConfig
  readonly root: string
  /** Whether the app has Vite's overlay turned on. */
  readonly hasOverlay: boolean
}

/**
 * Responds with recorded errors: the list at `journalPath`; below it one by its digest, as a page
 * or, with `.json` at its end, for the overlay.
 * @returns `null` for any other target
 */
export async function respondJournalPage(
  target: string,
  options: JournalPagesOptions,
): Promise<HandlerResponse | null> {
  const [pathname = ''] = target.split('?', 1)
  if (pathname === journalPath) return page('Errors', await listBody(options), options)
  if (!pathname.startsWith(`${journalPath}/`)) return null
  const name = pathname.slice(journalPath.length + 1)
  const digest = readDigest(name.replace(/\.json$/, ''))
  if (digest !== null && name.endsWith('.json')) {
    const failure = options.hasOverlay ? await options.failures.find(digest) : null
    return uncached(200, 'application/json', JSON.stringify(failure))
  }
  const body = digest && (await detailBody(digest, options))
  if (digest && body) return page(digest, body, options)
  return uncached(404, 'text/plain; charset=utf-8', 'The journal of this app has no such error.\n')
}

async function listBody({ journal }: JournalPagesOptions): Promise<string> {
  const entries = await journal.list({ limit: 100 })
  if (entries.length === 0) return '<h1>Errors</h1><p>The journal has no errors.</p>'
  const rows = entries.map(({ digest, timeMs, phase, name, message, ...entry }) => {
    const time = new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
    const [first = ''] = message.split('\n', 1)
    const where = escapeHtml(entry.route ?? entry.path ?? '')
    return (
      `<li><a href="${journalPath}/${digest}">${digest}</a> ` +
      `<span>${time} ${phase} ${where}</span><br>${escapeHtml(`${name}: ${first}`)}</li>`
    )
  })
  return `<h1>Errors</h1><ol>${rows.join('')}</ol>`
}

async function detailBody(
  digest: string,
  { failures, root }: JournalPagesOptions,
): Promise<string | null> {
  const detail = await failures.detailOf(digest)
  if (!detail) return null
  const plain = (text: string) => text
  const paint = { red: plain, dim: plain }
  const [heading = '', ...lines] = detailLines(detail, { root, age: '', paint })
  const text = lines.map((line) => linked(line, root)).join('\n')
  return (
    `<p><a href="${journalPath}">All errors</a></p><h1>${escapeHtml(heading)}</h1>` +
    `<pre>${text.trim()}</pre>`
  )
}

// The bracket in front of a path belongs to the frame.
const placeInLine = /(\(?)([\w./@()[\]-]+\.[cm]?(?:[jt]sx?|mdx?):\d+:\d+)/

/** Links a place in a file to the editor. */
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

// By itself, such a link would lead to an empty page.
const script =
  'addEventListener("click",e=>{let a=e.target.closest?.("[data-open]");if(a){e.preventDefault();fetch(a.href)}})'

function page(title: string, main: string, { theme }: JournalPagesOptions): HandlerResponse {
  const head = `<style>${style}</style>`
  return devPage({ title, head, body: `<main>${main}</main><script>${script}</script>`, theme })
}

/**
 * Creates a journal that maps the stacks of browsers to the author's files before it stores them:
 * the dev server has the code that it sent to browsers in memory only.
 * @param client the environment of the browser's modules
 */
export function createMappedJournal(journal: JournalDriver, client: DevEnvironment): JournalDriver {
  // Ends when all entries so far are written.
  let written = Promise.resolve()

  async function writeMapped(entry: JournalEntry): Promise<void> {
    const { browser } = entry
    try {
      const stack = await mapStack(entry.stack, client)
      const componentStack = await mapStack(browser?.componentStack ?? null, client)
      journal.write({ ...entry, stack, browser: browser && { ...browser, componentStack } })
    } catch {
      // A map that can't be read: the stack stays as it came from the browser.
      journal.write(entry)
    }
  }

  return {
    write(record) {
      if (record.kind !== 'error' || record.browser === null) return journal.write(record)
      written = written.then(() => writeMapped(record))
    },
    list: (filter) => written.then(() => journal.list(filter)),
    groups: (filter) => written.then(() => journal.groups(filter)),
    find: (digest) => written.then(() => journal.find(digest)),
    flush: () => written.then(() => journal.flush()),
    close: () => written.then(() => journal.close()),
  }
}

async function mapStack(stack: string | null, client: DevEnvironment): Promise<string | null> {
  if (!stack) return stack
  return (await Promise.all(stack.split('\n').map((line) => mapLine(line, client)))).join('\n')
}

async function mapLine(text: string, { moduleGraph }: DevEnvironment): Promise<string> {
  const { file, line, column, functionName } = parseFrame(text)
  if (file === null || !/^https?:\/\//.test(file)) return text
  const { pathname } = new URL(file)
  // Code of packages is not the author's, and its maps are large.
  if (pathname.includes('/node_modules/')) return text
  const module = await moduleGraph.getModuleByUrl(decodeURIComponent(pathname))
  const map = module?.transformResult?.map
  if (!module?.file || !map || !('mappings' in map) || !map.mappings) return text
  // Both types mean version 3 of the format.
  const found = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1)
  if (!('originalLine' in found) || found.generatedLine !== line - 1) return text
  const place = `${module.file}:${found.originalLine + 1}:${found.originalColumn + 1}`
  return functionName === null ? `at ${place}` : `at ${functionName} (${place})`
}
