import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { HandlerResponse } from 'waymark/plugin'
import { parsePathname, refuseOtherClients } from 'waymark/plugin/dev'
import { timedOut, withDeadline } from './deadline.ts'
import {
  plainText,
  readJsonText,
  refuseMethod,
  uncached,
  uncachedJson,
  withLines,
} from './localRequests.ts'
import type { InspectedApp } from './mcp/inspectedApp.ts'
import { runTool, ToolError } from './mcp/tools.ts'

/** Prefix, after the app's base path, of the URLs for the panel's code and data. */
export const devtoolsPrefix = '/_waymark/devtools/'

const codeFolder = fileURLToPath(new URL('.', import.meta.url))
// Dots are only allowed in the extension, so that no path can lead out of the folders with browser
// code.
const codePath = /^(?:panel|events)\/[A-Za-z]+\.js(?:\.map)?$/
const deadlineMs = 15_000

/** A browser's faults, with the cookie that keeps them active. */
type Faults = { readonly state: object; readonly cookie: string | null }

/** The faults that browsers can switch on. */
export type PanelFaults = {
  read(req: IncomingMessage): Faults
  /** @returns the new faults; `null` if the input is not a valid list of faults */
  set(req: IncomingMessage, input: unknown): Faults | null
}

export type PanelEndpointOptions = {
  readonly app: InspectedApp
  /** @throws `PACKAGE_NOT_INSTALLED` */
  loadFaults(): Promise<PanelFaults>
  /** Returns the document for the standalone panel, with the given script. */
  dockPage(script: string): HandlerResponse
  /** Base path of the app. */
  readonly basePath: string
}

/**
 * Registers the panel as a dock of Vite DevTools.
 * @see https://devtools.vite.dev/kit/
 */
export function registerDock(docks: Docks, basePath: string): void {
  // Vite DevTools would fetch an icon from an icon set over the network, so the icon is inline.
  const blaze = '<rect x="11" y="6" width="10" height="20" rx="2" fill="%23f4b400"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${blaze}</svg>`
  const icon = `data:image/svg+xml,${svg}`
  const url = basePath + devtoolsPrefix
  docks.register({ id: 'waymark', title: 'Waymark', icon, type: 'iframe', url })
}

/** The list of docks in Vite DevTools. */
export type Docks = { register(entry: object): unknown }

type ToolInput = Readonly<Record<string, unknown>>

/**
 * The tools that the panel's tabs read, keyed by the name in the URL. Agents use the same tools.
 */
const tools: Readonly<Record<string, string>> = {
  route: 'explain_route',
  errors: 'errors',
  cache: 'cache',
}

/**
 * Creates the endpoint for the dev server's panel. Any page can load the panel's code. Only the
 * app's own pages on this machine can read data, and they must use POST to change something.
 */
export function createPanelEndpoint(options: PanelEndpointOptions) {
  const { app, loadFaults, dockPage, basePath } = options
  async function respondFaults(
    find: (faults: PanelFaults) => Faults | null,
  ): Promise<HandlerResponse> {
    const loaded = await loadFaults().catch((thrown: unknown) => String(thrown))
    if (typeof loaded === 'string') return plainText(501, loaded)
    const faults = find(loaded)
    if (!faults) return plainText(400, 'faults must be a list of faults.')
    const { state, cookie } = faults
    return withLines(uncachedJson(state), cookie === null ? [] : [['set-cookie', cookie]])
  }

  const run = (name: string, input: ToolInput) =>
    respond(() => runTool(tools[name] ?? '', app, input))

  async function respond(find: () => Promise<unknown>): Promise<HandlerResponse> {
    try {
      const result = await withDeadline(find(), deadlineMs)
      if (result === timedOut)
        return plainText(504, `The request took longer than ${deadlineMs} ms.`)
      return uncachedJson(result)
    } catch (thrown) {
      // The client belongs to the developer, so it may see the error's message.
      return plainText(thrown instanceof ToolError ? 400 : 500, String(thrown))
    }
  }

  async function respondContract(text: string): Promise<HandlerResponse> {
    const pathname = parsePathname(text)
    if (pathname === null) return plainText(400, `"${text}" is not a pathname.`)
    return respond(() => app.contract.ofPage(pathname))
  }

  async function change(name: string, req: IncomingMessage): Promise<HandlerResponse> {
    const text = await readJsonText(req)
    if (typeof text !== 'string') return text
    const body = parseObject(text)
    if (body === null) return plainText(400, 'The body must be a JSON object.')
    if (name === 'cache') return run(name, { invalidate: body.invalidate })
    return respondFaults((faults) => faults.set(req, body.faults))
  }

  /** @param target the part of the request's path and query after `devtoolsPrefix` */
  return async (req: IncomingMessage, target: string): Promise<HandlerResponse> => {
    const { pathname, searchParams } = new URL(target, 'http://localhost/')
    const name = pathname.slice(1)
    if (codePath.test(name)) return respondCode(name)
    const refused = refuseOtherClients(req, 'page')
    if (refused) return refused
    if (req.method === 'POST' && (name === 'cache' || name === 'faults')) return change(name, req)
    if (req.method !== 'GET') return refuseMethod('GET')
    if (name === 'faults') return respondFaults((faults) => faults.read(req))
    if (name === '') return dockPage(`${basePath}${devtoolsPrefix}panel/dock.js`)
    if (name === 'contract') return respondContract(searchParams.get('pathname') ?? '')
    if (!Object.hasOwn(tools, name)) return plainText(404, 'The devtools have no such endpoint.')
    return run(name, Object.fromEntries(searchParams))
  }
}

/**
 * Adds the devtools script to a document, at the start of the head, so that it runs while the rest
 * is still loading. The script has the nonce of the app's content security policy.
 */
export function withMark(response: HandlerResponse, basePath: string): HandlerResponse {
  const { headers, body } = response
  const policy = headers.find(([name]) => /^content-security-policy/i.test(name))?.[1] ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  const attribute = nonce === undefined ? '' : ` nonce="${nonce}"`
  const tag = `<script type="module" async src="${basePath}${devtoolsPrefix}panel/mark.js"${attribute}></script>`
  if (body === null) return response
  if (typeof body === 'string') return { ...response, body: withinHead(body, tag) }
  if (body instanceof Uint8Array) return { ...response, body: headBytes(body, tag) }
  return { ...response, body: markedBody(body, tag) }
}

async function* markedBody(
  body: AsyncIterable<Uint8Array>,
  tag: string,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of body) {
    yield isFirst ? headBytes(chunk, tag) : chunk
    isFirst = false
  }
}

// Decodes as Latin-1, where each byte is one character, so that all other bytes stay unchanged.
function headBytes(bytes: Uint8Array, tag: string): Uint8Array {
  return Buffer.from(withinHead(Buffer.from(bytes).toString('latin1'), tag), 'latin1')
}

// The theme's script must come first, so insert the script after it.
const headStart = /<head(?:\s[^>]*)?>(?:<script data-waymark-theme=.*?<\/script>)?/s

function withinHead(html: string, tag: string): string {
  return html.replace(headStart, (start) => start + tag)
}

async function respondCode(name: string): Promise<HandlerResponse> {
  const text = await readFile(codeFolder + name, 'utf8').catch(() => null)
  if (text === null) return plainText(404, 'The devtools have no such file.')
  const type = name.endsWith('.map') ? 'application/json' : 'text/javascript; charset=utf-8'
  return uncached(200, type, text)
}

function parseObject(text: string): ToolInput | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as ToolInput) : null
  } catch {
    return null
  }
}
