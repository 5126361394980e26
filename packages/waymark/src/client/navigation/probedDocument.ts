import { probeBody, probeType } from '../../wire/protocol.ts'

/** A response to a probe, however it was requested. */
export type ProbedResponse = {
  readonly isOk: boolean
  /** Its `content-type`; empty when there is none. */
  readonly type: string
  readonly text: () => Promise<string>
}

/** Tells a document of this site, or a file that it serves, from the page of a gateway. */
export async function isDocument({ isOk, type, text }: ProbedResponse): Promise<boolean> {
  if (type === probeType) return (await text()) === probeBody()
  if (type.startsWith('text/html')) {
    const html = await text()
    // A host of files responds with the whole document.
    return html.includes('data-waymark-theme') && html.includes('</html>')
  }
  // A download or an image.
  return isOk && type !== '' && !type.startsWith('text/x-component')
}
