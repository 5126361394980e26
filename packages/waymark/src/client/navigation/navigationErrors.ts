/** The URL is answered by a route handler or by proxy.ts: only a document will do. */
export class DocumentNeeded extends Error {
  override readonly name = 'DocumentNeeded'
}

/** The server runs another build than the document: its data names code that is not here. */
export class OtherBuild extends Error {
  override readonly name = 'OtherBuild'
  readonly build: string

  constructor(build: string) {
    super(`The server runs the build ${build}.`)
    this.build = build
  }
}

/**
 * Checks that page data can be used in a document.
 * @param responseBuild id of the build that rendered the data; `null` when it is not known
 * @param documentBuild id of the document's build; `null` when it is not known
 * @throws OtherBuild when they differ
 */
export function checkBuild(responseBuild: string | null, documentBuild: string | null): void {
  if (responseBuild !== null && documentBuild !== null && responseBuild !== documentBuild) {
    throw new OtherBuild(responseBuild)
  }
}
