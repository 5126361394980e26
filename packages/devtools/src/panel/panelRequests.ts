import { element } from './element.ts'

/** What went wrong with a request of the panel: told as it is. */
export class PanelError extends Error {}

const devtoolsUrl = new URL('../', import.meta.url)
/** Path that the app is mounted at; empty for the root. */
export const panelBasePath = devtoolsUrl.pathname.split('/_waymark/')[0] ?? ''
const withinMs = 20_000

/** Reads what the dev server says of the app. @throws PanelError */
export function read<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return request<T>(`${name}?${new URLSearchParams(query)}`, {})
}

/** Changes something in the dev server. @throws PanelError */
export function sendCommand<T>(name: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return request<T>(name, { method: 'POST', headers, body: JSON.stringify(body) })
}

// The server has the panel's version, so a response has the shape that the caller expects.
async function request<T>(path: string, init: RequestInit): Promise<T> {
  const signal = AbortSignal.timeout(withinMs)
  // The server looks where a request comes from, also where the app sends no referrers.
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

/** A line of the app. */
export type SourcePosition = {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** A button that opens a file in the editor. @param text what it says; the file's name by default */
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

/** The pathname of a page as the app knows it. */
export function appPathname({ pathname }: URL): string {
  return pathname.slice(panelBasePath.length) || '/'
}
