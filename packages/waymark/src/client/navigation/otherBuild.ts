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

/**
 * Tells whether a document may be loaded again because of another build: once for each. While two
 * builds take turns at answering, a page that refreshes itself would load for ever.
 */
export function mayReloadFor(build: string, storage: () => Storage): boolean {
  const key = `waymark-build:${build}`
  try {
    if (storage().getItem(key)) return false
    storage().setItem(key, '1')
    return true
  } catch {
    // Without storage there is no telling a loop from a first try.
    return false
  }
}
