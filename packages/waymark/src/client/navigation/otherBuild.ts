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
 * Looks whether page data can be used in a document.
 * @param own the document's build; `null` when it is not known
 * @throws OtherBuild when another one has answered
 */
export function checkBuild(answered: string | null, own: string | null): void {
  if (answered !== null && own !== null && answered !== own) throw new OtherBuild(answered)
}
