import { probeBody, probeType } from '../../wire/protocol.ts'

/** A response to a probe, from `fetch` or `XMLHttpRequest`. */
export type ProbedResponse = {
  readonly isOk: boolean
  /** The `content-type`, or an empty string. */
  readonly type: string
  readonly text: () => Promise<string>
}

/** True if the response is one of the site's documents or files, and false if it is a gateway's page. */
export async function isDocument({ isOk, type, text }: ProbedResponse): Promise<boolean> {
  if (type === probeType) return (await text()) === probeBody()
  if (type.startsWith('text/html')) {
    const html = await text()
    // A static host ignores the probe header and responds with the whole document, so recognize the
    // document by its HTML.
    return html.includes('data-waymark-theme') && html.includes('</html>')
  }
  // Treat other types as files, such as a download or an image.
  return isOk && type !== '' && !type.startsWith('text/x-component')
}
