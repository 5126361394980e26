import { probeBody, probeType } from '../../wire/protocol.ts'

/** A response to a probe, from `fetch` or `XMLHttpRequest`. */
export type ProbedResponse = {
  readonly isOk: boolean
  /** The `content-type`, or an empty string. */
  readonly type: string
  readonly text: () => Promise<string>
}

/** True for a document or a file of this site, and false for the page of a gateway. */
export async function isDocument({ isOk, type, text }: ProbedResponse): Promise<boolean> {
  if (type === probeType) return (await text()) === probeBody()
  if (type.startsWith('text/html')) {
    const html = await text()
    // A static host ignores the probe and responds with the whole document.
    return html.includes('data-waymark-theme') && html.includes('</html>')
  }
  // Other types are files, such as a download or an image.
  return isOk && type !== '' && !type.startsWith('text/x-component')
}
