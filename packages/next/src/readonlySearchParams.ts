/**
 * The query of a page. Methods that would change the query throw, because the query is part of the
 * URL.
 */
export class ReadonlyURLSearchParams extends URLSearchParams {
  /** @throws always */
  override append(): never {
    throw readonlyError()
  }
  /** @throws always */
  override delete(): never {
    throw readonlyError()
  }
  /** @throws always */
  override set(): never {
    throw readonlyError()
  }
  /** @throws always */
  override sort(): never {
    throw readonlyError()
  }
}

function readonlyError(): Error {
  return new Error(
    'The value of useSearchParams() is read-only. Change a copy, new URLSearchParams(params), and navigate to it with router.push().',
  )
}
