import { element } from './element.ts'

/** Thrown if a request from the panel fails. The panel shows the message unchanged. */
export class PanelError extends Error {}

const devtoolsUrl = new URL('../', import.meta.url)
/** Base path of the app; empty for the root. */
export const panelBasePath = devtoolsUrl.pathname.split('/_waymark/')[0] ?? ''
const withinMs = 20_000

/** Reads data about the app from the dev server. @throws PanelError */
export function read<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return request<T>(`${name}?${new URLSearchParams(query)}`, {})
}

/** Sends a command that changes something in the dev server. @throws PanelError */
export function sendCommand<T>(name: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return request<T>(name, { method: 'POST', headers, body: JSON.stringify(body) })
}

// The server and the panel always have the same version, so the shape of responses isn't checked.
async function request<T>(path: string, init: RequestInit): Promise<T> {
  const signal = AbortSignal.timeout(withinMs)
  // The server checks where a request comes from, so send a referrer even if the app's policy
  // forbids it.
  const options: RequestInit = { ...init, signal, referrerPolicy: 'same-origin', cache: 'no-store' }
  let response: Response
  try {
    response = await fetch(new URL(path, devtoolsUrl), options)
  } catch {
    throw new PanelError('The dev server did not respond. Is it still running?')
  }
  if (!response.ok) throw new PanelError((await response.text()).slice(0, 2_000))
  return (await response.json()) as T
}

/** A position in one of the app's files. */
export type SourcePosition = {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** Creates a button that opens a file in the editor. @param label of the button */
export function editorButton({ file, line = 1, column = 1 }: SourcePosition, text: string) {
  const open = () => {
    const at = encodeURIComponent(`${file}:${line}:${column}`)
    void fetch(new URL(`/__open-in-editor?file=${at}`, devtoolsUrl), {
      referrerPolicy: 'same-origin',
    })
  }
  const title = `Open ${file}:${line} in your editor`
  return element('button', { type: 'button', className: 'file', title, onclick: open }, text)
}

/** Returns the pathname of a page without the app's base path. */
export function appPathname({ pathname }: URL): string {
  return pathname.slice(panelBasePath.length) || '/'
}
