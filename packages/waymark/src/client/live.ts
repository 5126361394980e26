import { live } from 'virtual:waymark/live'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'

/** What `@waymark/live` gets of the router. */
export type LiveRouter = {
  /** Ids of the renderings that the page on the screen is made of, the latest first. */
  renderings(): readonly string[]
  /** Called when a navigation has shown a page. */
  onCommit(listener: () => void): void
  /** Whether a navigation or an action is under way, whose page is newer. */
  isBusy(): boolean
  /** Fetches the page on the screen again. @returns whether it is shown now, or need not be */
  renew(): Promise<boolean>
  /** A mark that changes when somebody signs in or out, in any tab. */
  session(): string | null
}

/** What `@waymark/live` does in a browser. */
export type LiveClient = {
  /** Reads what the server has written at the end of a payload. */
  read(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Starts the router for the first page that is live. */
  onLive(start: () => void): void
  attach(router: LiveRouter): void
}

/** Decodes a payload for React. */
export function decodePayload<Root>(stream: ReadableStream<Uint8Array>): Promise<Root> {
  return createFromReadableStream<Root>(live ? live.read(stream) : stream)
}
