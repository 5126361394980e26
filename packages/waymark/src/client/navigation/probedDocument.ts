import { probeBody, probeType } from '../../wire/protocol.ts'

/** A response to a probe, from `fetch` or `XMLHttpRequest`. */
export type ProbedResponse = {
  readonly isOk: boolean
  /** The `content-type`, or an empty string. */
  readonly type: string
  readonly text: () => Promise<string>
}

/**
 * True if the response is one of the site's documents or files, false if it comes from a gateway.
 */
export async function isDocument({ isOk, type, text }: ProbedResponse): Promise<boolean> {
  if (type === probeType) return (await text()) === probeBody()
  if (type.startsWith('text/html')) {
    const html = await text()
    // A static host ignores the probe header and sends the whole document, so look for marks of
    // Waymark's HTML.
    return html.includes('data-waymark-theme') && html.includes('</html>')
  }
  // Other types are files, such as a download or an image.
  return isOk && type !== '' && !type.startsWith('text/x-component')
}
