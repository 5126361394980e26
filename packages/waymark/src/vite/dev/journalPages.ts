import { SourceMap, type SourceMapPayload } from 'node:module'
import path from 'node:path'
import type { DevEnvironment, EnvironmentModuleNode, RunnableDevEnvironment } from 'vite'
import { detailLines } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { readDigest } from '../../journal/query.ts'
import { parseFrame } from '../../journal/thrownText.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { editorPath, refusedToOthers } from './devSecurity.ts'
import { devPage, plainText, uncached } from './errorPage.ts'
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
  /** Whether the request comes from this machine. */
  readonly isLocal: boolean
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
  if (!options.isLocal && pathname.startsWith(journalPath)) return refusedToOthers
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
  return plainText(404, 'The journal of this app has no such error.')
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

/** The environments whose stacks are mapped. */
export type MappedEnvironments = {
  /** Of the browser's modules. */
  readonly client: DevEnvironment
  /** Of the modules of server components. */
  readonly rsc: RunnableDevEnvironment
}

/**
 * Creates a journal that maps the stacks of browsers to the author's files before it stores them:
 * the dev server has the code that it sent to browsers in memory only.
 */
export function createMappedJournal(
  journal: JournalDriver,
  environments: MappedEnvironments,
): JournalDriver {
  // Ends when all entries so far are written.
  let written = Promise.resolve()

  const writeMapped = async (entry: JournalEntry) =>
    journal.write(await mapEntry(entry, environments))

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

/** Maps the stacks of a browser's error to the author's files. */
export async function mapEntry(
  entry: JournalEntry,
  { client, rsc }: MappedEnvironments,
): Promise<JournalEntry> {
  const { browser } = entry
  if (browser === null) return entry
  const mapStack = async (stack: string | null) => {
    const lines = stack?.split('\n').map(async (line) => {
      return line.includes('about://React/') ? mapServerStack(line, rsc) : mapLine(line, client)
    })
    return lines ? (await Promise.all(lines)).join('\n') : stack
  }
  try {
    const stack = await mapStack(entry.stack)
    const componentStack = await mapStack(browser.componentStack)
    return { ...entry, stack, browser: { ...browser, componentStack } }
  } catch {
    // A map that can't be read: the stack stays as it came from the browser.
    return entry
  }
}

/**
 * Maps what React tells of server components: the places of elements in the code that runs. Other
 * frames of the server are mapped by Vite's runner as the stack is written.
 */
export function mapServerStack(
  stack: string,
  { moduleGraph, runner }: RunnableDevEnvironment,
): string {
  const { startOffset = 0 } = runner.evaluator
  const inFile = /(?:about:\/\/React\/\w+\/)?(?:file:\/\/)?(\/[^\s()?]+)(?:\?\S*)?:(\d+):(\d+)/
  return stack.replace(
    new RegExp(inFile, 'g'),
    (given, file: string, line: string, column: string) => {
      const module = moduleGraph.getModuleById(decodeURIComponent(file))
      const at = { line: Number(line) - startOffset, column: Number(column) }
      const place = module && originalPlace(module, at)
      return place ? `${file}:${place}` : given
    },
  )
}

async function mapLine(text: string, { moduleGraph }: DevEnvironment): Promise<string> {
  const { file, line, column, functionName } = parseFrame(text)
  if (file === null || !/^https?:\/\//.test(file)) return text
  const { pathname } = new URL(file)
  // Code of packages is not the author's, and its maps are large.
  if (pathname.includes('/node_modules/')) return text
  const module = await moduleGraph.getModuleByUrl(decodeURIComponent(pathname))
  const place = module && originalPlace(module, { line, column })
  if (!place) return text
  const mapped = `${module.file}:${place}`
  return functionName === null ? `at ${mapped}` : `at ${functionName} (${mapped})`
}

/** @returns line and column in the author's file, with a colon between them */
function originalPlace(
  { file, transformResult }: EnvironmentModuleNode,
  { line, column }: { readonly line: number; readonly column: number },
): string | null {
  const map = transformResult?.map
  if (!file || !map || !('mappings' in map) || !map.mappings) return null
  // Both types mean version 3 of the format.
  const found = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1)
  if (!('originalLine' in found) || found.generatedLine !== line - 1) return null
  return `${found.originalLine + 1}:${found.originalColumn + 1}`
}
